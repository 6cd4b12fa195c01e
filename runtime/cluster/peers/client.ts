/** Calls to other nodes. A connection carries one call at a time and is kept for the next; each process called has a session. */
import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'undici'
import { type Answered, type Exchange, exchange, type Lost } from './exchange.js'
import {
  type NodeState,
  type PeerCommand,
  type PeerReply,
  type PullAnswer,
  type PullRequest,
  readReply,
} from './protocol.js'
import { authorization, isAnswerSound, type PeerKey, secretKey, sessionKey, signRequest } from './signature.js'

export interface PeerClientOptions {
  /** CLUSTER_SECRET. */
  readonly secret: string
  /** Calls to one node at once; those over it are refused with `busy`, here. Default 2000. */
  readonly inFlightMax?: number
  /** Default 2000. */
  readonly connectTimeoutMs?: number
  /** A node that gives no sign of life for so long has lost the call; it gives one every 2 s. Default 8000. */
  readonly silenceMs?: number
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
  readonly pool: Pool
  session: Session | undefined
  opening: Promise<Session | Lost> | undefined
  inFlight: number
}

/** A session that is not known any more is opened anew; a node that knows none of them is broken. */
const SESSIONS_TRIED_MAX = 3
const GREETING_TIMEOUT_MS = 2_000
/** Less than servers keep a connection, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 30_000

export function createPeerClient(options: PeerClientOptions): PeerClient {
  const { inFlightMax = 2_000, connectTimeoutMs = 2_000, silenceMs = 8_000, answerMaxBytes = 16 * 2 ** 20 } = options
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
        void peer.pool.close()
      }
    },
    counts: () => ({
      peers: peers.size,
      inFlight: [...peers.values()].reduce((sum, { inFlight }) => sum + inFlight, 0),
    }),
    async close() {
      isClosed = true
      await Promise.all([...peers.values()].map(({ pool }) => pool.destroy()))
      peers.clear()
    },
  }

  function call(address: string, command: PeerCommand, { isOrdered, onPlaced }: PeerCallOptions): PeerCall {
    const peer = peerOf(address)
    const startedMs = performance.now()
    if (peer === null) return { outcome: Promise.resolve(neverSent()), abort: () => {} }
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
    return answer.type === 'answered' && answer.status === 200 ? (JSON.parse(answer.body) as PullAnswer) : null
  }

  async function probe(address: string, timeoutMs: number): Promise<{ type: 'answered'; state: NodeState } | Lost> {
    const client = new Client(originOf(address), { connect: { timeout: timeoutMs }, pipelining: 1 })
    try {
      const answer = await greet(client, 'GET', '/probe', '', timeoutMs)
      return answer.type === 'lost' ? answer : { type: 'answered', state: JSON.parse(answer.body) as NodeState }
    } finally {
      void client.destroy()
    }
  }

  function peerOf(address: string): Peer | null {
    if (isClosed) return null
    const known = peers.get(address)
    if (known !== undefined) return known
    const pool = new Pool(originOf(address), {
      connections: inFlightMax,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // Each exchange has its own times.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const peer: Peer = { pool, session: undefined, opening: undefined, inFlight: 0 }
    peers.set(address, peer)
    return peer
  }

  async function inSession(
    peer: Peer,
    abortion: Abortion,
    request: { path: string; body: string; timeoutMs: number; silenceMs?: number; onSignOfLife?: () => void },
  ): Promise<Answered | Lost> {
    for (let tried = 1; ; tried += 1) {
      const session = peer.session ?? (await Promise.race([openSession(peer), abortion.happened()]))
      if ('type' in session) return session
      session.lastNumber += 1
      const credential = signRequest(session.key, {
        method: 'POST',
        path: request.path,
        session: session.id,
        number: String(session.lastNumber),
        body: request.body,
      })
      const made = exchange(peer.pool, {
        method: 'POST',
        path: request.path,
        headers: {
          authorization: authorization(credential),
          'content-type': 'application/json',
          ...(request.onSignOfLife === undefined ? {} : { 'posthorn-order': '1' }),
        },
        body: request.body,
        timeoutMs: request.timeoutMs,
        silenceMs: request.silenceMs ?? silenceMs,
        answerMaxBytes,
        ...(request.onSignOfLife === undefined ? {} : { onSignOfLife: request.onSignOfLife }),
      })
      abortion.follow(made)
      const answer = await made.outcome
      if (answer.type === 'lost') return answer
      const isOfStranger = answer.status === 401
      if (!isSound(isOfStranger ? ownKey : session.key, credential, answer)) return garbled()
      // A number that was used: someone has repeated our request, or it came too late to be known. Either way the answer is lost.
      if (answer.status === 409) return garbled()
      if (!isOfStranger) return answer
      // The process does not know the session, so it has done nothing.
      if (peer.session === session) peer.session = undefined
      if (tried >= SESSIONS_TRIED_MAX) return neverSent()
    }
  }

  function openSession(peer: Peer): Promise<Session | Lost> {
    peer.opening ??= greetForSession(peer).finally(() => {
      peer.opening = undefined
    })
    return peer.opening
  }

  async function greetForSession(peer: Peer): Promise<Session | Lost> {
    const nonce = randomBytes(24).toString('base64url')
    const answer = await greet(peer.pool, 'POST', '/session', JSON.stringify({ nonce }), GREETING_TIMEOUT_MS)
    // Whatever became of the greeting, no command has left.
    if (answer.type === 'lost') return { ...answer, wasSent: false }
    const said = JSON.parse(answer.body) as { session: string; nonce: string }
    peer.session = { id: said.session, key: sessionKey(ownKey, nonce, said.nonce), lastNumber: 0 }
    return peer.session
  }

  /** A request signed with the secret's own key: it changes nothing, so that it may be recorded and repeated. */
  async function greet(
    dispatcher: Client | Pool,
    method: 'GET' | 'POST',
    path: string,
    body: string,
    timeoutMs: number,
  ): Promise<Answered | Lost> {
    const number = randomBytes(16).toString('base64url')
    const credential = signRequest(ownKey, { method, path, session: '-', number, body })
    const headers = { authorization: authorization(credential), 'content-type': 'application/json' }
    const made = exchange(dispatcher, { method, path, headers, body, timeoutMs, silenceMs: timeoutMs, answerMaxBytes })
    const answer = await made.outcome
    if (answer.type === 'lost') return answer
    return answer.status === 200 && isSound(ownKey, credential, answer) ? answer : garbled()
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

function isSound(key: PeerKey, credential: string, { status, headers, body }: Answered): boolean {
  const signature = headers['posthorn-signature']
  return typeof signature === 'string' && isAnswerSound(key, credential, { status, body, signature })
}

function replyOf(answer: Answered | Lost): PeerOutcome {
  if (answer.type === 'lost') return answer
  try {
    const reply = readReply(answer.status, answer.body)
    return reply.type === 'failed' && reply.error.code === 'NODE_BUSY' ? { type: 'busy' } : reply
  } catch {
    return garbled()
  }
}

function garbled(): Lost {
  return { type: 'lost', why: 'garbled', wasSent: true }
}

function neverSent(): Lost {
  return { type: 'lost', why: 'unreachable', wasSent: false }
}

function originOf(address: string): string {
  return `http://${address}`
}
