/**
 * Calls to other nodes. All calls to one process go side by side over one connection that is kept, in one session.
 */
import type { MinuteReading } from '../../../schemas/ports/cluster.js'
import type { StoreIdentity } from '../lease-scripts.js'
import { Abortion } from './abortion.js'
import { type Answered, garbled, type LostCall, notSent } from './answer.js'
import { Greeter } from './greeter.js'
import type { Link, LinkOptions } from './local-link.js'
import { LocalLink } from './local-link.js'
import { PeerLink } from './peer-link.js'
import {
  type NodeState,
  type PeerCommand,
  type PeerReply,
  type PullAnswer,
  type PullRequest,
  readMinutes,
  readReply,
  type StoreNewsAnswer,
} from './protocol.js'

// Ours: answers of nodes that have signed them.

export interface PeerClientOptions {
  /** CLUSTER_SECRET. */
  readonly secret: string
  /** NODE_ID, which others see in their logs. */
  readonly nodeId?: string
  /** Returns the unix socket of a node that is a process of this machine (`LocalLink`). */
  readonly findLocalPath?: (address: string) => string | undefined
  /** Maximum of calls to one node at once; those above it end as `busy`, here. Default 2000. */
  readonly inFlightMax?: number
  /** Default 2000. */
  readonly connectTimeoutMs?: number
  /** Maximum time without a sign of life, after which the call is lost; a node gives one every 2 s. Default 8000. */
  readonly silenceMs?: number
  /** Maximum size of a command; as large as servers take. Default 8 MiB. */
  readonly bodyMaxBytes?: number
  /** Maximum size of an answer. Default 16 MiB. */
  readonly answerMaxBytes?: number
  /** Called after each attempt, for metrics. */
  readonly observe?: (attempt: PeerAttemptFigures) => void
}

export interface PeerAttemptFigures {
  readonly outcome: PeerReply['type'] | LostCall['why'] | 'busy'
  readonly durationMs: number
}

export interface PeerCallOptions {
  /** Requests a sign of life as soon as the command has its place there, so that the next one may follow. */
  readonly isOrdered: boolean
  readonly onPlaced: () => void
}

export type PeerOutcome = PeerReply | LostCall | { readonly type: 'busy' }

export interface PeerCall {
  /** Never rejects. */
  readonly outcome: Promise<PeerOutcome>
  /** Ends the wait: the outcome is `lost`, whatever becomes of the command there. */
  abort(): void
}

export interface PeerClient {
  /** Makes one attempt; the caller knows which calls may be repeated. */
  call(address: string, command: PeerCommand, options: PeerCallOptions): PeerCall
  /** Uses a connection of its own, so that `refused` is the truth of this moment. */
  probe(address: string, timeoutMs: number): Promise<{ type: 'answered'; state: NodeState } | LostCall>
  /** Returns null when there was no answer within the time: the shard may have been granted. */
  pull(address: string, request: PullRequest, timeoutMs: number): Promise<PullAnswer | null>
  /** Returns null when there was no answer within the time, or the node runs a release that does not tell. */
  readings(address: string, timeoutMs: number): Promise<readonly MinuteReading[] | null>
  /** Tells a node which store is the newest. Returns null when there was no answer within the time, or the node runs a release that takes none. */
  tellStore(address: string, news: StoreIdentity, timeoutMs: number): Promise<StoreNewsAnswer | null>
  /** Closes the links to all other addresses, once their calls have ended. */
  retain(addresses: Iterable<string>): void
  /** For metrics and tests. */
  counts(): { readonly peers: number; readonly inFlight: number }
  /** Ends all connections. Calls under way are lost. */
  close(): void
}

/** Maximum size of a command; the API takes less. */
const BODY_MAX_BYTES = 8 * 2 ** 20

export class PeerLinks implements PeerClient {
  readonly #greeter: Greeter
  readonly #linkOptions: LinkOptions
  readonly #findLocalPath: PeerClientOptions['findLocalPath']
  readonly #inFlightMax: number
  readonly #observe: PeerClientOptions['observe']
  readonly #links = new Map<string, Link>()
  #isClosed = false

  constructor(options: PeerClientOptions) {
    const { secret, nodeId = '-', inFlightMax = 2_000, connectTimeoutMs = 2_000, silenceMs = 8_000 } = options
    const { bodyMaxBytes = BODY_MAX_BYTES, answerMaxBytes = 16 * 2 ** 20 } = options
    this.#greeter = new Greeter(secret, nodeId)
    this.#linkOptions = { connectTimeoutMs, silenceMs, bodyMaxBytes, answerMaxBytes }
    this.#findLocalPath = options.findLocalPath
    this.#inFlightMax = inFlightMax
    this.#observe = options.observe
  }

