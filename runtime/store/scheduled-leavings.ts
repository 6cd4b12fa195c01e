/** Estimates when scheduled sends leave, for the list that any node makes. The owner does the same for an answer (`leaving-time.ts`). */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import { BEFORE_MAX, estimateLeavings } from '../../schemas/leaving-times.js'
import { pacingReads } from './reads/pacing.js'
import type { ScheduledRow } from './scheduled-row.js'

// Ours: the pace of an instance, as we stored it.

/** Pauses of this node's settings. */
export interface NodePace {
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
export function createLeavings(pool: pg.Pool, pace: NodePace) {
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
    const { restUntilMs, slowUntilMs } = JSON.parse(state) as Record<string, unknown>
    return { restUntilMs: Number(restUntilMs) || 0, slowUntilMs: Number(slowUntilMs) || 0 }
  } catch {
    return {}
  }
}
