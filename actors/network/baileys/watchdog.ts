/** What a connection has heard and still waits for; times of `performance.now()`. */
export interface ConnectionTraffic {
  /** The last frame of any kind; at first the time of the opening. */
  readonly lastFrameAtMs: number
  /** The oldest message of ours that the network has not acknowledged. */
  readonly unacknowledged: Stuck | null
  /** The oldest received message that was announced and is not decrypted. */
  readonly unhandled: Stuck | null
}

/** The oldest of those that wait, and since when none of them had an answer. */
export interface Stuck {
  readonly id: string
  readonly sinceMs: number
}

export interface Watched {
  traffic(): ConnectionTraffic
  /** It is open but dead. */
  onDead(why: string): void
}

export interface WatchdogOptions {
  /** Nothing at all was heard for so long, though keep-alives were sent. */
  readonly silenceMaxMs: number
  /** A message of ours was not acknowledged, or one of others not handled, for so long. */
  readonly answerMaxMs: number
  /** False when a connection was ended for this message before: once must do, or an account would log in for ever. */
  readonly isFirst: (messageId: string) => boolean
}

export interface Watchdog {
  /** Looks after an open connection until the returned function is called. */
  watch(connection: Watched): () => void
}

/**
 * Finds connections that are open but dead, by their traffic: the socket's own state tells nothing when a middlebox swallows what
 * is sent, or when the library's handling of messages is stuck (Evolution API issue 1674, Baileys issues 2331 and 2810). One timer
 * for all connections of a node; none while there is no connection.
 */
export function createWatchdog({ silenceMaxMs, answerMaxMs, isFirst }: WatchdogOptions): Watchdog {
  const connections = new Set<Watched>()
  const periodMs = Math.min(5_000, Math.max(50, Math.min(silenceMaxMs, answerMaxMs) / 6))
  let timer: NodeJS.Timeout | undefined
  let lookedAtMs = 0

  function look(): void {
    const nowMs = performance.now()
    const wasPaused = nowMs - lookedAtMs > 2 * periodMs + 1_000
    lookedAtMs = nowMs
    // After a pause of the process what has arrived meanwhile is read only after the timers.
    if (wasPaused) return
    for (const connection of [...connections]) {
      const why = verdict(connection.traffic(), nowMs)
      if (why !== null) connection.onDead(why)
    }
  }

  function verdict(traffic: ConnectionTraffic, nowMs: number): string | null {
    if (nowMs - traffic.lastFrameAtMs > silenceMaxMs) return 'nothing was heard from the network'
    const { unacknowledged, unhandled } = traffic
    if (isOver(unacknowledged, nowMs)) return 'the network acknowledges no messages'
    if (isOver(unhandled, nowMs)) return 'received messages are not handled'
    return null
  }

  function isOver(stuck: Stuck | null, nowMs: number): boolean {
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

/** Messages that wait for something, oldest first. */
export class PendingMessages {
  readonly #sinceMs = new Map<string, number>()
  #doneAtMs = 0

  get size(): number {
    return this.#sinceMs.size
  }

  get stuck(): Stuck | null {
    for (const [id, sinceMs] of this.#sinceMs) return { id, sinceMs: Math.max(sinceMs, this.#doneAtMs) }
    return null
  }

  add(id: string): void {
    // Bounded: what is never answered must not grow for ever, and the oldest is what counts.
    if (this.#sinceMs.size < PENDING_MAX && !this.#sinceMs.has(id)) this.#sinceMs.set(id, performance.now())
  }

  done(id: string): void {
    if (this.#sinceMs.delete(id)) this.#doneAtMs = performance.now()
  }
}

const PENDING_MAX = 1_000
