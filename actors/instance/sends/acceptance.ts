import { withTimeLimit } from '../../../lib/time-limit.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendCommand, SendReply } from '../../../schemas/send-request.js'
import type { SendsContext } from './context.js'
import type { DelayedSends } from './delayed-sends.js'
import type { Alongside } from './delivery.js'
import type { Departures } from './departures.js'
import { choosePresence } from './direct-delays.js'
import { laterRow, placeholderWarnings } from './later-row.js'
import { isOfConnection, storedRefusal } from './refusals.js'
import { resolveChat, storedAddresses } from './resolve.js'
import { createAgentPause } from './rows.js'
import type { SendQueue } from './send-queue.js'
import { readToday } from './today.js'

export interface AcceptanceParts {
  readonly queue: SendQueue
  readonly delayed: DelayedSends
  readonly departures: Pick<Departures, 'failure'>
}

/** A send that is stored and waits for its time. */
interface Held {
  readonly reply: SendReply
  /** Resolves when it has left or could not. Never rejects. */
  readonly left: Promise<void>
  readonly dueInMs: number
}

interface HoldOptions {
  readonly placed?: () => void
  readonly alongside?: Alongside
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
    const both = (await storedAddresses(this.#context, asked)) ?? asked
    const { row, queued, warnings: ofReply } = await this.#queuedRow(command, asked, both)
    const warnings = [...ofReply, ...(await placeholderWarnings(this.#context, command.content, asked))]
    const { messages } = await this.#context.journal.write([row, ...createAgentPause(command, row.message.chat)])
    const today = await readToday(this.#context, { kind: 'async', count: queued + 1, startsInMs: 0, chat: both })
    this.#context.wakeQueue()
    return { record: { ...messages.get(command.messageid)?.record, today }, warnings }
  }

  /**
   * Stores a delayed send. Answers `queued`, unless it leaves within the time that callers wait for an answer.
   * @param placed called when the send has its place in the chat
   */
  async delay(command: SendCommand, asked: ChatAddress, placed: () => void): Promise<SendReply> {
    const { timing } = this.#context
    const chat = await this.#chatToWaitFor(command, asked)
    const held = await this.#hold(command, chat, { placed })
    if (command.options.async || held.dueInMs > timing.ackTimeoutMs) return await this.#queuedReply(chat, held)
    return await this.#replyWhenLeft(command, held, timing.ackTimeoutMs)
  }

  /**
   * Stores a send that was given up, because the network did not answer the questions before it. It leaves as soon as it can, behind those
   * that were stored before it. Resolves once it is stored, to its reply at the end of its caller's wait.
   * @param how `endsAtMs`: end of the wait, by `performance.now()`; `alongside`: further changes of the write
   */
  async keep(
    command: SendCommand,
    asked: ChatAddress,
    { endsAtMs, alongside }: { readonly endsAtMs: number; readonly alongside: Alongside },
  ) {
    const { timing } = this.#context
    const { delayMs = 0 } = command.options
    const restMs = Math.min(delayMs, Math.max(0, endsAtMs - timing.ackTimeoutMs - performance.now()))
    const rest = { ...command, options: { ...command.options, delayMs: Math.round(restMs) } }
    const chat = (await storedAddresses(this.#context, asked)) ?? asked
    const held = await this.#hold(rest, chat, { alongside })
    const reply = () => this.#replyWhenLeft(command, held, Math.max(0, endsAtMs - performance.now()))
    return { reply, left: held.left }
  }

  async #hold(
    command: SendCommand,
    chat: ChatAddress,
    { placed = () => {}, alongside = () => [] }: HoldOptions,
  ): Promise<Held> {
    const { journal } = this.#context
    const { delayed } = this.#parts
    const { messageid, content, options } = command
    const { delayMs = 0 } = options
    const { row, warnings: ofReply } = await this.#queuedRow(command, chat, chat)
    const warnings = [...ofReply, ...(await placeholderWarnings(this.#context, content, chat))]
    // A cancellation gives the sends behind it another time, and must see this one or be over.
    const { writing, send, left } = await delayed.schedule(async () => {
      do await delayed.run()
      while (!delayed.isRead)
      const dueInMs = Math.round(this.#heldMs(chat) + delayMs)
      const writing = journal.write([
        row,
        ...createAgentPause(command, row.message.chat),
        { type: 'message.update', messageids: [messageid], fromMe: true, set: { dueInMs } },
        ...alongside(),
      ])
      const send = { messageid, chat, delayMs, dueInMs, isVoice: choosePresence(content) === 'recording' }
      return { writing, send, left: delayed.hold(send, writing) }
    })
    placed()
    const record = (await writing).messages.get(messageid)?.record ?? {}
    // `DelayedSends` may have read all rows again before this one was stored. A reading that is still to come finds it, in its order.
    if (delayed.isRead) void delayed.hold(send)
    return { reply: { record, warnings }, left, dueInMs: send.dueInMs }
  }

  /** Answers `pending` if the send has not left within the time, although nothing but the network held it back. */
  async #replyWhenLeft(command: SendCommand, { reply, left }: Held, waitMs: number): Promise<SendReply> {
    await withTimeLimit(left, waitMs, () => {})
    const record = (await this.#recordNow(command)) ?? reply.record
    return { ...reply, record: record.status === 'queued' ? { ...record, status: 'pending' } : record }
  }

  async #queuedReply(chat: ChatAddress, { reply, dueInMs }: Held): Promise<SendReply> {
    const today = await readToday(this.#context, { kind: 'delayed', count: 1, startsInMs: dueInMs, chat })
    return { ...reply, record: { ...reply.record, today } }
  }

  /** Returns the time until a send to this chat may leave. */
  #heldMs(chat: ChatAddress): number {
    const { delayed, queue } = this.#parts
    return Math.max(delayed.heldMs(chat) ?? 0, queue.heldMs(chat) ?? 0)
  }

  /** @throws GatewayError if the message failed: why, or SEND_REFUSED */
  async #recordNow({ messageid }: SendCommand): Promise<Readonly<Record<string, unknown>> | undefined> {
    const rows = await this.#context.reader.messagesById(this.#context.id, [messageid])
    const row = rows.find(({ fromMe }) => fromMe)
    if (row?.status === 'failed') throw this.#parts.departures.failure(messageid) ?? storedRefusal(messageid, row)
    return row?.record
  }

  /**
   * Returns what is known of the chat, or what the network tells of it within the time that callers wait.
   * @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING, NOT_ON_NETWORK
   */
  async #chatToWaitFor({ options }: SendCommand, asked: ChatAddress): Promise<ChatAddress> {
    const { session, timing, connection } = this.#context
    if (options.async) session.assertActive()
    else await connection()
    const stored = (await storedAddresses(this.#context, asked)) ?? asked
    // If earlier sends to the person are delayed, this one waits with them for the same answer.
    if (options.async || this.#parts.delayed.heldMs(asked) !== null) return stored
    const resolving = resolveChat(this.#context, asked, Date.now() + timing.parkTimeoutMs).then(
      ({ address }) => address,
      (error: unknown) => {
        if (!isOfConnection(error)) throw error
        session.assertActive()
        return stored
      },
    )
    return await withTimeLimit(resolving, timing.ackTimeoutMs, () => stored)
  }

  /** @throws GatewayError QUEUE_FULL, QUEUE_BUSY and the errors of `laterRow` */
  async #queuedRow(command: SendCommand, chat: ChatAddress, both: ChatAddress) {
    const queued = await this.#parts.queue.admit()
    const { row, request, warnings } = await laterRow(this.#context, command, chat, both)
    return {
      row: { type: 'message', message: { ...row, queuedRequest: request }, announce: false },
      queued,
      warnings,
    } as const
  }
}
