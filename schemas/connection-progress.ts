/** How far a connection has come, as the status and the event `connection` show it. */
import type { ConnectionProgress } from './session.js'

export interface ProgressRecord {
  readonly state: string
  readonly cause: string | null
  readonly attempt: number
  readonly nextAttemptAt: string | null
  readonly qrEndsAt: string | null
  readonly pairingEndsAt: string | null
}

/** Returns the record of a progress. Undefined: the owner is a node of an older release, which does not tell it. */
export function progressRecord(state: string, progress: ConnectionProgress | undefined): ProgressRecord {
  return {
    state,
    cause: progress?.cause ?? null,
    attempt: progress?.attempt ?? 0,
    nextAttemptAt: timeOf(progress?.nextAttemptAtMs),
    qrEndsAt: timeOf(progress?.qrEndsAtMs),
    pairingEndsAt: timeOf(progress?.pairingEndsAtMs),
  }
}

function timeOf(timeMs: number | null | undefined): string | null {
  return timeMs === null || timeMs === undefined ? null : new Date(timeMs).toISOString()
}
