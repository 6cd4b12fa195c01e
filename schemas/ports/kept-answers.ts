/** Answers of calls with an `Idempotency-Key`. */
import type { InstanceId } from '../ids.js'

/** A call under its key. */
export interface KeyedCall {
  /** Null for a call of the administrator. */
  readonly instance: InstanceId | null
  readonly idempotencyKey: string
  /** Hash of the operation and its request, so that one key is not used for two. */
  readonly requestHash: string
}

export interface KeptAnswer {
  readonly status: number
  readonly reply: unknown
}

/** The call that had the key first. */
export interface FirstCall {
  readonly requestHash: string
  /** Null while it is under way, and after one that nobody knows the end of. */
  readonly answer: KeptAnswer | null
}

export interface KeptAnswers {
  /**
   * Begins a call. Resolves with null if it has the key first within 24 hours, else with the one that had it.
   * @throws GatewayError RATE_LIMITED when the owner has too many
   */
  begin(call: KeyedCall): Promise<FirstCall | null>
  /** Keeps the answer of the call that has begun. */
  keep(call: KeyedCall, answer: KeptAnswer): Promise<void>
  /** Frees the key of a call that did nothing. */
  release(call: KeyedCall): Promise<void>
}
