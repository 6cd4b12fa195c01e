/** The caller's end of a wire: calls side by side, each with its answer or its loss. */
import type { Socket } from 'node:net'
import type { Answered, LossReason, LostCall } from './answer.js'
import { ALIVE, ANSWER, encodeFrame, FrameReader, LEAVING, ORDERED_REQUEST, REQUEST, type WireFrame } from './frames.js'
import type { KeptConnection } from './greeting.js'
import { TickWriter } from './tick-writer.js'

// Bound: 1,024, the head of a frame.

export interface WireRequest {
  readonly path: string
  readonly credential: string
  readonly body: string
  readonly timeoutMs: number
  /** Maximum time without an answer or another sign of life. */
  readonly silenceMs: number
  /** Called at each sign of life. If it is given, the other side gives the first one as soon as the call has its place. */
  readonly onSignOfLife?: () => void
}

export interface Exchange {
  /** Never rejects. */
  readonly outcome: Promise<Answered | LostCall>
  /** Ends the wait, whatever becomes of the call there. */
  abort(): void
}

export interface WireOptions {
  /** Maximum size of an answer. */
  readonly answerMaxBytes: number
  /** Called when the wire takes no further calls: it has ended, or the other side is leaving, or is silent. */
  readonly onRetired: () => void
}

interface Pending {
  readonly settle: (outcome: Answered | LostCall) => void
  readonly giveUp: (why: LossReason) => void
  readonly signOfLife: () => void
}

const KEEP_ALIVE_MS = 10_000

export class Wire {
  readonly #socket: Socket
  readonly #writer: TickWriter
  readonly #options: WireOptions
  readonly #pending = new Map<number, Pending>()
  #lastCall = 0
  #isRetired = false
  #isSuspect = false

  constructor({ socket, first }: KeptConnection, options: WireOptions) {
    this.#socket = socket
    this.#writer = new TickWriter(socket)
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

  /** Sends one request. Frames leave in the order of these calls. */
  exchange({ path, credential, body, timeoutMs, silenceMs, onSignOfLife }: WireRequest): Exchange {
    if (!this.#socket.writable)
      return { outcome: Promise.resolve({ type: 'lost', why: 'unreachable', wasSent: false }), abort: () => {} }
    this.#lastCall = (this.#lastCall + 1) % 2 ** 32
    const call = this.#lastCall
    let giveUp: (why: LossReason) => void = () => {}
    const outcome = new Promise<Answered | LostCall>((resolve) => {
      const settle = (what: Answered | LostCall): void => {
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
              // The connection may be dead; the next call opens a new one.
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
    this.#writer.write(encodeFrame(kind, call, `${path} ${credential}`, body))
    return { outcome, abort: () => giveUp('aborted') }
  }

  /** Takes no further calls. Ends the wire with the last call that is under way. */
  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#options.onRetired()
    this.#endWhenIdle()
  }

  /** Ends the wire. Calls under way are lost. */
  destroy(): void {
    this.#socket.destroy()
    this.#ended()
  }

  #arrived({ kind, call, head, body }: WireFrame): void {
    if (kind === LEAVING) {
      this.retire()
      return
    }
    const pending = this.#pending.get(call)
    // The call was given up meanwhile.
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
