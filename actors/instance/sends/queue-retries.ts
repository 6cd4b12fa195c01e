import { backOffMs, withHalfJitter } from '../../../lib/back-off.js'
import type { SendsContext } from './context.js'

const RETRY_MIN_MS = 1_000
/** The sweep of the node looks at least as often. */
const RETRY_MAX_MS = 30_000

/** Wakes the queue of an instance again after an error, later with each further one, while its connection is open. */
export class QueueRetries {
  readonly #context: Pick<SendsContext, 'session' | 'random' | 'wakeQueue'>
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(context: Pick<SendsContext, 'session' | 'random' | 'wakeQueue'>) {
    this.#context = context
  }

  /** Notes that queued or delayed sends wait because of an error. Without a connection, the next one sends them. */
  failed(): void {
    const { session, random, wakeQueue } = this.#context
    if (this.#isStopped || this.#timer !== undefined || !session.isConnected) return
    const waitMs = withHalfJitter(backOffMs(this.#failures, RETRY_MIN_MS, RETRY_MAX_MS), random())
    this.#failures += 1
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      wakeQueue()
    }, waitMs)
    this.#timer.unref()
  }

  /** Notes that a send has left. The next error is the first in a row. */
  left(): void {
    this.#failures = 0
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
