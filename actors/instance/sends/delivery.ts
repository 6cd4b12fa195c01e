import { errorText } from '../../../lib/error-text.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { listContentFiles } from '../../../schemas/send-content.js'
import type { SendCommand, SendReply } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Change } from '../ports.js'
import { markMessagesRead, readAfterSend } from '../reading.js'
import type { SendOutcome } from './answers.js'
import { composeSend } from './compose.js'
import type { ResolvedChat, SendsContext } from './context.js'
import type { DirectDelays } from './direct-delays.js'
import type { Fallbacks } from './fallbacks.js'
import { withMessageIds } from './named-messages.js'
import { releaseFiles, uploadFiles } from './prepare-media.js'
import { sendRefused } from './refusals.js'
import type { Relays } from './relays.js'
import { resolveChat } from './resolve.js'
import type { Revisions } from './revisions.js'
import { insertPending, queuedToPending } from './rows.js'

/** Number of messages that `readmessages` marks: the last that were received. */
const READ_MESSAGES = 10

export interface DeliveryParts {
  readonly relays: Relays
  readonly delays: DirectDelays
  readonly fallbacks: Fallbacks
  readonly revisions: Pick<Revisions, 'addHdCopy'>
}

export type Alongside = () => readonly Change[]

/** Special ways of a message. */
export interface Manner {
  /** The row of a message that was queued; others have none yet. */
  readonly queued?: MessageForActor
  /** Returns further changes of the write that makes the message pending. Called in the step of that write; if it throws, nothing is written or sent. */
  readonly alongside?: Alongside | undefined
  /** The uploads of its files, if they are for several messages. */
  readonly uploads?: ReturnType<typeof uploadFiles>
  /** Given if somebody else may write its row. */
  readonly ticket?: SendTicket
}

/** Fields and warnings that the large copy of an image adds to the answer. */
interface Copied {
  readonly fields?: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

const NOTHING: Copied = { warnings: [] }

/** A message that was handed over. */
interface Sent {
  readonly outcome: Promise<SendOutcome>
  readonly stored: Promise<Readonly<Record<string, unknown>>>
  readonly warnings: readonly string[]
}

/** The way of one message to the network: resolve its chat, upload its files, take its turn, compose, store, relay, hear the answer. */
export class Delivery {
  readonly #context: SendsContext
  readonly #parts: DeliveryParts

