/**
 * A circuit breaker for each provider, base URL and key, so that one that is away costs few calls and no turns of others. Unlike those of
 * webhooks (`runtime/delivery/circuit-breakers.ts`) it calls nobody: a turn comes back by its own back-off.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { backOffMs, withHalfJitter } from '../../../lib/back-off.js'
import { entriesMax } from '../../../lib/entries-max.js'
import type { ModelAddress, ModelError } from '../../../schemas/agents/models.js'

/** Failures in a row that open a breaker. */
const OPEN_AFTER = 5
const REST_MIN_MS = 2_000
const REST_MAX_MS = 30_000
/** A probe without an outcome for so long is given up: its caller may have been aborted. */
const PROBE_MAX_MS = 120_000
/** Forgetting one costs some calls. */
const KNOWN_MAX = 10_000

interface Breaker {
  failures: number
  openings: number
  /** Of `performance.now()`. 0: closed. */
  openUntilMs: number
  probeStartedMs: number | undefined
}

export class ModelBreakers {
  readonly #known = new LRUCache<string, Breaker>(entriesMax(KNOWN_MAX))
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Returns 0 if a call may be made, else the time in ms until the next probe. The caller of a probe must report its outcome. */
  admit(receiver: string): number {
    const breaker = this.#known.get(receiver)
    if (breaker === undefined || breaker.openUntilMs === 0) return 0
    const nowMs = this.#nowMs()
    if (breaker.openUntilMs > nowMs) return Math.ceil(breaker.openUntilMs - nowMs)
    if (breaker.probeStartedMs !== undefined && nowMs - breaker.probeStartedMs < PROBE_MAX_MS) return REST_MIN_MS
    breaker.probeStartedMs = nowMs
    return 0
  }

  /** The server answered, whatever it thought of the request. */
  succeeded(receiver: string): void {
    this.#known.delete(receiver)
  }

  failed(receiver: string, { retryAfterMs }: ModelError): void {
    const breaker = this.#known.get(receiver) ?? { failures: 0, openings: 0, openUntilMs: 0, probeStartedMs: undefined }
    this.#known.set(receiver, breaker)
    breaker.failures += 1
    breaker.probeStartedMs = undefined
    if (breaker.failures < OPEN_AFTER) return
    const restMs = withHalfJitter(backOffMs(breaker.openings, REST_MIN_MS, REST_MAX_MS))
    breaker.openings += 1
    breaker.openUntilMs = this.#nowMs() + Math.max(restMs, Math.min(retryAfterMs ?? 0, 10 * REST_MAX_MS))
  }

  /** Ends a probe of which nothing is known. */
  passed(receiver: string): void {
    const breaker = this.#known.get(receiver)
    if (breaker !== undefined) breaker.probeStartedMs = undefined
  }
}

/** Names the receiver of a call. The key is hashed, so that it stays in nobody's memory. */
export function formatReceiver({ provider, baseUrl, apiKey }: ModelAddress): string {
  return `${provider} ${baseUrl ?? ''} ${createHash('sha256').update(apiKey).digest('base64url')}`
}
