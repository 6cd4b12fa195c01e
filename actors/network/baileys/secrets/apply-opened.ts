/** Applies changes that were decrypted with the secret of an earlier message. */
import { proto } from '@whiskeysockets/baileys'
import type { MessageId } from '../../../../schemas/ids.js'
import { toChatAddress } from '../../../../schemas/jid.js'
import type { NoteReason } from '../../../../schemas/message-note.js'
import type { MessageForActor } from '../../../../schemas/stored-message.js'
import type { NetworkEvent, Revision } from '../../port/events.js'
import { contentForCallers } from '../content.js'
import { findEnvelopeSender, type MessageEnvelope, makeRecord, NOTHING, translateMessage, unwrap } from '../incoming.js'
import { toMessageId } from '../key-codec.js'
import type { MessageWithNewer } from '../kinds/newer-parts.js'
import { findUnread, readMessage } from '../kinds/read-message.js'
import { countable } from '../poll-inbox.js'
import { findPoll, pollOptions, tally } from '../poll-votes.js'
import { applyEdit } from './edits.js'
import { encodeWithSecret } from './message-secrets.js'
import type { Opened, SecretEnvelope } from './open-envelope.js'
import type { ChangeStore, Own } from './people.js'

export interface OpenedChange {
  readonly envelope: MessageEnvelope
  /** The message that holds the envelope. */
  readonly message: proto.IMessage
  readonly encoded: Uint8Array | undefined
  readonly sealed: SecretEnvelope
  readonly original: MessageForActor
  readonly opened: Opened
}

type Result = readonly NetworkEvent[] | NoteReason

const { EventResponseMessage } = proto.Message
const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const RESPONSES: Readonly<Record<number, string>> = { 1: 'going', 2: 'not going', 3: 'maybe' }

/** @throws when the store cannot be read */
export async function applyOpened(change: OpenedChange, own: Own, store: ChangeStore): Promise<Result> {
  const { opened, sealed } = change
  switch (sealed.kind) {
    case 'edit':
      return await applyMessageEdit(change, own, store)
    case 'poll_edit':
      return await applyPoll(change, editedContent(decoded(opened.plaintext)), own, store)
    case 'event_edit':
      return applyEvent(change, editedContent(decoded(opened.plaintext)), own)
    case 'poll_option':
      return await applyOption(change, own, store)
    case 'reaction':
      return translated(change, reactionIn(change), own)
    case 'comment':
      return translated(change, commentIn(opened.plaintext, targetKey(change)), own)
    case 'event_response':
      return applyResponse(change, own)
    default:
      return 'unsupported'
  }
}

async function applyMessageEdit(change: OpenedChange, own: Own, store: ChangeStore): Promise<Result> {
  const { envelope, original, opened, sealed } = change
  const inner = asEdit(decoded(opened.plaintext), sealed.target)
  const event = inner === null ? null : translateMessage(envelope, inner, own)
  if (inner === null || event?.type !== 'revised') return 'unsupported'
  // The edit may name the copy in high definition within, as outside.
  if (event.messageid !== original.messageid && event.messageid !== toMessageId(sealed.target)) return 'unsupported'
  const content = editedContent(inner)
  if (content !== null && pollOptions(content) !== null) return await applyPoll(change, content, own, store)
  return content?.eventMessage
    ? applyEvent(change, content, own)
    : applyEdit({ ...event, messageid: original.messageid }, original)
}

/** Returns a decrypted edit with the key of its message, which the envelope has too. Clients may also write the new content alone. */
function asEdit(message: proto.IMessage | null, id: string): proto.IMessage | null {
  if (message === null || Object.keys(message).length === 0) return null
  const inner = unwrap(message)
  const { protocolMessage } = inner
  if (protocolMessage && !protocolMessage.editedMessage) return message
  if (protocolMessage?.key?.id && protocolMessage.type === MESSAGE_EDIT) return message
  const edit = protocolMessage ?? { editedMessage: inner }
  return { protocolMessage: { ...edit, type: MESSAGE_EDIT, key: edit.key?.id ? edit.key : { id } } }
}

async function applyPoll(
  change: OpenedChange,
  poll: proto.IMessage | null,
  own: Own,
  store: ChangeStore,
  isOption = false,
): Promise<Result> {
  const { original, opened } = change
  const { record, presentText } = original
  const options = poll === null ? null : pollOptions(poll)
  const described = poll === null ? null : contentForCallers(poll)
  if (poll === null || options === null || described === null || record.messageType !== 'poll') return 'unsupported'
  const { convertOptions = '', text } = described
  if (convertOptions === record.convertOptions && text === presentText) return []
  const votes = await votesFor(original.messageid, options, store)
  const after = {
    proto: encodeWithSecret(asStored(poll), opened.whole),
    convertOptions,
    ...(votes === null ? {} : { vote: votes.vote }),
    ...(isOption ? { options } : {}),
  }
  const content = { ...(described.content as object), ...(votes === null ? {} : { votes: votes.tally }) }
  return [revised(change, own, { kind: 'edited', text, content, after })]
}

function applyEvent(change: OpenedChange, content: proto.IMessage | null, own: Own): Result {
  const { original, opened } = change
  const described = content?.eventMessage ? contentForCallers(content) : null
  if (content === null || described === null || original.record.messageType !== 'event') return 'unsupported'
  const { text } = described
  const after = { proto: encodeWithSecret(content, opened.whole) }
  const isSame = JSON.stringify(described.content) === JSON.stringify(original.record.content)
  return isSame ? [] : [revised(change, own, { kind: 'edited', text, content: described.content, after })]
}

