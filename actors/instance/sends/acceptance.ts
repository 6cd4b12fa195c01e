import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendCommand, SendReply } from '../../../schemas/send-request.js'
import { withTimeLimit } from '../../../schemas/time-limit.js'
import type { SendsContext } from '../../operations/context.js'
import type { DelayedSends } from './delayed-sends.js'
import { presenceOf } from './direct-delays.js'
import { laterRow, placeholderWarnings } from './later-row.js'
import { storedRefusal } from './refusals.js'
import { resolveChat, storedAddresses } from './resolve.js'
import { agentPauseOf } from './rows.js'
import type { SendQueue } from './send-queue.js'

export interface AcceptanceParts {
  readonly queue: SendQueue
  readonly delayed: DelayedSends
}

/** Stores sends that are accepted now and leave later. Errors are reported while the caller waits. */
export class Acceptance {
  readonly #context: SendsContext
  readonly #parts: AcceptanceParts

  constructor(context: SendsContext, parts: AcceptanceParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Puts a send into the queue. */
  async enqueue(command: SendCommand, asked: ChatAddress): Promise<SendReply> {
    this.#context.session.assertActive()
    const row = await this.#queuedRow(command, asked, (await storedAddresses(this.#context, asked)) ?? asked)
    const warnings = await placeholderWarnings(this.#context, command.content, asked)
    const { messages } = await this.#context.journal.write([row, ...agentPauseOf(command, row.message.chat)])
    this.#context.wakeQueue()
    return { record: messages.get(command.messageid)?.record ?? {}, warnings }
  }

  /**
   * Stores a delayed send. Answers `queued`, unless it leaves within the time that callers wait for an answer.
   * @param placed called when the send has its place in the chat
   */
  async delay(command: SendCommand, asked: ChatAddress, placed: () => void): Promise<SendReply> {
    const { timing, journal } = this.#context
    const { delayed } = this.#parts
    const { messageid, content, options } = command
    const { delayMs = 0 } = options
    const chat = await this.#chatToWaitFor(command, asked)
    const row = await this.#queuedRow(command, chat, chat)
    const warnings = await placeholderWarnings(this.#context, content, chat)
    // A cancellation gives the sends behind it another time, and must see this one or be over.
    const { writing, send, left } = await delayed.schedule(async () => {
      await delayed.run()
      const dueInMs = Math.round(this.#heldMs(chat) + delayMs)
      const writing = journal.write([
        row,
        ...agentPauseOf(command, row.message.chat),
        { type: 'message.update', messageids: [messageid], fromMe: true, set: { dueInMs } },
      ])
      const send = { messageid, chat, delayMs, dueInMs, isVoice: presenceOf(content) === 'recording' }
      return { writing, send, left: delayed.hold(send, writing) }
    })
    placed()
    const record = (await writing).messages.get(messageid)?.record ?? {}
    // Clearing the queue makes `DelayedSends` read all rows again, which may have missed this one.
    void delayed.hold(send)
    if (options.async || send.dueInMs > timing.ackTimeoutMs) return { record, warnings }
    await withTimeLimit(left, timing.ackTimeoutMs, () => {})
    return { record: (await this.#recordNow(command)) ?? record, warnings }
  }

  /** Returns the time until a send to this chat may leave. */
  #heldMs(chat: ChatAddress): number {
    const { delayed, queue } = this.#parts
    return Math.max(delayed.heldMs(chat) ?? 0, queue.heldMs(chat) ?? 0)
  }

  /** @throws GatewayError SEND_REFUSED if the message failed */
  async #recordNow({ messageid }: SendCommand): Promise<Readonly<Record<string, unknown>> | undefined> {
    const rows = await this.#context.reader.messagesById(this.#context.id, [messageid])
    const row = rows.find(({ fromMe }) => fromMe)
    if (row?.status === 'failed') throw storedRefusal(messageid, row)
    return row?.record
  }

  /** @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING, NOT_ON_NETWORK */
  async #chatToWaitFor({ options }: SendCommand, asked: ChatAddress): Promise<ChatAddress> {
    const { session, timing, connection } = this.#context
    if (options.async) {
      session.assertActive()
      return (await storedAddresses(this.#context, asked)) ?? asked
    }
    const deadlineMs = Date.now() + timing.parkTimeoutMs
    await connection()
    return (await resolveChat(this.#context, asked, deadlineMs)).address
  }

  /** @throws GatewayError QUEUE_FULL, QUEUE_BUSY and the errors of `laterRow` */
  async #queuedRow(command: SendCommand, chat: ChatAddress, both: ChatAddress) {
    await this.#parts.queue.admit()
    const { row, request } = await laterRow(this.#context, command, chat, both)
    return { type: 'message', message: { ...row, queuedRequest: request }, announce: false } as const
  }
}
