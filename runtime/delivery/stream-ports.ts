import type { EventKind } from '../../schemas/generated.js'
import type { InstanceId } from '../../schemas/ids.js'

/** An event of a stream. */
export interface StreamEvent {
  /** The sequence (one instance) or the position (all). */
  readonly cursor: number
  readonly kind: EventKind
  /** For `excludeMessages`; null when it is no message. */
  readonly flags: number | null
  /** Makes the envelope as webhooks get it. */
  body(): Record<string, unknown>
}

export interface StreamStore {
  /** Events after the cursor, in order. `instance: null`: all, by position. */
  read(instance: InstanceId | null, after: number, limit: number): Promise<readonly StreamEvent[]>
  /** The cursor of the newest event; 0 when there is none. */
  last(instance: InstanceId | null): Promise<number>
  /** Returns what a reader at this cursor must hear before it continues; null if the store has all that it has read. */
  lossAt(instance: InstanceId | null, cursor: number): Promise<StreamLoss | null>
  /** Returns the transactions that write events now, by names that are never used again. Their events may appear before those that are there already. */
  writers(): Promise<readonly string[]>
  isExcluded(kind: EventKind, flags: number | null, filters: readonly string[]): boolean
}

/** The store does not have all events that a reader has read. */
export interface StreamLoss {
  /** Where the reader continues. */
  readonly cursor: number
  /** Grows when the store goes back in time. */
  readonly era: number
  /** Span of the commits that are missing, as far as it is known. */
  readonly lostFrom: Date | null
  readonly lostUntil: Date | null
}
