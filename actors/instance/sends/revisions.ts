import { withTimeLimit } from '../../../lib/time-limit.js'
import { isChannelJid } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../schemas/jid.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { expandPlaceholders, hasPlaceholders } from '../../../schemas/placeholders.js'
import type { PreparedFile } from '../../../schemas/send-content.js'
import type { RequestedRevision, ReviseCommand, ReviseReply } from '../../../schemas/send-request.js'
import { isStatusChat } from '../../../schemas/status-post.js'
import type { MessageStatus } from '../../../schemas/stored-fields.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { Connection } from '../../network/port/connection.js'
import type { UploadedMedia } from '../../network/port/media.js'
import type { OutgoingMessage } from '../../network/port/messages.js'
import { pinnedChange, refiledChange } from '../message-changes.js'
import { orUnknown } from '../outcome.js'
import type { Change } from '../ports.js'
import type { SendOutcome } from './answers.js'
import type { SendsContext } from './context.js'
import { sendRefused } from './refusals.js'
import type { Relays } from './relays.js'

type RevisionsContext = Pick<SendsContext, 'id' | 'journal' | 'reader' | 'connection' | 'timing' | 'account'>

/** Makes the message of a change, and the change of the store that follows when the network has taken it. */
type Compose = (
  connection: Connection,
) => Promise<{ readonly message: OutgoingMessage; readonly effect: Change | null }>

/** The id of a change, and where it goes. */
interface Place {
  readonly messageid: MessageId
  readonly chat: ChatAddress
  /** The message that it changes. */
  readonly post: MessageId | undefined
}

/**
 * Edits and deletions of messages of ours, pins of any message, and timers of chats. Each goes through the lane of its chat, so behind the message that it changes. Its effect on
 * that message is written together with the network's answer. It has no row of its own: the caller repeats one that was lost.
 */
export class Revisions {
  readonly #context: RevisionsContext
  readonly #relays: Relays
  /** The change of the store that each makes once the network has taken it. */
  readonly #effects = new Map<MessageId, Change>()

  constructor(context: RevisionsContext, relays: Relays) {
    this.#context = context
    this.#relays = relays
  }

  /** @throws GatewayError SEND_REFUSED; OUTCOME_UNKNOWN if the network does not answer; the errors of `revisionTarget` */
  async revise({ messageid, id, revision }: ReviseCommand): Promise<ReviseReply> {
    const { id: instance, reader, connection } = this.#context
    await connection()
    const named = await reader.messagesNamed(instance, [id])
    const target =
      revision.kind === 'pin' || revision.kind === 'keep' ? pinTarget(named) : revisionTarget(named, revision.kind)
    const reply = { messageid: target.messageid, timestampMs: Date.now(), content: {} as unknown }
    if (target.status === 'deleted') return reply
    const wanted = await this.#filled(revision, target)
    const { group } = target.chat
    if (group !== undefined && isChannelJid(group))
      return { ...reply, content: await this.#revisePost(group, target, wanted) }
    const place = { messageid, chat: target.chat, post: target.messageid }
    const content = await this.#carryOut(place, async ({ messages }) => {
      const { message, after } = await messages.composeRevision(target, wanted)
      return { message, effect: this.#decideEffect(target, wanted, after) }
    })
    return { ...reply, content }
  }

