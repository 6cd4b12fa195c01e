/** Chats as the API finds them. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import type { ChatDirectory, ChatQuery } from '../../schemas/ports/chats.js'
import { type ChatRow, chatRecord } from './chat-record.js'
import {
  type ChatStatistics,
  isCounted,
  pageStatement,
  type Statement,
  searchStatement,
  totalsStatement,
} from './chat-search.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

// Both lead to one chat, or are the LID and the number of one person.
// $1 instance   $2, $3 JIDs
const SAME = `
  SELECT EXISTS (SELECT FROM chat_alias AS a JOIN chat_alias AS b USING (instance_id, chat_id)
      WHERE a.instance_id = $1 AND a.jid = $2 AND b.jid = $3)
    OR EXISTS (SELECT FROM lid_mapping WHERE instance_id = $1 AND ((lid = $2 AND pn = $3) OR (lid = $3 AND pn = $2))) AS same`

export function createChats(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): ChatDirectory {
  const search = createSearch(pool, searchTimeoutMs, { mayLag: true })
  return {
    async find({ id, owner }, query) {
      if (isCounted(query)) {
        const { matching, ...stats } = await totals(id, query)
        const total = matching ?? 0
        const extent = { ...stats, matching: total }
        const page = query.offset < total ? await run<ChatRow>(pageStatement(id, owner, query, extent)) : []
        return { chats: page.map((row) => chatRecord(row, owner)), total, stats }
      }
      const [{ matching: _, ...stats }, rows] = await Promise.all([
        totals(id, query),
        run<ChatRow & { matching: number }>(searchStatement(id, owner, query)),
      ])
      // The page is empty, and a row tells only how many match.
      const page = rows.filter((row) => (row.id as number | null) !== null)
      return { chats: page.map((row) => chatRecord(row, owner)), total: rows[0]?.matching ?? 0, stats }
    },

    async isSame(instance, one, other) {
      const { rows } = await pool.query<{ same: boolean }>(SAME, [instance, one, other])
      return rows[0]?.same ?? false
    },
  }

  async function totals(id: InstanceId, query: ChatQuery): Promise<ChatStatistics & { matching: number | null }> {
    const [row] = await run<ChatStatistics & { matching: number | null }>(totalsStatement(id, query))
    if (row === undefined) throw new Error('There are no totals.')
    return row
  }

  function run<Row extends pg.QueryResultRow>({ text, values }: Statement): Promise<Row[]> {
    return search<Row>(text, values)
  }
}
