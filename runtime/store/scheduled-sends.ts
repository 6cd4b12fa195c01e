/** Scheduled sends as the API lists them. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { chatIdOf } from '../../schemas/jid.js'
import { withLeaving } from '../../schemas/leaving-times.js'
import type { ScheduledDirectory, ScheduledQuery } from '../../schemas/ports/scheduled.js'
import { textArray } from './arrays.js'
import type { Encryption } from './encryption.js'
import { createLeavings, type NodePace } from './scheduled-leavings.js'
import { ofChat, SCHEDULED_COLUMNS, type ScheduledRow, scheduledSend } from './scheduled-row.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

export function createScheduledSends(
  pool: pg.Pool,
  encryption: Encryption,
  pace: NodePace,
  searchTimeoutMs = SEARCH_TIMEOUT_MS,
): ScheduledDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  const leavings = createLeavings(pool, pace)
  return {
    async list(instance, query) {
      const { text, values } = toStatement(instance, query)
      const rows = await search<ScheduledRow & { readonly position: string }>(text, values)
      const page = rows.slice(0, query.limit)
      const last = page.at(-1)
      const leavesMs = await leavings(instance, page)
      return {
        messages: page.flatMap((row) => {
          const record = scheduledSend(instance, row, encryption)?.record
          const atMs = leavesMs.get(row.messageid)
          return record === undefined ? [] : [atMs === undefined ? record : withLeaving(record, atMs)]
        }),
        last: last === undefined ? null : { atMs: Math.round(last.due_ms), position: String(last.position) },
        hasMore: rows.length > query.limit,
      }
    },
  }
}

function toStatement(instance: InstanceId, query: ScheduledQuery): { text: string; values: unknown[] } {
  const values: unknown[] = [instance]
  const conditions = ['s.instance_id = $1']
  const where = (condition: (parameter: string) => string, value: unknown) => {
    values.push(typeof value === 'string' ? value.replaceAll('\0', '') : value)
    conditions.push(condition(`$${values.length}`))
  }
  const { id, chat, trackId, status, fromMs, toMs, after, limit } = query
  if (id !== undefined) where((one) => `(s.messageid = ${one} OR s.record_id = ${one} AND s.record_id <> '')`, id)
  if (chat !== undefined) where(ofChat, textArray([chatIdOf(chat)]))
  if (trackId !== undefined) where((one) => `s.track_id = ${one}`, trackId)
  // As a word, so that the partial index serves it.
  if (status !== undefined) conditions.push(`s.status = '${status}'`)
  if (fromMs !== undefined) where((one) => `s.due >= to_timestamp(${one}::bigint / 1000.0)`, fromMs)
  if (toMs !== undefined) where((one) => `s.due <= to_timestamp(${one}::bigint / 1000.0)`, toMs)
  if (after !== undefined) {
    values.push(after.atMs)
    const at = `to_timestamp($${values.length}::bigint / 1000.0)`
    where((one) => `(s.due, s.position) > (${at}, ${one}::bigint)`, after.position)
  }
  values.push(limit + 1)
  return {
    text: `
      SELECT ${SCHEDULED_COLUMNS}, s.position FROM scheduled_send AS s JOIN instance AS i ON i.id = s.instance_id
      WHERE ${conditions.join(' AND ')} ORDER BY s.due, s.position LIMIT $${values.length}`,
    values,
  }
}
