import { withTimeLimit } from '../../../lib/time-limit.js'
import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, isSameChat, toChatId } from '../../../schemas/jid.js'
import type { SendCommand, SendReply } from '../../../schemas/send-request.js'
import type { Change } from '../ports.js'
import type { Acceptance } from './acceptance.js'
import type { SendsContext } from './context.js'
import { type Alongside, type Delivery, SendGivenUp, SendTicket } from './delivery.js'
import type { FirstSends } from './first-sends.js'
import { isOfConnection } from './refusals.js'
import { Lanes } from './relays.js'

export interface DirectSendsOptions {
  readonly delivery: Pick<Delivery, 'sendDirect'>
  readonly acceptance: Pick<Acceptance, 'keep'>
  readonly firsts: Pick<FirstSends, 'keep' | 'removal' | 'refuse'>
}

/** Minimum time that a send has to store its row. The wait for the network's answer to it may be shorter. */
const STORE_MIN_MS = 1_000

/** A send that was given up, until it has left. */
interface Kept {
  readonly ordinal: number
  readonly chat: ChatAddress
}

/**
 * Sends whose callers wait for the network's answer, for `SEND_ACK_TIMEOUT_MS` at most. On a connection that takes everything and answers
 * nothing a first message waits for the number's account, its devices or its group. When the time is up, or the connection ends, such a
 * send is stored as a queued one that is due, in the order of the calls. It leaves when the network answers again, if need be after the next
 * login, by any node. A first message to a person is in `FirstSends` before the first question, so that a crash leaves it to the next owner.
 */
export class DirectSends {
  readonly #context: SendsContext
  readonly #parts: DirectSendsOptions
  readonly #lanes = new Lanes()
  readonly #kept = new Set<Kept>()
  #calls = 0
  #isStopped = false

  constructor(context: SendsContext, parts: DirectSendsOptions) {
    this.#context = context
    this.#parts = parts
  }

  /** From now on a send that has no row is left to the next owner. */
  stop(): void {
    this.#isStopped = true
  }

  async send(command: SendCommand, asked: ChatAddress): Promise<SendReply> {
    const { timing, connection } = this.#context
    this.#calls += 1
    const ordinal = this.#calls
    await connection()
    const limitMs = Math.max(timing.ackTimeoutMs, STORE_MIN_MS)
    const endsAtMs = performance.now() + limitMs + (command.options.delayMs ?? 0)
    const ticket = new SendTicket((chat) => this.#hasKeptBefore(ordinal, chat))
    const isFirst = await this.#parts.firsts.keep(command, asked)
    const alongside = () => [
      ...(isFirst ? [this.#parts.firsts.removal(command.messageid)] : []),
      ...listPostChanges(command),
    ]
    try {
      const sending = this.#parts.delivery.sendDirect(command, asked, { ticket, alongside })
      const reply = await this.#replyInTime(sending, ticket, endsAtMs)
      if (reply !== null) return reply
      if (!ticket.giveUp()) return (await this.#asStored(command)) ?? (await sending)
      return await this.#keep(command, { ordinal, chat: asked, alongside }, endsAtMs)
    } catch (error) {
      // A send that the network refused has a row, which has taken the place of the kept request.
      const hasRow = ticket.isTaken && error instanceof GatewayError && error.code === 'SEND_REFUSED'
      if (isFirst && !hasRow) await this.#parts.firsts.refuse(command.messageid)
      throw error
    }
  }

  /** Returns null if the send was given up, or has not ended in time. */
  async #replyInTime(sending: Promise<SendReply>, ticket: SendTicket, endsAtMs: number): Promise<SendReply | null> {
    // Its caller may have another answer by the time it fails.
    sending.catch(() => {})
    try {
      return await withTimeLimit(sending, endsAtMs - performance.now(), () => null)
    } catch (error) {
      if (ticket.isTaken || !this.#mayLeaveLater(error)) throw error
      return null
    }
  }

  #hasKeptBefore(ordinal: number, chat: ChatAddress): boolean {
    for (const kept of this.#kept) if (kept.ordinal < ordinal && isSameChat(kept.chat, chat)) return true
    return false
  }

  async #keep(
    command: SendCommand,
    { alongside, ...kept }: Kept & { readonly alongside: Alongside },
    endsAtMs: number,
  ): Promise<SendReply> {
    // At once, so that no later send to the chat goes ahead while the row is made.
    this.#kept.add(kept)
    const forget = (): void => void this.#kept.delete(kept)
    const { acceptance } = this.#parts
    try {
      // The people of a post have a row of their own.
      const { post: _, ...request } = command
      const { reply, left } = await this.#lanes.run(toChatId(kept.chat), () =>
        acceptance.keep(request, kept.chat, { endsAtMs, alongside }),
      )
      void left.finally(forget)
      return await reply()
    } catch (error) {
      forget()
      throw error
    }
  }

  /** Returns true if the send was given up, or its connection ended and the instance connects again by itself. */
  #mayLeaveLater(error: unknown): boolean {
    if (error instanceof SendGivenUp) return true
    if (this.#isStopped || !isOfConnection(error)) return false
    try {
      this.#context.session.assertActive()
      return true
    } catch {
      return false
    }
  }

  /** Answers a send whose row is written, and which the network has not answered. */
  async #asStored({ messageid }: SendCommand): Promise<SendReply | null> {
    const { journal, reader, id } = this.#context
    await journal.settled()?.catch(() => {})
    const row = (await reader.messagesById(id, [messageid])).find(({ fromMe }) => fromMe)
    return row?.status === 'pending' ? { record: row.record, warnings: [] } : null
  }
}

/** Returns the change that stores the people of a status post, for the write of its row. */
function listPostChanges({ messageid, post }: SendCommand): readonly Change[] {
  return post === undefined ? [] : [{ type: 'status.post', messageid, post }]
}
