/** When scheduled messages leave. They share the pace of the queue with those that are due before them. */

/** Maximum of sends due before one that count. With more of them the estimate is too early. */
export const BEFORE_MAX = 500

export interface Backlog {
  /** When sends are due, in their order. */
  readonly duesMs: readonly number[]
  /** Time until which what is queued already keeps the instance busy. */
  readonly busyUntilMs: number
  /** Time from one scheduled send to the next. */
  readonly intervalMs: number
}

/** Estimates when each of these sends leaves. */
export function estimateLeavings({ duesMs, busyUntilMs, intervalMs }: Backlog): number[] {
  let leavesMs = busyUntilMs
  return duesMs.map((dueMs, index) => {
    leavesMs = Math.max(dueMs, index === 0 ? leavesMs : leavesMs + intervalMs)
    return leavesMs
  })
}

/** Returns the record of a scheduled send with the estimate. */
export function withLeaving(record: Readonly<Record<string, unknown>>, leavesMs: number) {
  const leavesAt = new Date(Math.round(leavesMs)).toISOString()
  return { ...record, schedule: { ...(record.schedule as object), leaves_at: leavesAt } }
}
