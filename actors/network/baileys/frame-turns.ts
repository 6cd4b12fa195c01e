import { setImmediate as nextStep } from 'node:timers/promises'

export interface FrameTurnsOptions {
  /** Returns undefined if a frame of the instance may be read now, else a promise that resolves when it may. It never rejects. */
  readonly turn: () => Promise<void> | undefined
  /** Let the network keep further frames, and send them again. */
  readonly pause: () => void
  readonly resume: () => void
}

/** Frames that are read in one step once frames have waited. */
const AT_ONCE = 8

/**
 * Lets received frames wait while their instance had more than its fair share of a busy event loop. All stay in their order, none is dropped while the
 * connection lasts, and the network keeps those that it has not sent. What is not read is not acknowledged, so that nothing is lost with the connection.
 */
export class FrameTurns {
  readonly #options: FrameTurnsOptions
  #waiting: (() => void)[] = []
  #isLate = false

  constructor(options: FrameTurnsOptions) {
    this.#options = options
  }

  /** Reads a frame now, or behind those that wait. */
  take(read: () => void): void {
    const turn = this.#isLate ? undefined : this.#options.turn()
    if (turn === undefined && !this.#isLate) {
      read()
      return
    }
    this.#waiting.push(read)
    if (turn !== undefined) void this.#readLater(turn)
  }

  /** Reads all that wait: the network has ended the connection, and they may say why. Returns false if none waited. */
  flush(): boolean {
    const waiting = this.#waiting.splice(0)
    for (const read of waiting) read()
    return waiting.length > 0
  }

  /** Forgets all that wait: the connection has ended on this side. */
  drop(): void {
    this.#waiting = []
  }

  async #readLater(first: Promise<void>): Promise<void> {
    this.#isLate = true
    this.#options.pause()
    let turn: Promise<void> | undefined = first
    while (this.#waiting.length > 0) {
      await (turn ?? nextStep())
      for (const read of this.#waiting.splice(0, AT_ONCE)) readOrThrow(read)
      turn = this.#waiting.length > 0 ? this.#options.turn() : undefined
    }
    this.#isLate = false
    this.#options.resume()
  }
}

/** Reads a frame. An error of a handler ends the process, as it does where frames do not wait. */
function readOrThrow(read: () => void): void {
  try {
    read()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
