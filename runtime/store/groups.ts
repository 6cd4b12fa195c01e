/** Groups as the API lists them. */
import type pg from 'pg'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { GroupDirectory } from '../../schemas/ports/chats.js'
import { asFrequentWork } from '../../schemas/work.js'
import { containing } from './chat-search.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

// Bound: 200,000, 10,000 values, what is known of a group of 1,024 members or some more.

/** Groups that are read at once. One has up to a thousand members and takes a tenth of a megabyte. */
const CHUNK = 5
/** Characters of groups that become a part of a list, in one step: one large group, or some small ones. It takes some milliseconds. */
const PART_MAX = 50_000

export function createGroups(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): GroupDirectory {
  const search = createSearch(pool, searchTimeoutMs)

  /** Reads groups in the order of their JIDs, after a number of them. */
  async function* read(instance: InstanceId, name: string, limit: number, offset: number) {
    let after = ''
    for (let left = limit; left > 0; ) {
      const count = Math.min(CHUNK, left)
      const rows = await search<{ jid: string; info: string }>(
        `SELECT jid, info FROM group_info WHERE instance_id = $1 AND name ILIKE $2 AND jid > $3
         ORDER BY jid LIMIT $4 OFFSET $5`,
        [instance, containing(name), after, count, after === '' ? offset : 0],
      )
      const work = { kind: 'request', operation: 'listGroups', feature: 'group', instance, id: '' } as const
      for (const part of splitRows(rows))
        yield asFrequentWork(work, () => part.map(({ info }) => JSON.parse(info) as GroupInfo))
      if (rows.length < count) return
      after = rows.at(-1)?.jid ?? ''
      left -= rows.length
    }
  }

  return {
    all: (instance) => read(instance, '', Number.POSITIVE_INFINITY, 0),

    async page(instance, { search: name, limit, offset }) {
      const [counted] = await search<{ total: number }>(
        'SELECT count(*)::int AS total FROM group_info WHERE instance_id = $1 AND name ILIKE $2',
        [instance, containing(name)],
      )
      return { groups: read(instance, name, limit, offset), total: counted?.total ?? 0 }
    },
  }
}

/** Returns the rows in parts that are not longer than they may be, or hold one row. */
function splitRows<Row extends { readonly info: string }>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: Row[][] = []
  let length = 0
  for (const row of rows) {
    length += row.info.length
    const last = parts.at(-1)
    if (last !== undefined && length <= PART_MAX) last.push(row)
    else {
      parts.push([row])
      length = row.info.length
    }
  }
  return parts
}
