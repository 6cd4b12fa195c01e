/** When a delivery that failed is tried again, and when it is given up. */
import { backOffMs } from '../../lib/back-off.js'
import { answeredWith } from '../../schemas/delivery-failure.js'
import type { PostOutcome } from '../outgoing/client.js'

// Bound: 16,384, a header or a secret.

export interface RetryPolicy {
  /** Attempts when the receiver is away or answers 5xx: with the delays below, about an hour. */
  readonly attemptsMax: number
  /** Attempts when it answers 4xx: it has understood and refuses, so asking again helps less. */
  readonly refusedAttemptsMax: number
  readonly delayMinMs: number
  readonly delayMaxMs: number
}

export const defaultRetryPolicy: RetryPolicy = {
  attemptsMax: 20,
  refusedAttemptsMax: 8,
  delayMinMs: 1000,
  delayMaxMs: 600_000,
}

export type Verdict =
  | { readonly type: 'delivered' }
  | {
      readonly type: 'retry'
      readonly delayMs: number
      readonly statusCode: number
      readonly error: string
      /** The receiver is in trouble, not this one delivery; when it recovers, there is nothing to wait for. */
      readonly isReceiverAway: boolean
    }
  | { readonly type: 'dead'; readonly statusCode: number; readonly error: string }
  /** The receiver said that it is gone for good: the webhook is to be disabled, its deliveries kept. */
  | { readonly type: 'gone'; readonly statusCode: 410; readonly error: string }

/** An hour: a receiver cannot put a delivery off for longer by `Retry-After`. */
const RETRY_AFTER_MAX_MS = 3_600_000
const RETRY_AFTER_JITTER_MS = 1000

/** The longest delay that `judge` gives. A delivery that waits for longer was put off by a clock that is wrong. */
export function delayCeilingMs({ delayMinMs, delayMaxMs }: RetryPolicy): number {
  return Math.max(RETRY_AFTER_MAX_MS + RETRY_AFTER_JITTER_MS, delayMinMs / 4 + delayMaxMs)
}

/**
 * @param attempts those made, this one included
 * @param random 0 to 1; a test gives its own
 */
export function judgeOutcome(
  outcome: PostOutcome,
  attempts: number,
  policy: RetryPolicy,
  random = Math.random(),
): Verdict {
  if (!outcome.answered) {
    return again({ statusCode: 0, error: outcome.error }, attempts, policy.attemptsMax, policy, random)
  }
  const { statusCode } = outcome
  if (statusCode >= 200 && statusCode < 300) return { type: 'delivered' }
  const error = outcome.redirectError ?? answeredWith(statusCode)
  if (statusCode === 410) return { type: 'gone', statusCode, error }
  if (statusCode === 429 || statusCode === 503) {
    const askedMs = retryAfterMs(readHeader(outcome.headers['retry-after']), readHeader(outcome.headers.date))
    const verdict = again({ statusCode, error }, attempts, policy.attemptsMax, policy, random)
    if (verdict.type !== 'retry' || askedMs === undefined) return verdict
    // Not before the time asked for, and not everyone at that very moment.
    return { ...verdict, delayMs: askedMs + Math.round(random * RETRY_AFTER_JITTER_MS), isReceiverAway: false }
  }
  const isRefused = statusCode >= 400 && statusCode < 500 && statusCode !== 408
  const attemptsMax = isRefused ? Math.min(policy.refusedAttemptsMax, policy.attemptsMax) : policy.attemptsMax
  return again({ statusCode, error }, attempts, attemptsMax, policy, random)
}

function again(
  failure: { statusCode: number; error: string },
  attempts: number,
  attemptsMax: number,
  { delayMinMs, delayMaxMs }: RetryPolicy,
  random: number,
): Verdict {
  if (attempts >= attemptsMax) return { type: 'dead', ...failure }
  // Full jitter: many lanes that failed together must not come back together.
  const delayMs = Math.round(delayMinMs / 4 + random * backOffMs(attempts, delayMinMs, delayMaxMs))
  return { type: 'retry', delayMs, isReceiverAway: failure.statusCode === 0 || failure.statusCode >= 500, ...failure }
}

/** Reads `Retry-After`: seconds, or a date (RFC 9110 10.2.3), which counts from the receiver's own `Date` where it has one. Bounded. */
function retryAfterMs(text: string, date: string): number | undefined {
  if (text === '') return undefined
  const sentMs = Date.parse(date)
  const nowMs = Number.isNaN(sentMs) ? Date.now() : sentMs
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isNaN(waitMs) ? undefined : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, waitMs))
}

function readHeader(header: string | string[] | undefined): string {
  return ((Array.isArray(header) ? header[0] : header) ?? '').trim()
}