  /**
   * Changes a post of a channel. Its change has the id of the post itself, so the network's answer is waited for here, in the lane of the channel.
   * @throws GatewayError NOT_SUPPORTED for a pin; the refusals of the network
   */
  async #revisePost(channel: Jid, target: MessageForActor, revision: RequestedRevision): Promise<unknown> {
    if (revision.kind === 'pin' || revision.kind === 'keep')
      throw new GatewayError('NOT_SUPPORTED', {
        message: 'Not supported: a post of a channel is neither pinned nor kept.',
      })
    const { journal, timing } = this.#context
    const done = this.#relays.inLane(target.chat, async () => {
      const { connection, message } = await this.#relays.takeTurn(target.chat, async ({ messages }) => {
        const { message, after } = await messages.composeRevision(target, revision)
        return after ?? message
      })
      const after = revision.kind === 'delete' ? null : message
      await orUnknown(() => connection.channels.revise(channel, target.messageid, after?.proto ?? null))
      await journal.write([composeEffect(target, after)])
      return message.content
    })
    done.catch(() => {})
    return await withTimeLimit(done, timing.ackTimeoutMs, () => {
      throw new GatewayError('OUTCOME_UNKNOWN')
    })
  }

  /**
   * Lets the messages of a direct chat disappear after that time; 0: they stay.
   * @throws GatewayError SEND_REFUSED, OUTCOME_UNKNOWN
   */
  async setTimer(messageid: MessageId, chat: ChatAddress, seconds: number): Promise<void> {
    await this.#context.connection()
    const effect: Change = { type: 'chat', chat, set: { wa_ephemeralExpiration: seconds }, announce: true }
    const place = { messageid, chat, post: undefined }
    await this.#carryOut(place, async ({ messages }) => ({ message: messages.composeTimer(seconds), effect }))
  }

  /**
   * Sends the large copy of an image that was sent. Resolves with the content of its message, whose file is the large one then.
   * @throws as `revise`; MESSAGE_NOT_FOUND if the image is not there, or has that file already
   */
  async addHdCopy(of: MessageId, file: PreparedFile<'image'>, uploaded: UploadedMedia): Promise<unknown> {
    const { id, reader, journal, account } = this.#context
    await journal.settled()
    const small = (await reader.messagesById(id, [of])).find(({ fromMe }) => fromMe)
    if (small === undefined || small.status === 'deleted') throw new GatewayError('MESSAGE_NOT_FOUND')
    let content: unknown = null
    const place = { messageid: newMessageId(), chat: small.chat, post: undefined }
    await this.#carryOut(place, async ({ messages }) => {
      const copy = messages.composeHdCopy(small, file, uploaded)
      if (copy === null) throw new GatewayError('MESSAGE_NOT_FOUND')
      content = copy.after.content
      const where = { messageid: of, chat: small.chat, fromMe: true, sender: account.own ?? {} }
      const effect = refiledChange({ type: 'refiled', ...where, ...copy.after, timestampMs: Date.now() })
      return { message: copy.message, effect }
    })
    return content
  }

  /** Sends a change in the lane of its chat. Resolves with its content once the network has taken it and its effect is stored. */
  async #carryOut(place: Place, compose: Compose): Promise<unknown> {
    const { messageid } = place
    const { journal, timing } = this.#context
    const relayed = this.#relay(place, compose)
    relayed.catch(() => {})
    const { outcome, content } = await withTimeLimit(relayed, timing.ackTimeoutMs, () => {
      throw new GatewayError('OUTCOME_UNKNOWN')
    })
    const result = await outcome
    if (result.status === 'failed') throw sendRefused(messageid, result.code, result.why)
    if (result.status === 'pending') throw new GatewayError('OUTCOME_UNKNOWN')
    // When the caller reads the message next, it is changed.
    await journal.settled()
    return content
  }

  /** Returns the changes to write with the network's answer to a message, which may be a revision. */
  answered(messageid: MessageId, error: number | null): readonly Change[] {
    const effect = this.#effects.get(messageid)
    this.#effects.delete(messageid)
    return effect === undefined || error !== null ? [] : [effect]
  }

  /** Handles a new connection. Revisions that the former one took and did not answer will have no answer. */
  opened(): void {
    this.#effects.clear()
  }

  #relay(
    { messageid, chat, post }: Place,
    compose: Compose,
  ): Promise<{ readonly outcome: Promise<SendOutcome>; readonly content: unknown }> {
    return this.#relays.inLane(chat, async () => {
      const turn = await this.#relays.takeTurn(chat, async (connection) => {
        const { message, effect } = await compose(connection)
        if (effect !== null) this.#effects.set(messageid, effect)
        return message
      })
      const { outcome } = this.#relays.answers.wait(messageid)
      await this.#relays.relay(turn, { messageid, chat, post }, Promise.resolve())
      return { outcome, content: turn.message.content }
    })
  }

  async #filled(revision: RequestedRevision, { chat }: MessageForActor): Promise<RequestedRevision> {
    if (revision.kind !== 'edit' || revision.isLiteral === true || !hasPlaceholders(revision.text)) return revision
    const values = await this.#context.reader.placeholderValues(this.#context.id, chat)
    return { kind: 'edit', text: expandPlaceholders(revision.text, values) }
  }

  #decideEffect(target: MessageForActor, revision: RequestedRevision, after: OutgoingMessage | null): Change | null {
    const { messageid, chat } = target
    // Nothing is stored of it: the store does not delete what disappears on phones.
    if (revision.kind === 'keep') return null
    if (revision.kind !== 'pin') return composeEffect(target, after)
    const atMs = Date.now()
    const untilMs = revision.seconds === 0 ? 0 : atMs + revision.seconds * 1000
    return pinnedChange({ messageid, untilMs, chat, by: this.#context.account.own ?? {}, byMe: true, atMs })
  }
}

