import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, parseRecipient } from '../../../schemas/jid.js'
import type { ScheduleCommand, SendCommand, SendReply, SendRequest } from '../../../schemas/send-request.js'
import { STATUS_CHAT } from '../../../schemas/status-post.js'
import type { Acceptance } from './acceptance.js'
import type { SendsContext } from './context.js'
import type { DelayedSends } from './delayed-sends.js'
import type { Delivery } from './delivery.js'
import type { DirectSends } from './direct-sends.js'
import { recordWithLeaving } from './later-row.js'
import { sendRefused, storedRefusal } from './refusals.js'
import type { Relays } from './relays.js'
import { type ScheduledSends, toSend } from './scheduled-sends.js'
import type { SendQueue } from './send-queue.js'

export interface AdmissionParts {
  readonly relays: Relays
  readonly delivery: Delivery
  readonly direct: DirectSends
  readonly queue: SendQueue
  readonly delayed: DelayedSends
  readonly acceptance: Acceptance
  readonly scheduled: ScheduledSends
}

/** The first step of a send: answers it from its row, sends it now, or puts it into the queue or among the delayed or scheduled sends. */
export class Admission {
  readonly #context: SendsContext
  readonly #parts: AdmissionParts
  /** Delayed sends whose place in the chat is not fixed yet, by recipient. */
  readonly #accepting = new Map<string, Promise<void>>()

  constructor(context: SendsContext, parts: AdmissionParts) {
    this.#context = context
    this.#parts = parts
  }

  async admit(command: SendCommand | ScheduleCommand): Promise<SendReply> {
    const former = await answerFromRow(this.#context, this.#parts, command)
    if (former !== null) return former
    const address = command.post === undefined ? parseRecipient(command.number) : STATUS_CHAT
    if (command.type === 'send') return await this.#sendNow(command, address)
    const scheduled = await this.#parts.scheduled.accept(command, address)
    if (scheduled !== null) return scheduled
    const { record, warnings } = await this.#sendNow(toSend(command), address)
    return { record, warnings: [...warnings, 'send_at: is less than 2 seconds ahead, so the message was sent now'] }
  }

  async #sendNow(command: SendCommand, address: ChatAddress): Promise<SendReply> {
    const { acceptance, direct } = this.#parts
    const leaveTurn = await this.#enterTurn(command, address)
    try {
      if (await this.#mustWait(command, address)) return await acceptance.delay(command, address, leaveTurn)
    } finally {
      leaveTurn()
    }
    return command.options.async ? await acceptance.enqueue(command, address) : await direct.send(command, address)
  }

  /**
   * Waits until earlier delayed sends to the same recipient have their place, so that none is overtaken while its row is made.
   * Returns a function to call when this send has its place, too.
   */
  async #enterTurn({ options }: SendCommand, { group, pn, lid }: ChatAddress): Promise<() => void> {
    const name = group ?? pn ?? lid ?? ''
    const before = this.#accepting.get(name)
    if (!this.#isDelayed(options.delayMs)) {
      await before
      return () => {}
    }
    let leave = (): void => {}
    const mine = new Promise<void>((resolve) => {
      leave = resolve
    }).then(() => {
      if (this.#accepting.get(name) === mine) this.#accepting.delete(name)
    })
    this.#accepting.set(name, mine)
    await before
    return leave
  }

  /** Returns true if the send leaves later than its caller waits for an answer, or queues behind one that does. */
  async #mustWait({ options }: SendCommand, chat: ChatAddress): Promise<boolean> {
    const { delayed, queue } = this.#parts
    if (this.#isDelayed(options.delayMs)) return true
    await delayed.run()
    // The queue keeps the order of its own sends by itself.
    return delayed.heldMs(chat) !== null || (!options.async && queue.heldMs(chat) !== null)
  }

  #isDelayed(delayMs = 0): boolean {
    return delayMs > this.#context.timing.ackTimeoutMs
  }
}

// Answers a send that was asked for before from its row.

interface FormerSendParts {
  readonly relays: Relays
  readonly delivery: Delivery
}

/**
 * Answers a repeated command, or one with an idempotency key that was used. Returns null if the message has not left and will not.
 * @throws GatewayError IDEMPOTENCY_CONFLICT, SEND_REFUSED
 */
async function answerFromRow(
  context: SendsContext,
  parts: FormerSendParts,
  command: SendRequest,
): Promise<SendReply | null> {
  const { reader, id } = context
  // Before each look at the messages: a scheduled send may become one meanwhile.
  const scheduled = await scheduledBefore(context, command)
  if (scheduled !== null) return scheduled
  if (command.idempotencyKey === undefined) return command.isRepeat ? await askedBefore(context, parts, command) : null
  // Not by the message id, which another request under the same key has too.
  const first = await reader.messageByIdempotencyKey(id, command.idempotencyKey)
  if (first === null) return null
  if (first.requestHash !== command.requestHash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
  const former = await askedBefore(context, parts, { ...command, messageid: first.messageid })
  return former === null ? null : { ...former, ...markFormer(command.isRepeat) }
}

/** @throws GatewayError IDEMPOTENCY_CONFLICT */
async function scheduledBefore(
  context: SendsContext,
  { isRepeat, messageid, idempotencyKey, requestHash }: SendRequest,
): Promise<SendReply | null> {
  const { reader, journal, id } = context
  if (isRepeat) await journal.settled()?.catch(() => {})
  if (idempotencyKey === undefined) {
    const [same] = isRepeat ? await reader.scheduledSends(id, [messageid]) : []
    return same === undefined ? null : { record: await recordWithLeaving(context, same), warnings: [] }
  }
  const first = await reader.scheduledByIdempotencyKey(id, idempotencyKey)
  if (first === null) return null
  if (first.requestHash !== requestHash) throw new GatewayError('IDEMPOTENCY_CONFLICT')
  return { record: await recordWithLeaving(context, first), warnings: [], ...markFormer(isRepeat) }
}

/** A repeated command may be the one that has made the row. */
function markFormer(isRepeat: boolean | undefined): Pick<SendReply, 'isFormer'> {
  return isRepeat ? {} : { isFormer: true }
}

/**
 * Answers a send from its row: throws a refusal as it was thrown the first time, and waits for a message without an answer. Returns null
 * if there is no row: then the message has not left and will not. A former owner writes no more, and our own writes are awaited.
 */
async function askedBefore(
  context: SendsContext,
  { relays, delivery }: FormerSendParts,
  command: SendRequest,
): Promise<SendReply | null> {
  const { journal, reader, id } = context
  // Waits before it reads the row, so that an answer in between is not missed.
  const answer = relays.answers.wait(command.messageid)
  await journal.settled()?.catch(() => {})
  const rows = await reader.messagesById(id, [command.messageid]).catch((error: unknown) => {
    answer.stop()
    throw error
  })
  const row = rows.find(({ fromMe }) => fromMe)
  if (row?.status !== 'pending' || command.options.async) answer.stop()
  if (row === undefined) return null
  if (row.status === 'failed') throw storedRefusal(command.messageid, row)
  if (row.status !== 'pending' || command.options.async) return { record: row.record, warnings: [] }
  // The open connection relays the message, or has relayed it.
  const outcome = await answer.outcome
  if (outcome.status === 'failed') throw sendRefused(command.messageid, outcome.code, outcome.why)
  delivery.markReadAfter(command, row.chat)
  return { record: { ...row.record, status: outcome.status }, warnings: [] }
}