  call(address: string, command: PeerCommand, { isOrdered, onPlaced }: PeerCallOptions): PeerCall {
    const link = this.#linkTo(address)
    const startedMs = performance.now()
    if (link === null) return endedCall(notSent('unreachable'))
    if (link.inFlight >= this.#inFlightMax) {
      this.#observe?.({ outcome: 'busy', durationMs: 0 })
      return endedCall({ type: 'busy' })
    }
    link.inFlight += 1
    const abortion = new Abortion()
    const request = {
      path: '/command',
      body: JSON.stringify(command),
      timeoutMs: command.leftMs,
      ...(isOrdered ? { onSignOfLife: onPlaced } : {}),
    }
    const outcome = link.request(request, abortion).then((answer): PeerOutcome => {
      link.inFlight -= 1
      const reply = parseReply(answer)
      this.#observe?.({
        outcome: reply.type === 'lost' ? reply.why : reply.type,
        durationMs: performance.now() - startedMs,
      })
      return reply
    })
    return { outcome, abort: () => abortion.abort() }
  }

  async pull(address: string, request: PullRequest, timeoutMs: number): Promise<PullAnswer | null> {
    const answer = await this.#ask(address, { path: '/pull', body: JSON.stringify(request), timeoutMs })
    return answer === null ? null : (JSON.parse(answer) as PullAnswer)
  }

  async readings(address: string, timeoutMs: number): Promise<readonly MinuteReading[] | null> {
    const answer = await this.#ask(address, { path: '/readings', body: '', timeoutMs })
    return answer === null ? null : readMinutes(answer)
  }

  async tellStore(address: string, news: StoreIdentity, timeoutMs: number): Promise<StoreNewsAnswer | null> {
    const answer = await this.#ask(address, { path: '/store', body: JSON.stringify(news), timeoutMs })
    return answer === null ? null : (JSON.parse(answer) as StoreNewsAnswer)
  }

  async probe(address: string, timeoutMs: number): Promise<{ type: 'answered'; state: NodeState } | LostCall> {
    const answer = await this.#greeter.probe(address, timeoutMs)
    return answer.type === 'lost'
      ? answer
      : { type: 'answered', state: JSON.parse(answer.body.toString()) as NodeState }
  }

  retain(addresses: Iterable<string>): void {
    const kept = new Set(addresses)
    for (const [address, link] of this.#links) {
      if (kept.has(address)) continue
      this.#links.delete(address)
      link.retire()
    }
  }

  counts(): { readonly peers: number; readonly inFlight: number } {
    const links = [...this.#links.values()]
    return { peers: links.length, inFlight: links.reduce((sum, { inFlight }) => sum + inFlight, 0) }
  }

  close(): void {
    this.#isClosed = true
    for (const link of this.#links.values()) link.destroy()
    this.#links.clear()
  }

  /** Returns null when there was no answer within the time, or a refusal. */
  async #ask(
    address: string,
    request: { readonly path: string; readonly body: string; readonly timeoutMs: number },
  ): Promise<string | null> {
    const link = this.#linkTo(address)
    if (link === null) return null
    const answer = await link.request({ ...request, silenceMs: request.timeoutMs }, new Abortion())
    return answer.type === 'answered' && answer.status === 200 ? answer.body.toString() : null
  }

  #linkTo(address: string): Link | null {
    if (this.#isClosed) return null
    const known = this.#links.get(address)
    if (known !== undefined) return known
    const remote = new PeerLink(address, this.#greeter, this.#linkOptions)
    const path = this.#findLocalPath?.(address)
    const link = path === undefined ? remote : new LocalLink(path, remote, this.#linkOptions)
    this.#links.set(address, link)
    return link
  }
}

function endedCall(outcome: PeerOutcome): PeerCall {
  return { outcome: Promise.resolve(outcome), abort: () => {} }
}

function parseReply(answer: Answered | LostCall): PeerOutcome {
  if (answer.type === 'lost') return answer
  try {
    const reply = readReply(answer.status, answer.body.toString())
    return reply.type === 'failed' && reply.error.code === 'NODE_BUSY' ? { type: 'busy' } : reply
  } catch {
    return garbled()
  }
}
