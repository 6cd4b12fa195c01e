import type { PacerState } from './state.js'

type Bucket = Pick<PacerState, 'tokens' | 'refilledAtMs' | 'pacedAtMs'>

/** Minimum of tokens. Direct sends take tokens without waiting, and must not hold back the others for longer than this. */
const TOKENS_MIN = -9
/** Number of intervals after which a paced send leaves without a token: direct sends may take all of them. */
const INTERVALS_MAX = 10

/** Adds the tokens of the time since the last count. One at most is kept, so that a rest is not followed by a burst. */
export function refill(bucket: Bucket, perMinute: number, nowMs: number): void {
  const passedMs = Math.max(0, nowMs - bucket.refilledAtMs)
  bucket.tokens = Math.min(1, bucket.tokens + (passedMs * perMinute) / 60_000)
  bucket.refilledAtMs = nowMs
}

/** Takes the token of a send. */
export function debit(bucket: Bucket, sends = 1): void {
  bucket.tokens = Math.max(TOKENS_MIN, bucket.tokens - sends)
}

/** Returns the time until the next paced send may leave. Call it after `refill`. */
export function computeWaitMs({ tokens, pacedAtMs }: Bucket, perMinute: number, nowMs: number): number {
  const intervalMs = 60_000 / perMinute
  const untilToken = (1 - tokens) * intervalMs
  const untilDue = pacedAtMs + INTERVALS_MAX * intervalMs - nowMs
  // Less than a hundredth of a token is an error of rounding.
  return untilToken < intervalMs / 100 ? 0 : Math.max(0, Math.min(untilToken, untilDue))
}
