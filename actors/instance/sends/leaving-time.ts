/** Tells when a scheduled send leaves. */
import { BEFORE_MAX, estimateLeavings, withLeaving } from '../../../schemas/leaving-today.js'
import type { ScheduledSend } from '../../../schemas/scheduled-send.js'
import type { SendsContext } from './context.js'

/** Returns the record of a send; while it is scheduled, with the estimate. */
export async function recordWithLeaving(
  { id, reader, pacer }: Pick<SendsContext, 'id' | 'reader' | 'pacer'>,
  { messageid, status, record }: ScheduledSend,
): Promise<ScheduledSend['record']> {
  if (status !== 'scheduled') return record
  const [nowMs, { nextSendAtMs }, queuedMs, intervalMs] = await Promise.all([
    pacer.nowMs(),
    pacer.report(),
    pacer.meanIntervalMs('queued'),
    pacer.meanIntervalMs('scheduled'),
  ])
  const [queued, duesMs] = await Promise.all([
    reader.queuedCount(id),
    reader.duesUpTo(id, messageid, BEFORE_MAX + 1, BEFORE_MAX * intervalMs),
  ])
  // Returns no estimate for a send that has left the schedule meanwhile.
  if (duesMs.length === 0) return record
  const busyUntilMs = Math.max(nowMs, nextSendAtMs ?? 0) + queued * queuedMs
  const leavesMs = estimateLeavings({ duesMs, busyUntilMs, intervalMs }).at(-1) ?? busyUntilMs
  return withLeaving(record, leavesMs)
}