  constructor(context: SendsContext, parts: DeliveryParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Sends a message whose caller waits for the network's answer. @throws SendGivenUp if the ticket is given up before its row is written */
  async sendDirect(
    command: SendCommand,
    asked: ChatAddress,
    how: Required<Pick<Manner, 'ticket' | 'alongside'>>,
  ): Promise<SendReply> {
    const { timing, pacer } = this.#context
    const deadlineMs = Date.now() + timing.parkTimeoutMs
    const named = isNaming(command) ? await withMessageIds(this.#context, command) : { command, warnings: [] }
    const chat = await resolveChat(this.#context, asked, deadlineMs)
    pacer.direct()
    const reply = await this.deliver(named.command, chat, how)
    return { ...reply, warnings: [...named.warnings, ...reply.warnings] }
  }

  /**
   * Sends one message in the lane of its chat. Resolves with the network's answer, or `pending` after the bounded wait.
   */
  async deliver(command: SendCommand, chat: ResolvedChat, how: Manner = {}): Promise<SendReply> {
    const { relays, delays, fallbacks } = this.#parts
    const { messageid, content, options } = command
    if ((options.delayMs ?? 0) > 0) delays.announce(messageid, chat.address)
    const hasFiles = listContentFiles(content).length > 0
    const needsUploads = hasFiles && !isKept(how.queued)
    const uploads =
      how.uploads ?? (needsUploads ? uploadFiles(this.#context, content, chat.address) : Promise.resolve([]))
    const sent = await relays.inLane(chat.address, () => this.#sendInTurn(command, chat, { ...how, uploads }))
    const record = await sent.stored
    // The files of a campaign are for others, too.
    if (hasFiles && command.campaign === undefined) releaseFiles(this.#context, content)
    const outcome = await sent.outcome
    if (outcome.status === 'failed') throw sendRefused(messageid, outcome.code, outcome.why)
    this.markReadAfter(command, chat.address)
    const replacement = 'menu' in content ? fallbacks.findReplacement(messageid) : undefined
    const copied = this.#addHdCopy(command, uploads)
    // A message without an answer yet has one later, or is sent again: its caller does not wait for the copy, too.
    const { fields, warnings } = outcome.status === 'sent' ? await copied : NOTHING
    return {
      record: { ...record, ...replacement?.fields, ...fields, status: outcome.status },
      warnings: [...sent.warnings, ...(replacement === undefined ? [] : [replacement.warning]), ...warnings],
    }
  }

  /** Sends the large copy of an image, if it has one. Never rejects: without it the image is there in its small form. */
  async #addHdCopy({ messageid, content }: SendCommand, uploads: ReturnType<typeof uploadFiles>): Promise<Copied> {
    if (content.kind !== 'media' || content.hd === undefined) return NOTHING
    try {
      const [, uploaded] = await uploads
      if (uploaded === undefined) return { warnings: ['hd: the large copy was not sent: its file is gone'] }
      return {
        fields: { content: await this.#parts.revisions.addHdCopy(messageid, content.hd, uploaded) },
        warnings: [],
      }
    } catch (error) {
      const why = errorText(error)
      this.#context.logger.debug({ error: why }, 'The large copy of an image was not sent.')
      return { warnings: [`hd: the large copy was not sent: ${error instanceof GatewayError ? error.message : why}`] }
    }
  }

  /** Marks messages as read, if the caller asked for it, once the message is out. A failure there does not fail the send. */
  markReadAfter({ options }: Pick<SendCommand, 'options'>, chat: ChatAddress): void {
    if (!options.readChat && !options.readMessages) return
    this.#markRead(options.readChat === true, options.readMessages === true, chat).catch((error: unknown) =>
      this.#context.logger.debug({ error: errorText(error) }, 'Messages were not marked as read after a send.'),
    )
  }

  /** Runs in the lane of the chat. The row is written, and the message relayed, in one step. */
  async #sendInTurn(
    command: SendCommand,
    chat: ResolvedChat,
    { uploads, queued, alongside, ticket }: Manner & Required<Pick<Manner, 'uploads'>>,
  ): Promise<Sent> {
    const { relays, delays } = this.#parts
    const { messageid } = command
    const { address } = chat
    try {
      ticket?.check(address)
    } catch (error) {
      delays.leave(messageid)
      throw error
    }
    await this.#waitForDelay(command, address)
    let warnings: readonly string[] = []
    const turn = await relays.takeTurn(address, async (connection) => {
      if (isKept(queued)) return connection.messages.recall(queued.proto)
      const composed = await composeSend(this.#context, connection, command, chat, await uploads)
      warnings = composed.warnings
      return composed.message
    })
    const changes = alongside?.()
    ticket?.take(address)
    const { outcome } = relays.answers.wait(messageid, command.options.sentEvent === true)
    this.#context.presences.cancel(address)
    const stored =
      queued === undefined
        ? insertPending(this.#context, command, address, turn.message, changes)
        : queuedToPending(this.#context, command, address, queued, { message: turn.message, alongside: changes })
    await relays.relay(turn, { messageid, chat: address, to: command.post }, stored)
    return { outcome, stored, warnings }
  }

  async #waitForDelay({ messageid, content, options }: SendCommand, chat: ChatAddress): Promise<void> {
    const { delayMs = 0 } = options
    if (delayMs > 0) await this.#parts.delays.wait(messageid, chat, content, delayMs)
  }

  async #markRead(isChat: boolean, areMessages: boolean, chat: ChatAddress): Promise<void> {
    const { id, reader } = this.#context
    if (areMessages) {
      const received = await reader.lastReceived(id, chat, READ_MESSAGES, READ_MESSAGES)
      if (received.length > 0) await markMessagesRead(this.#context, received, 'unread')
    }
    if (isChat) await readAfterSend(this.#context, chat)
  }
}

/** Returns true if the send names another message: one that it quotes, forwards or reacts to. */
function isNaming({ content, options }: SendCommand): boolean {
  return options.replyId !== undefined || content.kind === 'forward' || content.kind === 'reaction'
}

/** Returns true if the message was composed before, and refused. Its files are at the network, and the stored ones may be gone. */
function isKept(queued: MessageForActor | undefined): queued is MessageForActor & { readonly proto: Uint8Array } {
  return queued !== undefined && queued.proto !== null
}

/** A send whose delivery ends without a trace, because its row is written elsewhere. */
export class SendGivenUp extends Error {}

/** The right to write the row of a send: either its delivery takes it, or the caller's wait gives the delivery up. */
export class SendTicket {
  readonly #isOvertaking: (chat: ChatAddress) => boolean
  #state: 'open' | 'taken' | 'given up' = 'open'

  /** @param isOvertaking returns true if an earlier send to the chat was given up and has not left */
  constructor(isOvertaking: (chat: ChatAddress) => boolean) {
    this.#isOvertaking = isOvertaking
  }

  /** True once the delivery has written the row. */
  get isTaken(): boolean {
    return this.#state === 'taken'
  }

  /** @throws SendGivenUp if the delivery must not go on */
  check(chat: ChatAddress): void {
    if (this.#state === 'given up' || this.#isOvertaking(chat)) throw new SendGivenUp()
  }

  /** Called in the step that writes the row. @throws SendGivenUp if it must not be written */
  take(chat: ChatAddress): void {
    this.check(chat)
    this.#state = 'taken'
  }

  /** Returns false if the delivery has written the row. */
  giveUp(): boolean {
    if (this.isTaken) return false
    this.#state = 'given up'
    return true
  }
}
