import type { DisconnectCause } from '../network/port/events.js'
import type { InstanceMetric } from './ports.js'

/** State of the connection, and the last signs of life, as this node has seen them. Times are Unix milliseconds. */
export interface HealthReport {
  readonly cause: DisconnectCause | null
  readonly sinceMs: number
  /** Null: none since this node holds the instance. */
  readonly lastInboundAtMs: number | null
  readonly lastAckAtMs: number | null
  readonly lastDecryptErrorAtMs: number | null
}

/** Notes the signs of life of one instance, over all its connections on this node. */
export class InstanceHealth {
  #state = ''
  #cause: DisconnectCause | null = null
  #sinceMs = Date.now()
  #lastInboundAtMs: number | null = null
  #lastAckAtMs: number | null = null
  #lastDecryptErrorAtMs: number | null = null

  noteState(state: string, cause: DisconnectCause | null): void {
    this.#cause = cause
    if (state === this.#state) return
    this.#state = state
    this.#sinceMs = Date.now()
  }

  note(metric: InstanceMetric): void {
    if (metric.what === 'inbound') this.#lastInboundAtMs = Date.now()
    if (metric.what === 'ack' && metric.isTaken) this.#lastAckAtMs = Date.now()
    if (metric.what === 'undecryptable') this.#lastDecryptErrorAtMs = Date.now()
  }

  report(): HealthReport {
    return {
      cause: this.#cause,
      sinceMs: this.#sinceMs,
      lastInboundAtMs: this.#lastInboundAtMs,
      lastAckAtMs: this.#lastAckAtMs,
      lastDecryptErrorAtMs: this.#lastDecryptErrorAtMs,
    }
  }
}
