/** Messages as the API finds them. */
import type pg from 'pg'
import { readUser } from '../../schemas/jid.js'
import type { MessageDirectory } from '../../schemas/ports/chats.js'
import { asFrequentWork } from '../../schemas/work.js'
import { messageRecord } from './message-record.js'
import { messageReports } from './message-reports.js'
import { createMessageSearch } from './message-search.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

export function createMessages(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): MessageDirectory {
  const find = createMessageSearch(createSearch(pool, searchTimeoutMs, { mayLag: true }))
  return {
    ...messageReports(createSearch(pool, searchTimeoutMs, { mayLag: true })),
    async find(instance, query) {
      const { rows, ...page } = await find(instance, query)
      const work = { kind: 'request', operation: 'findMessages', feature: 'message', instance, id: '' } as const
      const messages = asFrequentWork(work, () =>
        rows.map((row) => messageRecord(row, row.owner_jid === null ? '' : readUser(row.owner_jid))),
      )
      return { ...page, messages }
    },
    async isKnownKey(instance, key) {
      const { rowCount } = await pool.query(
        `SELECT FROM message WHERE instance_id = $1 AND idempotency_key = $2 AND created > now() - interval '24 hours'
         UNION ALL
         SELECT FROM scheduled_send WHERE instance_id = $1 AND idempotency_key = $2 AND created > now() - interval '24 hours'`,
        [instance, key],
      )
      return (rowCount ?? 0) > 0
    },
  }
}
