/** Groups as the API lists them. */
import type pg from 'pg'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { GroupDirectory } from '../../schemas/ports/groups.js'
import { asFrequentWork } from '../../schemas/work.js'
import { containing } from './chat-search.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

// Bound: 200,000, 10,000 values, what is known of a group of 1,024 members or some more.

/** A group has up to a thousand members and takes a tenth of a megabyte, so that a part of a list takes some milliseconds. */
const CHUNK = 5

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
      if (rows.length > 0) yield asFrequentWork(work, () => rows.map(({ info }) => JSON.parse(info) as GroupInfo))
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
