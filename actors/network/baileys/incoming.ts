import { proto } from '@whiskeysockets/baileys'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { addressOf, bareJid, type ChatAddress, isGroupJid, isLidJid } from '../../../schemas/jid.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { NetworkEvent } from '../port/events.js'
import { contentForCallers } from './content.js'
import { messageIdOf } from './message-id.js'

/** Data around a ciphertext: sender, chat and time of the message. */
export interface MessageEnvelope {
  readonly id: MessageId
  readonly chat: string
  readonly chatAlternative?: string | undefined
  readonly fromMe: boolean
  readonly sender: string
  readonly senderAlternative?: string | undefined
  readonly pushName?: string | undefined
  readonly timestampSeconds: number
  /** Kind of change, from the sender: `8` is a deletion by an admin (`EditAttribute` in whatsmeow). */
  readonly edit?: string | undefined
  /** True for messages between devices of this account (history, keys, app state), which are no matter of callers. */
  readonly isPeer: boolean
}

/** Translates a decrypted message into an event: a message, a change of one, or nothing for callers. */
export function translateMessage(
  envelope: MessageEnvelope,
  decrypted: proto.IMessage,
  own: { jid: string; lid: string | null },
): NetworkEvent | null {
  if (envelope.isPeer) return null
  const message = unwrap(decrypted)
  const chat = addressOf(envelope.chat, envelope.chatAlternative)
  const sender = envelope.fromMe ? addressOf(own.jid, own.lid) : addressOf(envelope.sender, envelope.senderAlternative)
  const protocol = message.protocolMessage
  if (protocol) return translateProtocol(protocol, { envelope, chat, sender })
  const described = contentForCallers(message)
  if (described === null) return null
  const newMessage: NewMessage = {
    messageid: envelope.id,
    chat,
    fromMe: envelope.fromMe,
    isGroup: isGroupJid(envelope.chat),
    messageTimestampMs: envelope.timestampSeconds * 1000,
    sender: sender.pn ?? sender.lid ?? bareJid(envelope.sender),
    ...(sender.pn === undefined ? {} : { senderPn: sender.pn }),
    ...(sender.lid === undefined ? {} : { senderLid: sender.lid }),
    ...(envelope.pushName ? { senderName: envelope.pushName } : {}),
    source: sourceOf(envelope.id),
    // A message from another device of this account was accepted by the network. Messages of others have been delivered.
    status: envelope.fromMe ? 'sent' : 'delivered',
    ...described,
    proto: proto.Message.encode(decrypted).finish(),
  }
  return { type: 'message', message: newMessage }
}

interface Sending {
  readonly envelope: MessageEnvelope
  readonly chat: ChatAddress
  readonly sender: ChatAddress
}

/** Translates a message that changes the chat or another message. */
function translateProtocol(
  protocol: proto.Message.IProtocolMessage,
  { envelope, chat, sender }: Sending,
): NetworkEvent | null {
  const { EPHEMERAL_SETTING, REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  if (protocol.type === EPHEMERAL_SETTING && chat.group === undefined) {
    const set = { wa_ephemeralExpiration: protocol.ephemeralExpiration ?? 0 }
    return { type: 'chats', chats: [{ chat, set }] }
  }
  const target = protocol.key
  if (!target?.id) return null
  // `fromMe` in the key is the sender's view. Senders may revise only their own messages, but an admin may delete those of others.
  const common = {
    type: 'revised' as const,
    messageid: messageIdOf(target.id),
    chat,
    fromMe: envelope.fromMe,
    sender,
    byAdmin: envelope.edit === '8' && isGroupJid(envelope.chat) && target.fromMe !== true,
    timestampMs: envelope.timestampSeconds * 1000,
  }
  if (protocol.type === REVOKE) return { ...common, change: { kind: 'deleted' } }
  if (protocol.type !== MESSAGE_EDIT || !protocol.editedMessage) return null
  const described = contentForCallers(unwrap(protocol.editedMessage))
  if (described === null) return null
  const { text, content } = described
  return { ...common, byAdmin: false, change: { kind: 'edited', text, content } }
}

const WRAPPERS = [
  'deviceSentMessage',
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'viewOnceMessageV2Extension',
  'documentWithCaptionMessage',
  'editedMessage',
  'groupMentionedMessage',
  'botInvokeMessage',
  'botForwardedMessage',
  'botTaskMessage',
  'lottieStickerMessage',
  'associatedChildMessage',
  'eventCoverImage',
  'pollCreationMessageV4',
  'pollCreationOptionImageMessage',
  'groupStatusMessage',
  'groupStatusMessageV2',
  'groupStatusMentionMessage',
  'statusMentionMessage',
  'statusAddYours',
  'limitSharingMessage',
  'questionMessage',
  'questionReplyMessage',
] as const satisfies readonly (keyof proto.IMessage)[]

/** Returns the message inside of its wrappers (disappearing, view once, edited, sent by an own device, a picture of an album, …). */
export function unwrap(message: proto.IMessage): proto.IMessage {
  let inner = message
  for (let depth = 0; depth < 5; depth += 1) {
    const wrapped: proto.IMessage = inner
    const next = WRAPPERS.find((name) => wrapped[name]?.message)
    if (next === undefined) return inner
    inner = wrapped[next]?.message as proto.IMessage
  }
  return inner
}

/** Guesses the sender's client by the form of the id, as Baileys' `getDevice` does. iOS: `3A` and 18 more; web: `3E` and 20 more; Android: 18 or 32 long. */
function sourceOf(id: string): 'ios' | 'web' | 'android' {
  if (/^3A.{18}$/.test(id)) return 'ios'
  if (/^3E.{20}$/.test(id)) return 'web'
  if (/^(.{21}|.{32})$/.test(id)) return 'android'
  return 'web'
}

/** Returns the other address of a person among the candidates. */
export function alternativeOf(jid: string, candidates: readonly (string | undefined)[]): Jid | undefined {
  const wanted = isLidJid(jid) ? 's.whatsapp.net' : 'lid'
  const found = candidates.find((one) => one?.endsWith(`@${wanted}`))
  return found === undefined ? undefined : bareJid(found)
}
