/** Calls to other nodes. All that are made of one process go side by side over one kept connection; each process called has a session. */
import { randomBytes } from 'node:crypto'
import { type Answered, askForWire, greet, type Lost } from './greeting.js'
import {
  type NodeState,
  type PeerCommand,
  type PeerReply,
  type PullAnswer,
  type PullRequest,
  readReply,
  USED,
} from './protocol.js'
import {
  authorization,
  type Credential,
  isAnswerSound,
  type PeerKey,
  secretKey,
  sessionKey,
  signRequest,
} from './signature.js'
import { type Exchange, Wire } from './wire.js'

export interface PeerClientOptions {
  /** CLUSTER_SECRET. */
  readonly secret: string
  /** NODE_ID, which others see in their logs. */
  readonly nodeId?: string
  /** Calls to one node at once; those over it are refused with `busy`, here. Default 2000. */
  readonly inFlightMax?: number
  /** Default 2000. */
  readonly connectTimeoutMs?: number
  /** A node that gives no sign of life for so long has lost the call; it gives one every 2 s. Default 8000. */
  readonly silenceMs?: number
  /** Of a command; as long as servers take. Default 8 MiB. */
  readonly bodyMaxBytes?: number
  /** Of an answer. Default 16 MiB. */
  readonly answerMaxBytes?: number
  /** After each attempt, for metrics. */
  readonly observe?: (attempt: PeerAttemptFigures) => void
}

export interface PeerAttemptFigures {
  readonly outcome: PeerReply['type'] | Lost['why'] | 'busy'
  readonly durationMs: number
}

export interface PeerCallOptions {
  /** The node is to say so when the command has its place there: the next one may follow. */
  readonly isOrdered: boolean
  readonly onPlaced: () => void
}

export type PeerOutcome = PeerReply | Lost | { readonly type: 'busy' }

export interface PeerCall {
  /** Never rejects. */
  readonly outcome: Promise<PeerOutcome>
  /** Waits no longer: the outcome is `lost`, whatever becomes of the command there. */
  abort(): void
}

export interface PeerClient {
  /** One attempt; the caller knows what may be attempted again. */
  call(address: string, command: PeerCommand, options: PeerCallOptions): PeerCall
  /** Over a connection of its own, so that `refused` is the truth of this moment. */
  probe(address: string, timeoutMs: number): Promise<{ type: 'answered'; state: NodeState } | Lost>
  /** Null when there was no answer within the time: it may have been granted. */
  pull(address: string, request: PullRequest, timeoutMs: number): Promise<PullAnswer | null>
  /** Closes what is kept for all other addresses, once their calls have ended. */
  retain(addresses: Iterable<string>): void
  /** For metrics and tests. */
  counts(): { readonly peers: number; readonly inFlight: number }
  /** Ends all connections; what is under way is lost. */
  close(): Promise<void>
}

interface Session {
  readonly id: string
  readonly key: PeerKey
  lastNumber: number
}

interface Peer {
  readonly address: string
  session: Session | undefined
  wire: Wire | undefined
  opening: Promise<Way | Lost> | undefined
  inFlight: number
  isGone: boolean
}

/** All that a call needs. */
interface Way {
  readonly session: Session
  readonly wire: Wire
}

/** A session that is not known any more is opened anew; a node that knows none of them is broken. */
const SESSIONS_TRIED_MAX = 3
const GREETING_TIMEOUT_MS = 2_000
/** Of a command; the API takes less. */
const BODY_MAX_BYTES = 8 * 2 ** 20

