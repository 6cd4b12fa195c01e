/** The caller's end of a wire: calls that go out side by side, and how each failed when it did. */
import type { Socket } from 'node:net'
import type { Answered, Lost, LostWhy } from './answer.js'
import { ALIVE, ANSWER, encodeFrame, type Frame, FrameReader, LEAVING, ORDERED_REQUEST, REQUEST } from './frames.js'
import type { KeptConnection } from './greeting.js'

export interface WireRequest {
  readonly path: string
  readonly credential: string
  readonly body: string
  readonly timeoutMs: number
  /** Without an answer or another sign of life for so long it is given up. */
  readonly silenceMs: number
  /** The other side is at work; it says so at once when this is asked for. */
  readonly onSignOfLife?: () => void
}

export interface Exchange {
  /** Never rejects. */
  readonly outcome: Promise<Answered | Lost>
  /** Waits no longer, whatever becomes of the call there. */
  abort(): void
}

export interface WireOptions {
  /** Of an answer. */
  readonly answerMaxBytes: number
  /** No further call may be made over it: it has ended, or the other side is leaving, or is not heard. */
  readonly onRetired: () => void
}

interface Pending {
  readonly settle: (outcome: Answered | Lost) => void
  readonly giveUp: (why: LostWhy) => void
  readonly signOfLife: () => void
}

const KEEP_ALIVE_MS = 10_000

export class Wire {
  readonly #socket: Socket
  readonly #options: WireOptions
  readonly #pending = new Map<number, Pending>()
  #lastCall = 0
  #isRetired = false
  #isSuspect = false

  constructor({ socket, first }: KeptConnection, options: WireOptions) {
    this.#socket = socket
    this.#options = options
    const reader = new FrameReader(options.answerMaxBytes)
    const read = (chunk: Buffer): void => {
      try {
        for (const frame of reader.push(chunk)) this.#arrived(frame)
      } catch {
        socket.destroy()
      }
    }
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
    if (first.length > 0) socket.unshift(first)
    socket.on('data', read)
    socket.on('error', () => {})
    socket.once('close', () => this.#ended())
  }

  /** One call. Frames leave in the order of these. */
  exchange({ path, credential, body, timeoutMs, silenceMs, onSignOfLife }: WireRequest): Exchange {
    if (!this.#socket.writable)
      return { outcome: Promise.resolve({ type: 'lost', why: 'unreachable', wasSent: false }), abort: () => {} }
    this.#lastCall = (this.#lastCall + 1) % 2 ** 32
    const call = this.#lastCall
    let giveUp: (why: LostWhy) => void = () => {}
    const outcome = new Promise<Answered | Lost>((resolve) => {
      const settle = (what: Answered | Lost): void => {
        clearTimeout(late)
        clearTimeout(silent)
        if (this.#pending.delete(call) && this.#isRetired) this.#endWhenIdle()
        resolve(what)
      }
      giveUp = (why) => settle({ type: 'lost', why, wasSent: true })
      const late = setTimeout(() => giveUp('late'), timeoutMs)
      const silent =
        silenceMs < timeoutMs
          ? setTimeout(() => {
              // The connection may be a dead one; the next call finds out by a new one.
              this.#isSuspect = true
              this.retire()
              giveUp('silent')
            }, silenceMs)
          : undefined
      const signOfLife = (): void => {
        silent?.refresh()
        onSignOfLife?.()
      }
      this.#pending.set(call, { settle, giveUp, signOfLife })
    })
    const kind = onSignOfLife === undefined ? REQUEST : ORDERED_REQUEST
    this.#socket.write(encodeFrame(kind, call, `${path} ${credential}`, body))
    return { outcome, abort: () => giveUp('aborted') }
  }

  /** Ends with the last call that is under way. */
  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#options.onRetired()
    this.#endWhenIdle()
  }

  /** What is under way is lost. */
  destroy(): void {
    this.#socket.destroy()
    this.#ended()
  }

  #arrived({ kind, call, head, body }: Frame): void {
    if (kind === LEAVING) {
      this.retire()
      return
    }
    const pending = this.#pending.get(call)
    // Given up since.
    if (pending === undefined) return
    if (kind === ALIVE) pending.signOfLife()
    else if (kind === ANSWER) {
      const [status = '', signature = ''] = head.split(' ')
      pending.settle({ type: 'answered', status: Number(status), signature, body })
    }
  }

  #endWhenIdle(): void {
    if (this.#pending.size > 0) return
    if (this.#isSuspect) this.#socket.destroy()
    else this.#socket.destroySoon()
  }

  #ended(): void {
    for (const { giveUp } of [...this.#pending.values()]) giveUp('reset')
    this.retire()
  }
}
