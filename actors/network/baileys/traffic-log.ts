import type { ConnectionHealth } from '../../../schemas/session.js'
import { PendingMessages } from './watchdog.js'

/** Times of the traffic of one connection, and the messages that the network has not acknowledged. */
export class TrafficLog {
  readonly unacknowledged = new PendingMessages()
  #lastFrameAtMs = performance.now()
  #lastMessageAtMs: number | null = null
  #lastAckAtMs: number | null = null

  /** Time of the last frame, on the clock of `performance.now()`. */
  get lastFrameAtMs(): number {
    return this.#lastFrameAtMs
  }

  noteFrame(): void {
    this.#lastFrameAtMs = performance.now()
  }

  noteMessage(): void {
    this.#lastMessageAtMs = Date.now()
  }

  noteAck(messageId: string): void {
    this.#lastAckAtMs = Date.now()
    this.unacknowledged.done(messageId)
  }

  /** `held`: number of frames that the output gate holds. */
  health(held: number): ConnectionHealth {
    return {
      lastReceivedAtMs: Math.round(performance.timeOrigin + this.#lastFrameAtMs),
      lastMessageAtMs: this.#lastMessageAtMs,
      lastAckAtMs: this.#lastAckAtMs,
      unacknowledged: this.unacknowledged.size,
      held,
    }
  }
}
