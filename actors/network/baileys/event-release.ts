import type { WASocket } from '@whiskeysockets/baileys'
import type { Logger } from 'pino'

/** The library releases the events of a fresh login when the offline queue has ended. Sometimes that end never comes (Baileys issue 2810). */
const BUFFER_STUCK_MS = 30_000
/** Time for which the library holds events after work of its own (`createBufferedFunction`). */
const EVENTS_HELD_MAX_MS = 100

/** Releases events that the library would hold too long. */
export class EventRelease {
  readonly #events: Pick<WASocket['ev'], 'flush'>
  readonly #logger: Logger
  #messageTimer: NodeJS.Timeout | undefined
  #loginTimer: NodeJS.Timeout | undefined
  #isQueueRead = false

  constructor(events: Pick<WASocket['ev'], 'flush'>, logger: Logger) {
    this.#events = events
    this.#logger = logger
  }

  /** Releases events soon after a live message. The library does so itself, except for messages that stand in line (`Inbound.announce`). */
  afterMessage(): void {
    if (this.#messageTimer !== undefined) return
    this.#messageTimer = setTimeout(() => {
      this.#messageTimer = undefined
      this.#events.flush()
    }, EVENTS_HELD_MAX_MS)
    this.#messageTimer.unref()
  }

  afterLogin(): void {
    this.#loginTimer = setTimeout(() => {
      // The offline queue may end before the library reports the connection as open.
      if (this.#isQueueRead) return
      this.#logger.warn('The WhatsApp library held back its events for too long; they are released.')
      this.#events.flush()
    }, BUFFER_STUCK_MS)
    this.#loginTimer.unref()
  }

  noteQueueRead(): void {
    this.#isQueueRead = true
  }

  stop(): void {
    clearTimeout(this.#loginTimer)
    clearTimeout(this.#messageTimer)
  }
}
