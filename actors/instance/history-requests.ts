import { GatewayError } from '../../schemas/errors.js'
import type { MessageId } from '../../schemas/ids.js'
import type { HistoryBatch } from '../network/port/events.js'
import type { InstanceJournal } from './ports.js'
import { RecentMap } from './recent-map.js'

/** Time after which a request without an answer is given up, with an event. A phone that is on answers within seconds. */
const ANSWER_MAX_MS = 60_000
/** Maximum of requests that wait at the same time. */
const PENDING_MAX = 10
/** Ids of requests whose later answers are still told apart from parts that the phone sends of itself. */
const IDS_MAX = 200

export interface PhoneAnswered {
  /** Number of messages in the answer. */
  readonly messages: number
  readonly isEnd: boolean
}

interface Pending {
  /** The chat, or the chat and the message. */
  readonly name: string
  readonly id: MessageId
  readonly timer: NodeJS.Timeout
  readonly resolve: (answer: PhoneAnswered | null) => void
  readonly answer: Promise<PhoneAnswered | null>
}

/**
 * The requests of an instance to its phone for messages of the past, in memory: an answer that comes after a restart or a move is stored and
 * reported all the same.
 */
export class HistoryRequests {
  readonly #journal: InstanceJournal
  readonly #pending = new Map<string, Pending>()
  /** The id for callers, by each id that the phone was given. */
  readonly #ids = new RecentMap<string, MessageId>(IDS_MAX)

  readonly #answered = new RecentMap<MessageId, true>(IDS_MAX)

  constructor(journal: InstanceJournal) {
    this.#journal = journal
  }

  /**
   * Notes a request that is about to leave.
   * @param others further ids under which the phone is asked for the same
   * @throws GatewayError HISTORY_RUNNING
   */
  begin(name: string, id: MessageId, others: readonly MessageId[] = []): void {
    if (this.#pending.has(name) || this.#pending.size >= PENDING_MAX) throw new GatewayError('HISTORY_RUNNING')
    let resolve: Pending['resolve'] = () => {}
    const answer = new Promise<PhoneAnswered | null>((settle) => {
      resolve = settle
    })
    const timer = setTimeout(() => this.#giveUp(name), ANSWER_MAX_MS)
    timer.unref()
    for (const one of [id, ...others]) this.#ids.set(one, id)
    this.#pending.set(name, { name, id, timer, resolve, answer })
  }

  /** Resolves with the answer, or with null after that time. */
  async answer(name: string, withinMs: number): Promise<PhoneAnswered | null> {
    const pending = this.#pending.get(name)
    if (pending === undefined) return null
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), withinMs)
    })
    return await Promise.race([pending.answer, late]).finally(() => clearTimeout(timer))
  }

  /** Forgets a request that did not leave. */
  failed(name: string): void {
    this.#end(this.#pending.get(name), null)
  }

  /** Returns the batch with the id that the caller knows. */
  named(batch: HistoryBatch): HistoryBatch {
    const { request } = batch
    const id = request === undefined ? undefined : this.#ids.get(request.id)
    if (request === undefined || id === undefined) return batch
    return { ...batch, request: { ...request, id, isRepeat: this.#answered.has(id) } }
  }

  /** The answer is stored. */
  answered({ request, messages }: HistoryBatch): void {
    if (request === undefined) return
    const pending = [...this.#pending.values()].find(({ id }) => id === request.id)
    this.#answered.set(request.id as MessageId, true)
    this.#end(pending, { messages: messages.length, isEnd: request.isEnd })
  }

  stop(): void {
    for (const pending of this.#pending.values()) this.#end(pending, null)
  }

  #giveUp(name: string): void {
    const pending = this.#pending.get(name)
    if (pending === undefined) return
    this.#end(pending, null)
    const body = { messages: [], batchNumber: 1, batchTotal: 1, requestId: pending.id, status: 'no_answer' }
    this.#journal.write([{ type: 'event', kind: 'history', body }]).catch(() => {})
  }

  #end(pending: Pending | undefined, answer: PhoneAnswered | null): void {
    if (pending === undefined) return
    clearTimeout(pending.timer)
    this.#pending.delete(pending.name)
    pending.resolve(answer)
  }
}
