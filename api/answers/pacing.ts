import type { PacingReport } from '../../schemas/pacing.js'

/** Makes the fields of the pacing of an instance for callers. */
export function pacingFields(pacing: PacingReport | undefined) {
  // A node of a former release reports none.
  const { parked, budget, nextSendAtMs, holds } = pacing ?? NO_PACING
  const at = (timeMs: number): string => new Date(timeMs).toISOString()
  return {
    parked,
    budget,
    nextSendAt: nextSendAtMs === null ? null : at(nextSendAtMs),
    holds: holds.map(({ kind, untilMs }) => ({ kind, until: at(untilMs) })),
  }
}

const NO_PACING: PacingReport = {
  parked: 0,
  budget: { day: '', used: 0, left: null },
  nextSendAtMs: null,
  holds: [],
}
