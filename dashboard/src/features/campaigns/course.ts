/** Adds up the course of a campaign for its curve, and continues it to its end. */
import type { CampaignCourseReply } from '../../../../schemas/generated.js'

export interface Curve {
  readonly times: readonly number[]
  readonly sent: readonly (number | null)[]
  readonly replied: readonly (number | null)[]
  readonly failed: readonly (number | null)[]
  /** From what was sent to all of them; null where nothing is foreseen. */
  readonly forecast: readonly (number | null)[]
}

/** @param total messages that were and will be sent */
export function makeCurve({ rows, stepMinutes, ends }: CampaignCourseReply, total: number, nowMs = Date.now()): Curve {
  const [first] = rows
  if (first === undefined) return { times: [], sent: [], replied: [], failed: [], forecast: [] }
  const stepMs = stepMinutes * 60_000
  const begin = Date.parse(first.at)
  // It begins at 0, before the first messages.
  const past = [begin, ...rows.map(({ at }) => Math.min(Date.parse(at) + stepMs, Math.max(nowMs, begin + 1)))]
  const added = (name: 'sent' | 'replied' | 'failed') => {
    let sum = 0
    return [
      0,
      ...rows.map((row) => {
        sum += row[name]
        return sum
      }),
    ]
  }
  const sent = added('sent')
  const endMs = ends === null ? null : Date.parse(ends)
  const last = past.at(-1) ?? begin
  if (endMs === null || endMs <= last)
    return { times: past, sent, replied: added('replied'), failed: added('failed'), forecast: past.map(() => null) }
  return {
    times: [...past, endMs],
    sent: [...sent, null],
    replied: [...added('replied'), null],
    failed: [...added('failed'), null],
    forecast: [...past.slice(1).map(() => null), sent.at(-1) ?? 0, Math.max(total, sent.at(-1) ?? 0)],
  }
}