async function applyOption(change: OpenedChange, own: Own, store: ChangeStore): Promise<Result> {
  const { plaintext, whole } = change.opened
  const option = addedOption(decoded(plaintext))
  const poll = option === null ? editedContent(decoded(plaintext)) : withOption(unwrap(whole), option)
  return await applyPoll(change, poll, own, store, true)
}

/** Returns what the known votes come to with other options; null if nobody has voted. */
async function votesFor(poll: MessageId, options: readonly string[], { reader, instance }: ChangeStore) {
  const votes = await reader.pollVotes(instance, poll)
  if (votes.length === 0) return null
  const counted = tally(options, countable(votes))
  return {
    tally: counted,
    vote: JSON.stringify(counted.map(({ option, voters }) => ({ option, votes: voters.length }))),
  }
}

function revised({ envelope, original, sealed }: OpenedChange, own: Own, change: Revision): NetworkEvent {
  return {
    type: 'revised',
    messageid: original.messageid,
    chat: toChatAddress(envelope.chat, envelope.chatAlternative),
    fromMe: envelope.fromMe,
    sender: findEnvelopeSender(envelope, own),
    byAdmin: sealed.kind === 'poll_option',
    timestampMs: envelope.timestampSeconds * 1000,
    change,
  }
}

function reactionIn(change: OpenedChange): proto.IMessage | null {
  try {
    const { text, senderTimestampMs } = proto.Message.ReactionMessage.decode(change.opened.plaintext)
    return {
      reactionMessage: { key: targetKey(change), text: text ?? '', senderTimestampMs: senderTimestampMs ?? null },
    }
  } catch {
    return null
  }
}

/** Makes the message that was encrypted. The store keeps the bytes as they came. */
function translated({ envelope, message, encoded }: OpenedChange, plain: proto.IMessage | null, own: Own): Result {
  const bytes = encoded ?? proto.Message.encode(message).finish()
  const event = plain === null ? null : translateMessage(envelope, plain, own, bytes)
  return event?.type === 'message' ? [event] : 'unsupported'
}

function applyResponse({ envelope, message, encoded, opened, sealed }: OpenedChange, own: Own): Result {
  try {
    const { response, timestampMs, extraGuestCount } = EventResponseMessage.decode(opened.plaintext)
    const words = RESPONSES[Number(response ?? 0)] ?? 'unknown'
    const content = { response: words, timestampMs: Number(timestampMs ?? 0), extraGuestCount: extraGuestCount ?? 0 }
    const described = { ...NOTHING, messageType: 'event', type: 'encEventResponseMessage', vote: words, content }
    const text = `Answer to an event: ${words}`
    const quoted = toMessageId(sealed.target)
    return [
      {
        type: 'message',
        message: makeRecord({ envelope, decrypted: message, encoded, own }, { ...described, text, quoted }),
      },
    ]
  } catch {
    return 'unsupported'
  }
}

function targetKey({ original: { fromMe }, sealed, envelope }: OpenedChange): proto.IMessageKey {
  return { remoteJid: envelope.chat, id: sealed.target, fromMe }
}

function decoded(plaintext: Uint8Array): proto.IMessage | null {
  const message = readMessage(plaintext)
  return findUnread(message)?.isMalformed ? null : message
}

/** Returns what a message says after an edit: the content of the edit, or the message itself. */
function editedContent(message: proto.IMessage | null): proto.IMessage | null {
  if (message === null) return null
  const inner = unwrap(message)
  const edited = inner.protocolMessage ? inner.protocolMessage.editedMessage : inner
  return edited ? unwrap(edited) : null
}

/** Returns the option that a message adds to a poll; null if it adds none. */
function addedOption(message: proto.IMessage | null): string | null {
  const inner: MessageWithNewer = message === null ? {} : unwrap(message)
  return inner.pollAddOptionMessage?.addOption?.optionName || null
}

/** Returns a poll with one more option; null if the message is no poll. */
function withOption(message: proto.IMessage, optionName: string): proto.IMessage | null {
  const poll = findPoll(message)
  if (poll === null) return null
  const options = poll.options ?? []
  const isKnown = options.some((option) => option.optionName === optionName)
  return asStored({ pollCreationMessage: { ...poll, options: isKnown ? options : [...options, { optionName }] } })
}

/** Returns a poll in the version of its number of choices. The library encodes no newer version. */
function asStored(message: proto.IMessage): proto.IMessage {
  const poll = findPoll(message)
  if (poll === null) return message
  const { messageContextInfo } = message
  const context = messageContextInfo ? { messageContextInfo } : {}
  return poll.selectableOptionsCount === 1
    ? { pollCreationMessageV3: poll, ...context }
    : { pollCreationMessage: poll, ...context }
}

/**
 * Returns the comment in a decrypted payload; null if it has none. Clients put in a whole message (whatsmeow, whatsapp-rust) or a
 * `CommentMessage` (zapo). The first field of both may hold the text, so the payload is a `CommentMessage` only if nothing of it is lost when it
 * is read as one.
 */
function commentIn(plaintext: Uint8Array, target: proto.IMessageKey): proto.IMessage | null {
  const message = asComment(plaintext) ?? asMessage(plaintext)
  return message === null ? null : { commentMessage: { message, targetMessageKey: target } }
}

function asComment(plaintext: Uint8Array): proto.IMessage | null {
  try {
    const { CommentMessage } = proto.Message
    const comment = CommentMessage.decode(plaintext)
    const isWhole = Buffer.compare(CommentMessage.encode(comment).finish(), plaintext) === 0
    return isWhole && comment.message && Object.keys(comment.message).length > 0 ? comment.message : null
  } catch {
    return null
  }
}

function asMessage(plaintext: Uint8Array): proto.IMessage | null {
  try {
    const message = proto.Message.decode(plaintext)
    return Object.keys(message).length > 0 ? message : null
  } catch {
    return null
  }
}
