import { connect } from 'node:net'
import type { Abortion } from './abortion.js'
import { type Answered, type LostCall, notSent } from './answer.js'
import type { KeptConnection } from './greeting.js'
import { Wire } from './wire.js'

/**
 * The wire to another process of this machine, over a unix socket. Only the user of the gateway can enter its folder, so nothing is signed.
 * While nobody listens there, requests take the way of other machines.
 */
export class LocalLink implements Link {
  inFlight = 0
  readonly #path: string
  readonly #remote: Link
  readonly #options: LinkOptions
  #wire: Wire | undefined
  #opening: Promise<Wire | LostCall> | undefined
  #isGone = false

  constructor(path: string, remote: Link, options: LinkOptions) {
    this.#path = path
    this.#remote = remote
    this.#options = options
  }

  async request(request: PeerRequest, abortion: Abortion): Promise<Answered | LostCall> {
    const { bodyMaxBytes, silenceMs } = this.#options
    // A longer one would end the wire, and every other call on it.
    if (Buffer.byteLength(request.body) > bodyMaxBytes) return notSent('garbled')
    const wire = this.#wire ?? (await Promise.race([this.#open(), abortion.happened()]))
    if ('type' in wire) return wire.why === 'aborted' ? wire : await this.#remote.request(request, abortion)
    const exchange = wire.exchange({ silenceMs, ...request, credential: '' })
    abortion.follow(exchange)
    return await exchange.outcome
  }

  retire(): void {
    this.#isGone = true
    this.#wire?.retire()
    this.#remote.retire()
  }

  destroy(): void {
    this.#isGone = true
    this.#wire?.destroy()
    this.#remote.destroy()
  }

  #open(): Promise<Wire | LostCall> {
    this.#opening ??= this.#openWire().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #openWire(): Promise<Wire | LostCall> {
    const connection = await connectTo(this.#path, this.#options.connectTimeoutMs)
    if (connection.type === 'lost') return connection
    const wire: Wire = new Wire(connection, {
      answerMaxBytes: this.#options.answerMaxBytes,
      onRetired: () => {
        if (this.#wire === wire) this.#wire = undefined
      },
    })
    if (this.#isGone) {
      wire.retire()
      return notSent('unreachable')
    }
    this.#wire = wire
    return wire
  }
}

/** Connects to a unix socket. Never rejects. */
function connectTo(path: string, timeoutMs: number): Promise<KeptConnection | LostCall> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    const end = (outcome: KeptConnection | LostCall): void => {
      clearTimeout(timer)
      if (outcome.type === 'lost') socket.destroy()
      resolve(outcome)
    }
    const timer = setTimeout(() => end(notSent('unreachable')), timeoutMs)
    socket.on('error', () => end(notSent('unreachable')))
    socket.once('connect', () => end({ type: 'kept', socket, first: Buffer.alloc(0) }))
  })
}

// Types only.

export interface LinkOptions {
  readonly connectTimeoutMs: number
  readonly silenceMs: number
  readonly bodyMaxBytes: number
  readonly answerMaxBytes: number
}

export interface PeerRequest {
  readonly path: string
  readonly body: string
  readonly timeoutMs: number
  readonly silenceMs?: number
  readonly onSignOfLife?: () => void
}

/** The way to one process, opened when it is needed and kept. */
export interface Link {
  /** Number of calls under way. */
  inFlight: number
  /** Sends one request. Never rejects. Requests over an open wire leave in the order of these calls. */
  request(request: PeerRequest, abortion: Abortion): Promise<Answered | LostCall>
  /** Ends the wire with the last call that is under way. */
  retire(): void
  /** Ends the wire. Calls under way are lost. */
  destroy(): void
}
