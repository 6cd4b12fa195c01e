import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendContent } from '../../../schemas/send-content.js'
import type { SendCommand, SendReply } from '../../../schemas/send-request.js'
import { withTimeLimit } from '../../../schemas/time-limit.js'
import type { SendsContext } from '../../operations/context.js'
import type { DelayedSends } from './delayed-sends.js'
import { presenceOf } from './direct-delays.js'
import { reactedMessage, withMessageIds } from './named-messages.js'
import { storedRefusal } from './refusals.js'
import { resolveChat, storedAddresses } from './resolve.js'
import { newRow } from './rows.js'
import { fillContent } from './send-content.js'
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
    const warnings = await this.#placeholderWarnings(command.content, asked)
    const { messages } = await this.#context.journal.write([row])
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
    const warnings = await this.#placeholderWarnings(content, chat)
    // A cancellation gives the sends behind it another time, and must see this one or be over.
    const { writing, send, left } = await delayed.schedule(async () => {
      await delayed.run()
      const dueInMs = Math.round(this.#heldMs(chat) + delayMs)
      const writing = journal.write([
        row,
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

  /**
   * Makes the row of a send that leaves later. A message that it replies or reacts to may still be gone when it leaves.
   * @throws GatewayError QUEUE_FULL, QUEUE_BUSY, MESSAGE_NOT_FOUND, OWN_MESSAGE, MESSAGE_TOO_OLD
   */
  async #queuedRow(command: SendCommand, chat: ChatAddress, both: ChatAddress) {
    const { id, reader, account } = this.#context
    await this.#parts.queue.admit()
    const named = await withMessageIds(this.#context, command)
    if (named.content.kind === 'reaction') await reactedMessage(this.#context, named.content.id, both)
    const row = newRow(named, chat, 'queued', account.own ?? (await reader.owner(id)))
    const queuedRequest = { ...named, options: { ...named.options, async: false } }
    return { type: 'message', message: { ...row, queuedRequest }, announce: false } as const
  }

  /** Returns warnings about unknown placeholders, while the caller can still read them. The texts are filled when the message leaves. */
  async #placeholderWarnings(content: SendContent, chat: ChatAddress): Promise<readonly string[]> {
    if (content.kind === 'reaction') return []
    const { reader, id } = this.#context
    try {
      return (await fillContent(content, () => reader.placeholderValues(id, chat))).warnings
    } catch (error) {
      // The present values make the menu invalid. They may have changed when it leaves.
      if (error instanceof GatewayError) return []
      throw error
    }
  }
}