function composeEffect({ messageid, chat }: MessageForActor, after: OutgoingMessage | null): Change {
  const state = after === null ? 'Deleted' : 'Edited'
  return {
    type: 'message.update',
    messageids: [messageid],
    fromMe: true,
    set:
      after === null
        ? { status: 'deleted' }
        : { content: after.content, edited: { text: after.text, atMs: Date.now() }, proto: after.proto },
    announce: {
      type: state,
      state,
      event: {
        Chat: toChatId(chat),
        IsFromMe: true,
        IsGroup: chat.group !== undefined,
        Timestamp: Math.floor(Date.now() / 1000),
        ...(after === null ? {} : { Text: after.text }),
      },
    },
  }
}

/** Time in which the network's clients take an edit (`EditWindow` in whatsmeow, `send.go`). They drop a later one in silence. */
const EDIT_AGE_MAX_MS = 20 * 60 * 1000

const UNSENT: ReadonlySet<MessageStatus> = new Set(['queued', 'failed', 'canceled'])

/** Kinds with a text of their own, or with a caption. */
const EDITABLE: ReadonlySet<string> = new Set(['text', 'image', 'video', 'document'])

/** Kinds that stand in no chat by themselves. */
const NOT_PINNED: ReadonlySet<string> = new Set(['reaction', 'pin', 'note', 'call'])

/**
 * Returns the message to edit or delete, among those with its id. A deletion also finds one that is deleted already.
 * @throws GatewayError MESSAGE_NOT_FOUND, NOT_OWN_MESSAGE, MESSAGE_NOT_SENT, NOT_EDITABLE, MESSAGE_TOO_OLD
 */
export function revisionTarget(
  messages: readonly MessageForActor[],
  kind: 'edit' | 'delete',
  nowMs: number = Date.now(),
): MessageForActor {
  const target = messages.find(({ fromMe }) => fromMe)
  if (target === undefined) throw new GatewayError(messages.length === 0 ? 'MESSAGE_NOT_FOUND' : 'NOT_OWN_MESSAGE')
  const { status, record, messageTimestampMs } = target
  if (UNSENT.has(status)) throw new GatewayError('MESSAGE_NOT_SENT')
  if (record.messageType === 'reaction')
    throw new GatewayError('NOT_EDITABLE', { message: 'A reaction is taken back by a reaction with an empty text.' })
  if (kind === 'delete') return target
  if (status === 'deleted')
    throw new GatewayError('MESSAGE_NOT_FOUND', { message: 'Message not found: it was deleted.' })
  if (isStatusChat(target.chat))
    throw new GatewayError('NOT_EDITABLE', { message: 'WhatsApp takes no edits of status posts. Delete the post.' })
  if (!EDITABLE.has(String(record.messageType))) throw new GatewayError('NOT_EDITABLE')
  // How long posts of channels can be edited is the network's matter.
  const isPost = target.chat.group !== undefined && isChannelJid(target.chat.group)
  if (!isPost && nowMs - messageTimestampMs > EDIT_AGE_MAX_MS) throw new GatewayError('MESSAGE_TOO_OLD')
  return target
}

/**
 * Returns the message to pin or unpin, of whoever, among those with its id.
 * @throws GatewayError MESSAGE_NOT_FOUND, MESSAGE_NOT_SENT, NOT_SUPPORTED
 */
export function pinTarget(messages: readonly MessageForActor[]): MessageForActor {
  const target = messages.find(({ status }) => status !== 'deleted')
  if (target === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
  if (UNSENT.has(target.status)) throw new GatewayError('MESSAGE_NOT_SENT')
  const { messageType } = target.record
  if (isStatusChat(target.chat))
    throw new GatewayError('NOT_SUPPORTED', { message: 'Not supported: a status post cannot be pinned.' })
  if (NOT_PINNED.has(String(messageType)))
    throw new GatewayError('NOT_SUPPORTED', {
      message: `Not supported: a message of type ${String(messageType)} cannot be pinned.`,
    })
  return target
}
