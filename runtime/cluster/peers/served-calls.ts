import type { Logger } from 'pino'
import { withTimeLimit } from '../../../lib/time-limit.js'
import { readTraceId } from '../../../schemas/call-context.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { MinuteReading } from '../../../schemas/ports/cluster.js'
import type { StoreIdentity } from '../lease-scripts.js'
import {
  type EncodedAnswer,
  encodeJson,
  type PeerCommand,
  type PeerReply,
  type PullAnswer,
  type PullRequest,
  type StoreNewsAnswer,
  writeError,
  writeReply,
} from './protocol.js'

// Ours: calls of nodes that have signed them.

export interface ServedCallsOptions {
  readonly serve: (command: PeerCommand) => Promise<PeerReply>
  readonly pull: (request: PullRequest) => Promise<PullAnswer>
  readonly readings: () => readonly MinuteReading[]
  readonly store: (news: StoreIdentity) => StoreNewsAnswer
  readonly explain: ((error: unknown) => GatewayError | undefined) | undefined
  readonly inFlightMax: number
  readonly signOfLifeMs: number
  readonly log: Logger
}

/** Signs of life for the caller. */
export interface SignsOfLife {
  /** Tells the caller that this node works on the call. */
  readonly alive: () => void
  /** True when the caller needs the first sign as soon as the command has its place. */
  readonly isOrdered: boolean
}

/** Maximum time for a command, whatever time its caller gives it. */
const LEFT_MAX_MS = 15 * 60_000

/** Carries out the calls of other nodes. */
export class ServedCalls {
  readonly #options: ServedCallsOptions
  #inFlight = 0
  #isClosing = false

  constructor(options: ServedCallsOptions) {
    this.#options = options
  }

  /** Number of calls under way. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Refuses all later calls with NODE_BUSY. */
  close(): void {
    this.#isClosing = true
  }

  /** Answers one call, which begins before this function returns. Never rejects. */
  answer(path: string, body: Buffer, signs: SignsOfLife): Promise<EncodedAnswer> {
    return this.#dispatch(path, body, signs).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'A request of another node failed because of an internal error.')
      return writeError(new GatewayError('NODE_FAILED'))
    })
  }

  async #dispatch(path: string, body: Buffer, signs: SignsOfLife): Promise<EncodedAnswer> {
    switch (path) {
      case '/pull':
        return await this.#count(async () =>
          encodeJson(await this.#options.pull(JSON.parse(body.toString()) as PullRequest)),
        )
      case '/command':
        return await this.#count(() => this.#carryOut(JSON.parse(body.toString()) as PeerCommand, signs))
      case '/readings':
        return await this.#count(async () => encodeJson({ minutes: this.#options.readings() }))
      case '/store':
        return await this.#count(async () =>
          encodeJson(this.#options.store(JSON.parse(body.toString()) as StoreIdentity)),
        )
      default:
        return writeError(new GatewayError('ROUTE_NOT_FOUND'))
    }
  }

  async #count(work: () => Promise<EncodedAnswer>): Promise<EncodedAnswer> {
    if (this.#isClosing || this.#inFlight >= this.#options.inFlightMax)
      return writeError(new GatewayError('NODE_BUSY', { retryAfterSeconds: 1 }))
    this.#inFlight += 1
    try {
      return await work()
    } finally {
      this.#inFlight -= 1
    }
  }

  async #carryOut(command: PeerCommand, { alive, isOrdered }: SignsOfLife): Promise<EncodedAnswer> {
    const startedMs = performance.now()
    const leftMs = Math.min(command.leftMs, LEFT_MAX_MS)
    const served = this.#options.serve(command).catch((error: unknown) => this.#failure(command, error))
    // The command has its place now: a caller that sends several in order may send the next one.
    if (isOrdered) alive()
    const lives = setInterval(alive, this.#options.signOfLifeMs)
    try {
      const reply = await withTimeLimit(served, leftMs, outcomeUnknown)
      this.#logAnswer(command, reply, startedMs)
      return writeReply(reply)
    } finally {
      clearInterval(lives)
    }
  }

  #failure(command: PeerCommand, error: unknown): PeerReply {
    if (error instanceof GatewayError) return { type: 'failed', error }
    const explained = this.#options.explain?.(error)
    if (explained === undefined) {
      const fields = { ...listLogFields(command), err: error }
      this.#options.log.error(fields, 'A call of another node failed because of an internal error.')
    }
    return { type: 'failed', error: explained ?? new GatewayError('NODE_FAILED') }
  }

  #logAnswer(command: PeerCommand, reply: PeerReply, startedMs: number): void {
    const { log } = this.#options
    if (!log.isLevelEnabled('debug')) return
    const code = reply.type === 'failed' ? { code: reply.error.code } : {}
    const durationMs = performance.now() - startedMs
    log.debug(
      { ...listLogFields(command), outcome: reply.type, ...code, durationMs },
      'A call of another node was answered.',
    )
  }
}

function listLogFields({ context, instance, command }: PeerCommand) {
  return {
    requestId: context.requestId,
    traceId: readTraceId(context.traceparent),
    instanceId: instance,
    command: command.type,
  }
}

function outcomeUnknown(): PeerReply {
  return { type: 'failed', error: new GatewayError('OUTCOME_UNKNOWN') }
}
