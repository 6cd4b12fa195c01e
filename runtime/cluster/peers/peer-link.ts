import type { Abortion } from './abortion.js'
import { type Answered, garbled, type LostCall, notSent } from './answer.js'
import type { Greeter, PeerSession } from './greeter.js'
import type { Link, LinkOptions, PeerRequest } from './local-link.js'
import { USED } from './protocol.js'
import { isAnswerSound, signRequest } from './signature.js'
import { type Exchange, Wire } from './wire.js'

/** All that a request needs. */
interface Channel {
  readonly session: PeerSession
  readonly wire: Wire
}

/** Maximum of sessions opened for one request. A node that forgets a session gets a new one; a node that knows none of them is broken. */
const SESSIONS_TRIED_MAX = 3

/** The session and the wire to one address, opened when they are needed and kept. */
export class PeerLink implements Link {
  inFlight = 0
  readonly #address: string
  readonly #greeter: Greeter
  readonly #options: LinkOptions
  #session: PeerSession | undefined
  #wire: Wire | undefined
  #opening: Promise<Channel | LostCall> | undefined
  #isGone = false

  constructor(address: string, greeter: Greeter, options: LinkOptions) {
    this.#address = address
    this.#greeter = greeter
    this.#options = options
  }

  async request(request: PeerRequest, abortion: Abortion): Promise<Answered | LostCall> {
    // A longer one would end the wire, and every other call on it.
    if (Buffer.byteLength(request.body) > this.#options.bodyMaxBytes) return notSent('garbled')
    for (let tried = 1; ; tried += 1) {
      const channel = this.#openChannel() ?? (await Promise.race([this.#open(), abortion.happened()]))
      if ('type' in channel) return channel
      const { session } = channel
      const { credential, exchange } = this.#send(channel, request)
      abortion.follow(exchange)
      const answer = await exchange.outcome
      if (answer.type === 'lost') return answer
      const isOfStranger = answer.status === 401
      if (!isAnswerSound(isOfStranger ? this.#greeter.key : session.key, credential, answer)) return garbled()
      // A used number: someone repeated our request, or it came too late to be known. Either way the answer is lost.
      if (answer.status === USED) return garbled()
      if (!isOfStranger) return answer
      // The process does not know the session, so it has done nothing.
      if (this.#session === session) this.#session = undefined
      if (tried >= SESSIONS_TRIED_MAX) return notSent('unreachable')
    }
  }

  retire(): void {
    this.#isGone = true
    this.#wire?.retire()
  }

  destroy(): void {
    this.#isGone = true
    this.#wire?.destroy()
  }

  #send({ session, wire }: Channel, request: PeerRequest): { credential: string; exchange: Exchange } {
    session.lastNumber += 1
    const credential = signRequest(session.key, {
      method: 'POST',
      path: request.path,
      session: session.id,
      number: String(session.lastNumber),
      body: request.body,
    })
    return { credential, exchange: wire.exchange({ silenceMs: this.#options.silenceMs, ...request, credential }) }
  }

  #openChannel(): Channel | null {
    const [session, wire] = [this.#session, this.#wire]
    return session === undefined || wire === undefined ? null : { session, wire }
  }

  #open(): Promise<Channel | LostCall> {
    this.#opening ??= this.#openParts().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Opens the parts that are missing. If that fails, surely no command has left. */
  async #openParts(): Promise<Channel | LostCall> {
    const session = this.#session ?? (await this.#openSession())
    if ('type' in session) return session
    const wire = this.#wire ?? (await this.#openWire())
    return 'type' in wire ? wire : { session, wire }
  }

  async #openSession(): Promise<PeerSession | LostCall> {
    const session = await this.#greeter.openSession(this.#address)
    if (!('type' in session)) this.#session = session
    return session
  }

  async #openWire(): Promise<Wire | LostCall> {
    const { connectTimeoutMs, answerMaxBytes } = this.#options
    const connection = await this.#greeter.openWire(this.#address, connectTimeoutMs)
    if (connection.type === 'lost') return connection
    const wire: Wire = new Wire(connection, {
      answerMaxBytes,
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
