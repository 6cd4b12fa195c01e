/** Scheduled sends as the API lists them. */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { toChatId } from '../../schemas/jid.js'
import { BEFORE_MAX, estimateLeavings, withLeaving } from '../../schemas/leaving-today.js'
import type { ScheduledDirectory, ScheduledQuery } from '../../schemas/ports/chats.js'
import { textArray } from './arrays.js'
import type { Encryption } from './encryption.js'
import { pacingReads } from './reads/pacing.js'
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
  if (chat !== undefined) where(ofChat, textArray([toChatId(chat)]))
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

// Estimates when scheduled sends leave, for the list that any node makes. The owner does the same for an answer (`leaving-time.ts`).

/** Pauses of this node's settings. */
interface NodePace {
  readonly delayMinMs: number
  readonly delayMaxMs: number
  readonly scheduledDelayMinMs: number
  readonly scheduledDelayMaxMs: number
  readonly pacing: { readonly sendsPerMinute: number }
}

// The sends up to the last one of a page, and so many before.
// $1 instance   $2 time of the last one, ms   $3 its position   $4 sends that are due longer before are left out, ms   $5 maximum
const DUES = `
  SELECT s.messageid, (extract(epoch FROM s.due) * 1000)::float8 AS due_ms FROM (
    SELECT messageid, due, position FROM scheduled_send
    WHERE instance_id = $1 AND status = 'scheduled' AND (due, position) <= (to_timestamp($2::bigint / 1000.0), $3::bigint)
      AND due >= to_timestamp($4::bigint / 1000.0)
    ORDER BY due DESC, position DESC LIMIT $5) AS s
  ORDER BY s.due, s.position`
const QUEUED = 'SELECT count(*)::int AS count FROM message WHERE instance_id = $1 AND outbox = 1'

type PageRow = Pick<ScheduledRow, 'messageid' | 'status' | 'due_ms'> & { readonly position: string }

/** Returns a function that estimates when the sends of a page leave, by their ids. Those that have ended are left out. */
function createLeavings(pool: pg.Pool, pace: NodePace) {
  const { pacing } = pacingReads(pool)
  return async (instance: InstanceId, page: readonly PageRow[]): Promise<ReadonlyMap<string, number>> => {
    const waiting = page.filter(({ status }) => status === 'scheduled')
    const [first, last] = [waiting[0], waiting.at(-1)]
    if (first === undefined || last === undefined) return new Map()
    const [stored, queued] = await Promise.all([pacing(instance), pool.query<{ count: number }>(QUEUED, [instance])])
    const { nowMs, nextAtMs, delayMinMs, delayMaxMs } = stored
    const { sendsPerMinute } = pace.pacing
    const { restUntilMs = 0, slowUntilMs = 0 } = readState(stored.state)
    const meanMs = (nodeMinMs: number, nodeMaxMs: number): number => {
      const min = delayMinMs ?? nodeMinMs
      const mean = (min + Math.max(min, delayMaxMs ?? nodeMaxMs)) / 2
      return (slowUntilMs > nowMs ? 2 : 1) * Math.max(mean, sendsPerMinute === 0 ? 0 : 60_000 / sendsPerMinute)
    }
    const intervalMs = meanMs(pace.scheduledDelayMinMs, pace.scheduledDelayMaxMs)
    const queuedMs = (queued.rows[0]?.count ?? 0) * meanMs(pace.delayMinMs, pace.delayMaxMs)
    const { rows } = await pool.query<{ messageid: string; due_ms: number }>(DUES, [
      instance,
      Math.round(last.due_ms),
      last.position,
      Math.round(first.due_ms - BEFORE_MAX * intervalMs),
      BEFORE_MAX + page.length,
    ])
    const busyUntilMs = Math.max(nowMs, nextAtMs ?? 0, restUntilMs) + queuedMs
    const leavesMs = estimateLeavings({ duesMs: rows.map(({ due_ms }) => due_ms), busyUntilMs, intervalMs })
    return new Map(rows.map(({ messageid }, index) => [messageid, leavesMs[index] ?? busyUntilMs]))
  }
}

function readState(state: string): { readonly restUntilMs?: number; readonly slowUntilMs?: number } {
  try {
    // Ours: the pace of an instance, as we stored it.
    const { restUntilMs, slowUntilMs } = JSON.parse(state) as Record<string, unknown>
    return { restUntilMs: Number(restUntilMs) || 0, slowUntilMs: Number(slowUntilMs) || 0 }
  } catch {
    return {}
  }
}
