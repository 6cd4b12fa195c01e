import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { entriesMax } from '../../../lib/entries-max.js'
import { ALIVE, ANSWER, encodeFrame, FrameReader, LEAVING, ORDERED_REQUEST, REQUEST, type WireFrame } from './frames.js'
import { type EncodedAnswer, USED } from './protocol.js'
import type { ServedCalls } from './served-calls.js'
import {
  answerSignature,
  isRequestSound,
  type PeerKey,
  readCredential,
  type Signed,
  secretKey,
  sessionKey,
  UsedNumbers,
} from './signature.js'
import { TickWriter } from './tick-writer.js'

/** What a wire needs to know its caller by. */
export interface WireProof {
  readonly sessions: ServedSessions
  readonly isSound: RequestCheck
}

export interface ServedWireOptions {
  readonly calls: ServedCalls
  /** Null for a wire of a process of this machine, which is known by the folder of its socket. */
  readonly proof: WireProof | null
  /** Maximum size of a request. */
  readonly bodyMaxBytes: number
  readonly onClosed: (wire: ServedWire) => void
}

type HeadOf = (answer: EncodedAnswer) => string
type SignedRequest = Pick<WireFrame, 'call' | 'body'> & { readonly path: string; readonly credential: string }

/** Time for a caller to close its wire after this node said that it leaves. Afterwards no request can be on its way. */
const LEAVING_MS = 1_000
const KEEP_ALIVE_MS = 10_000

/** This node's end of a wire that another node opened. */
export class ServedWire {
  readonly #socket: Socket
  readonly #writer: TickWriter
  readonly #options: ServedWireOptions
  #underWay = 0
  #leaving: NodeJS.Timeout | undefined

  /** `first`: bytes that arrived together with the request for a wire. */
  constructor(socket: Socket, first: Buffer, options: ServedWireOptions) {
    this.#socket = socket
    this.#writer = new TickWriter(socket)
    this.#options = options
    const reader = new FrameReader(options.bodyMaxBytes)
    if (first.length > 0) socket.unshift(first)
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS).setTimeout(0)
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) void this.#take(frame)
      } catch {
        this.cut()
      }
    })
    // Sockets of an HTTP server stay half open.
    socket.once('end', () => socket.end())
    socket.once('close', () => {
      clearTimeout(this.#leaving)
      this.#leaving = undefined
      options.onClosed(this)
    })
  }

  /** Tells the caller to make no more calls here. Ends the wire when those under way are answered and no others can arrive. */
  leave(): void {
    this.#send(encodeFrame(LEAVING, 0))
    this.#leaving = setTimeout(() => this.#underWay === 0 && this.cut(), LEAVING_MS)
  }

  cut(): void {
    this.#socket.destroy()
  }

  /** Begins the work that a frame requests before the next frame is read. */
  async #take({ kind, call, head, body }: WireFrame): Promise<void> {
    const { calls, proof } = this.#options
    // Bound: 1,024, the head of a frame.
    const [path = '', credential = ''] = head.split(' ')
    if (kind !== REQUEST && kind !== ORDERED_REQUEST) {
      this.cut()
      return
    }
    const formatHead = proof === null ? formatStatus : this.#checked(proof, { call, path, credential, body })
    if (formatHead === null) return
    this.#underWay += 1
    const alive = (): void => this.#send(encodeFrame(ALIVE, call))
    const answer = await calls.answer(path, body, { alive, isOrdered: kind === ORDERED_REQUEST })
    this.#send(encodeFrame(ANSWER, call, formatHead(answer), answer.body))
    this.#underWay -= 1
    if (this.#underWay === 0) this.#leaving?.refresh()
  }

  /** Returns what signs the answer of a request that may be carried out. Otherwise refuses it, and returns null. */
  #checked({ sessions, isSound }: WireProof, { call, path, credential, body }: SignedRequest): HeadOf | null {
    const signed = readCredential(credential)
    if (signed === null) {
      this.cut()
      return null
    }
    const session = sessions.get(signed.session)
    const signedBy =
      (key: PeerKey): HeadOf =>
      ({ status, body: answered }) =>
        `${status} ${answerSignature(key, credential, status, answered)}`
    const refuse = (key: PeerKey, answer: EncodedAnswer): null => {
      this.#send(encodeFrame(ANSWER, call, signedBy(key)(answer), answer.body))
      return null
    }
    // Signed with the secret's key, for this session's name: only a process that does not know the session says so.
    if (session === undefined) return refuse(sessions.ownKey, { status: 401, body: '{"unknown":"session"}' })
    if (!isSound(session.key, signed, { method: 'POST', path, body }, this.#socket)) {
      this.cut()
      return null
    }
    if (!session.used.use(Number(signed.number)))
      return refuse(session.key, { status: USED, body: '{"used":"number"}' })
    return signedBy(session.key)
  }

  #send(frame: Buffer): void {
    if (this.#socket.writable) this.#writer.write(frame)
  }
}

function formatStatus({ status }: EncodedAnswer): string {
  return String(status)
}

/** Tells whether a request is signed with the key. `from` is the name that the caller gives itself. */
export type RequestCheck = (
  key: PeerKey,
  signed: Signed,
  request: { readonly method: string; readonly path: string; readonly body: Buffer },
  socket: Socket,
  from?: string,
) => boolean

/** Returns a check that logs each request which does not pass. */
export function createRequestCheck(log: Logger): RequestCheck {
  return (key, signed, request, { remoteAddress: address }, from) => {
    if (isRequestSound(key, signed, request)) return true
    log.warn({ path: request.path, address, from }, 'A request to the peer port has a wrong signature.')
    return false
  }
}

/** The session of one process that calls this one. */
interface ServedSession {
  readonly key: PeerKey
  readonly used: UsedNumbers
}

/** Maximum number of sessions, one for each calling process. A caller opens a forgotten session again. */
const SESSIONS_MAX = 1_000

/** The sessions that other processes have opened here. */
export class ServedSessions {
  /** Key of the secret itself, for greetings and for answers to callers without a session. */
  readonly ownKey: PeerKey
  readonly #sessions = new LRUCache<string, ServedSession>(entriesMax(SESSIONS_MAX))

  constructor(secret: string) {
    this.ownKey = secretKey(secret)
  }

  open(callerNonce: string): { session: string; nonce: string } {
    const session = randomBytes(12).toString('base64url')
    const nonce = randomBytes(24).toString('base64url')
    this.#sessions.set(session, { key: sessionKey(this.ownKey, callerNonce, nonce), used: new UsedNumbers() })
    return { session, nonce }
  }

  get(session: string): ServedSession | undefined {
    return this.#sessions.get(session)
  }
}