export function createPeerClient(options: PeerClientOptions): PeerClient {
  const { inFlightMax = 2_000, connectTimeoutMs = 2_000, silenceMs = 8_000, answerMaxBytes = 16 * 2 ** 20 } = options
  const { nodeId: from = '-' } = options
  const ownKey = secretKey(options.secret)
  const peers = new Map<string, Peer>()
  let isClosed = false

  return {
    call,
    probe,
    pull,
    retain(addresses) {
      const kept = new Set(addresses)
      for (const [address, peer] of peers) {
        if (kept.has(address)) continue
        peers.delete(address)
        peer.isGone = true
        peer.wire?.retire()
      }
    },
    counts: () => ({
      peers: peers.size,
      inFlight: [...peers.values()].reduce((sum, { inFlight }) => sum + inFlight, 0),
    }),
    async close() {
      isClosed = true
      for (const peer of peers.values()) {
        peer.isGone = true
        peer.wire?.destroy()
      }
      peers.clear()
    },
  }

  function call(address: string, command: PeerCommand, { isOrdered, onPlaced }: PeerCallOptions): PeerCall {
    const peer = peerOf(address)
    const startedMs = performance.now()
    if (peer === null) return { outcome: Promise.resolve(neverSent('unreachable')), abort: () => {} }
    if (peer.inFlight >= inFlightMax) {
      options.observe?.({ outcome: 'busy', durationMs: 0 })
      return { outcome: Promise.resolve({ type: 'busy' }), abort: () => {} }
    }
    peer.inFlight += 1
    const abortion = new Abortion()
    const outcome = inSession(peer, abortion, {
      path: '/command',
      body: JSON.stringify(command),
      timeoutMs: command.leftMs,
      ...(isOrdered ? { onSignOfLife: onPlaced } : {}),
    }).then((answer): PeerOutcome => {
      peer.inFlight -= 1
      const said = replyOf(answer)
      options.observe?.({
        outcome: said.type === 'lost' ? said.why : said.type,
        durationMs: performance.now() - startedMs,
      })
      return said
    })
    return { outcome, abort: () => abortion.abort() }
  }

  async function pull(address: string, request: PullRequest, timeoutMs: number): Promise<PullAnswer | null> {
    const peer = peerOf(address)
    if (peer === null) return null
    const answer = await inSession(peer, new Abortion(), {
      path: '/pull',
      body: JSON.stringify(request),
      timeoutMs,
      silenceMs: timeoutMs,
    })
    return answer.type === 'answered' && answer.status === 200
      ? (JSON.parse(answer.body.toString()) as PullAnswer)
      : null
  }

  async function probe(address: string, timeoutMs: number): Promise<{ type: 'answered'; state: NodeState } | Lost> {
    const answer = await greeting(address, 'GET', '/probe', '', timeoutMs)
    return answer.type === 'lost'
      ? answer
      : { type: 'answered', state: JSON.parse(answer.body.toString()) as NodeState }
  }

  function peerOf(address: string): Peer | null {
    if (isClosed) return null
    const known = peers.get(address)
    if (known !== undefined) return known
    const peer: Peer = {
      address,
      session: undefined,
      wire: undefined,
      opening: undefined,
      inFlight: 0,
      isGone: false,
    }
    peers.set(address, peer)
    return peer
  }

  async function inSession(
    peer: Peer,
    abortion: Abortion,
    request: { path: string; body: string; timeoutMs: number; silenceMs?: number; onSignOfLife?: () => void },
  ): Promise<Answered | Lost> {
    // It would end the wire, and every other call on it.
    if (Buffer.byteLength(request.body) > (options.bodyMaxBytes ?? BODY_MAX_BYTES)) return neverSent('garbled')
    for (let tried = 1; ; tried += 1) {
      const way = wayTo(peer) ?? (await Promise.race([open(peer), abortion.happened()]))
      if ('type' in way) return way
      const { session, wire } = way
      session.lastNumber += 1
      const credential = signRequest(session.key, {
        method: 'POST',
        path: request.path,
        session: session.id,
        number: String(session.lastNumber),
        body: request.body,
      })
      const made = wire.exchange({ silenceMs, ...request, credential })
      abortion.follow(made)
      const answer = await made.outcome
      if (answer.type === 'lost') return answer
      const isOfStranger = answer.status === 401
      if (!isSound(isOfStranger ? ownKey : session.key, credential, answer)) return garbled()
      // A number that was used: someone has repeated our request, or it came too late to be known. Either way the answer is lost.
      if (answer.status === USED) return garbled()
      if (!isOfStranger) return answer
      // The process does not know the session, so it has done nothing.
      if (peer.session === session) peer.session = undefined
      if (tried >= SESSIONS_TRIED_MAX) return neverSent('unreachable')
    }
  }

  function wayTo({ session, wire }: Peer): Way | null {
    return session === undefined || wire === undefined ? null : { session, wire }
  }

  function open(peer: Peer): Promise<Way | Lost> {
    peer.opening ??= openWay(peer).finally(() => {
      peer.opening = undefined
    })
    return peer.opening
  }

  /** Whatever becomes of it, no command has left. */
  async function openWay(peer: Peer): Promise<Way | Lost> {
    const session = peer.session ?? (await openSession(peer))
    if ('type' in session) return session
    const wire = peer.wire ?? (await openWire(peer))
    return 'type' in wire ? wire : { session, wire }
  }

  async function openSession(peer: Peer): Promise<Session | Lost> {
    const nonce = randomBytes(24).toString('base64url')
    const answer = await greeting(peer.address, 'POST', '/session', JSON.stringify({ nonce }), GREETING_TIMEOUT_MS)
    if (answer.type === 'lost') return answer
    const said = JSON.parse(answer.body.toString()) as { session: string; nonce: string }
    peer.session = { id: said.session, key: sessionKey(ownKey, nonce, said.nonce), lastNumber: 0 }
    return peer.session
  }

  async function openWire(peer: Peer): Promise<Wire | Lost> {
    const asked = { method: 'GET', path: '/wire', body: '', timeoutMs: connectTimeoutMs, from } as const
    const kept = await askForWire(peer.address, { ...asked, authorization: authorization(signedGreeting(asked)) })
    if (kept.type === 'lost') return kept
    const wire: Wire = new Wire(kept, {
      answerMaxBytes,
      onRetired() {
        if (peer.wire === wire) peer.wire = undefined
      },
    })
    if (peer.isGone) {
      wire.retire()
      return neverSent('unreachable')
    }
    peer.wire = wire
    return wire
  }

  async function greeting(
    address: string,
    method: 'GET' | 'POST',
    path: string,
    body: string,
    timeoutMs: number,
  ): Promise<Answered | Lost> {
    const credential = signedGreeting({ method, path, body })
    const answer = await greet(address, {
      method,
      path,
      body,
      timeoutMs,
      from,
      authorization: authorization(credential),
    })
    if (answer.type === 'lost') return answer
    return answer.status === 200 && isSound(ownKey, credential, answer) ? answer : neverSent('garbled')
  }

  /** Signed with the secret's own key: it changes nothing, so that it may be recorded and repeated. */
  function signedGreeting(request: { method: string; path: string; body: string }): Credential {
    return signRequest(ownKey, { ...request, session: '-', number: randomBytes(16).toString('base64url') })
  }
}

/** Stops whichever exchange of a call is under way. */
class Abortion {
  #exchange: Exchange | undefined
  #tell: (() => void) | undefined

  /** Before anything was sent. */
  happened(): Promise<Lost> {
    return new Promise((resolve) => {
      this.#tell = () => resolve({ type: 'lost', why: 'aborted', wasSent: false })
    })
  }

  follow(made: Exchange): void {
    this.#exchange = made
  }

  abort(): void {
    this.#tell?.()
    this.#exchange?.abort()
  }
}

function isSound(key: PeerKey, credential: Credential, { status, signature, body }: Answered): boolean {
  return isAnswerSound(key, credential, { status, body, signature })
}

function replyOf(answer: Answered | Lost): PeerOutcome {
  if (answer.type === 'lost') return answer
  try {
    const reply = readReply(answer.status, answer.body.toString())
    return reply.type === 'failed' && reply.error.code === 'NODE_BUSY' ? { type: 'busy' } : reply
  } catch {
    return garbled()
  }
}

function garbled(): Lost {
  return { type: 'lost', why: 'garbled', wasSent: true }
}

function neverSent(why: 'unreachable' | 'garbled'): Lost {
  return { type: 'lost', why, wasSent: false }
}
