/** Messages as the API finds them. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { chatIdOf, parseAddress, userOf } from '../../schemas/jid.js'
import type { MessageDirectory, MessageQuery } from '../../schemas/ports/messages.js'
import { type MessageRow, messageColumns, messageRecord } from './message-record.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

export function createMessages(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): MessageDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  return {
    async find(instance, query) {
      const { text, values } = toStatement(instance, query)
      const rows = await search<MessageRow & { owner_jid: string | null }>(text, values)
      return {
        messages: rows
          .slice(0, query.limit)
          .map((row) => messageRecord(row, row.owner_jid === null ? '' : userOf(row.owner_jid))),
        hasMore: rows.length > query.limit,
      }
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

/**
 * Newest first. By id the oldest first, as in `reader.ts`: whoever sends a message chooses its id, and one that comes later under the id
 * of another must not stand in its place.
 * @throws GatewayError INVALID_NUMBER for a chat that cannot be
 */
function toStatement(instance: InstanceId, query: MessageQuery): { text: string; values: unknown[] } {
  const values: unknown[] = [instance]
  const conditions = ['m.instance_id = $1']
  const where = (condition: (parameter: string) => string, value: string) => {
    values.push(value.replaceAll('\0', ''))
    conditions.push(condition(`$${values.length}`))
  }
  if (query.id !== undefined) {
    // Either the record's id, the network's, or `owner:messageid`.
    const bare = query.id.slice(query.id.indexOf(':') + 1)
    where((id) => `(m."messageid" = ${id} OR m.id = ${id})`, bare)
  }
  if (query.chatid !== undefined) {
    where(
      (jid) => `m.chat_id = (SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ${jid})`,
      chatIdOf(parseAddress(query.chatid)),
    )
  }
  if (query.trackSource !== undefined) where((source) => `m."track_source" = ${source}`, query.trackSource)
  if (query.trackId !== undefined) where((id) => `m."track_id" = ${id}`, query.trackId)
  if (query.status !== undefined) where((status) => `m."status" = ${status}`, query.status.toLowerCase())
  // The indices of tracks are partial: they serve only a query that says so.
  if (query.trackSource) conditions.push(`m."track_source" <> ''`)
  if (query.trackId) conditions.push(`m."track_id" <> ''`)
  values.push(query.limit + 1, query.offset)
  const order = query.id === undefined ? 'm."messageTimestamp" DESC, m.position DESC' : 'm.position'
  return {
    text: `
      SELECT ${messageColumns}, i.owner_jid
      FROM message AS m
      JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
      JOIN instance AS i ON i.id = m.instance_id
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${order}
      LIMIT $${values.length - 1} OFFSET $${values.length}`,
    values,
  }
}
