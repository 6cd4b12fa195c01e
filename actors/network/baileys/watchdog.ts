/** Traffic of a connection, and the messages that it waits for. Times of `performance.now()`. */
export interface ConnectionTraffic {
  /** Time of the last frame of any kind; before the first one, of the opening. */
  readonly lastFrameAtMs: number
  /** Oldest sent message that the network has not acknowledged. */
  readonly unacknowledged: StuckMessage | null
  /** Oldest received message that was announced and is not decrypted. */
  readonly unhandled: StuckMessage | null
}

/** Oldest waiting message, and the time since which no message had an answer. */
export interface StuckMessage {
  readonly id: string
  readonly sinceMs: number
}

export interface WatchedConnection {
  traffic(): ConnectionTraffic
  /** Called when the connection is open but dead. */
  onDead(why: string): void
}

export interface WatchdogOptions {
  /** Maximum time without any frame. Keep-alives are sent more often. */
  readonly silenceMaxMs: number
  /** Maximum time until a sent message is acknowledged, and a received one is handled. */
  readonly answerMaxMs: number
  /** Returns false if a connection was ended because of this message before. Otherwise an account could log in again and again. */
  readonly isFirst: (messageId: string) => boolean
}

export interface Watchdog {
  /** Watches an open connection. Returns a function that ends it. */
  watch(connection: WatchedConnection): () => void
}

/**
 * Finds connections that are open but dead, by their traffic. The state of the socket does not show that a middlebox swallows frames, or that
 * the library's handling of messages is stuck (Evolution API issue 1674, Baileys issues 2331 and 2810). All connections of a node share one
 * timer, which runs only while there are connections.
 */
export function createWatchdog({ silenceMaxMs, answerMaxMs, isFirst }: WatchdogOptions): Watchdog {
  const connections = new Set<WatchedConnection>()
  const periodMs = Math.min(5_000, Math.max(50, Math.min(silenceMaxMs, answerMaxMs) / 6))
  let timer: NodeJS.Timeout | undefined
  let lookedAtMs = 0

  function look(): void {
    const nowMs = performance.now()
    const wasPaused = nowMs - lookedAtMs > 2 * periodMs + 1_000
    lookedAtMs = nowMs
    // After a pause of the process timers run first, before frames that arrived meanwhile are read.
    if (wasPaused) return
    for (const connection of [...connections]) {
      const why = verdict(connection.traffic(), nowMs)
      if (why !== null) connection.onDead(why)
    }
  }

  function verdict(traffic: ConnectionTraffic, nowMs: number): string | null {
    if (nowMs - traffic.lastFrameAtMs > silenceMaxMs) return 'nothing was heard from WhatsApp'
    const { unacknowledged, unhandled } = traffic
    if (isOver(unacknowledged, nowMs)) return 'WhatsApp acknowledges no messages'
    if (isOver(unhandled, nowMs)) return 'received messages are not handled'
    return null
  }

  function isOver(stuck: StuckMessage | null, nowMs: number): boolean {
    return stuck !== null && nowMs - stuck.sinceMs > answerMaxMs && isFirst(stuck.id)
  }

  return {
    watch(connection) {
      connections.add(connection)
      if (timer === undefined) {
        lookedAtMs = performance.now()
        timer = setInterval(look, periodMs)
        timer.unref()
      }
      return () => {
        connections.delete(connection)
        if (connections.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** Messages that wait for an answer, oldest first. */
export class PendingMessages {
  readonly #sinceMs = new Map<string, number>()
  #doneAtMs = 0

  get size(): number {
    return this.#sinceMs.size
  }

  get stuck(): StuckMessage | null {
    for (const [id, sinceMs] of this.#sinceMs) return { id, sinceMs: Math.max(sinceMs, this.#doneAtMs) }
    return null
  }

  add(id: string): void {
    // Limited, because unanswered messages must not pile up. Only the oldest one matters.
    if (this.#sinceMs.size < PENDING_MAX && !this.#sinceMs.has(id)) this.#sinceMs.set(id, performance.now())
  }

  done(id: string): void {
    if (this.#sinceMs.delete(id)) this.#doneAtMs = performance.now()
  }
}

const PENDING_MAX = 1_000
