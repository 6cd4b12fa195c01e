import { proto } from '@whiskeysockets/baileys'
import { cut as cutText } from '../../../lib/cut.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { bareJid, type ChatAddress, isGroupJid, isLidJid, toChatAddress } from '../../../schemas/jid.js'
import { makeNote } from '../../../schemas/message-note.js'
import type { AdSource, NewMessage } from '../../../schemas/stored-fields.js'
import type { NetworkEvent } from '../port/events.js'
import { contentForCallers, type DescribedContent, describeProtocol, NOT_UNDERSTOOD } from './content.js'
import { toMessageId } from './key-codec.js'
import { isProtocolControl } from './kinds/control-data.js'
import { hdParentIn } from './kinds/hd-copy.js'
import { unwrap } from './kinds/newer-parts.js'
import { envelopeIn, type SecretEnvelope } from './secrets/open-envelope.js'

// Bound: 65,536, a text or attribute of a stanza.

export { unwrap }

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
  /** True for the copy of a sender key beside a group's ciphertext. That one has the content. */
  readonly isBesideGroup?: boolean
}

/** Content of a record that is described later. */
export const NOTHING: DescribedContent = { messageType: 'other', type: '', text: '', content: null }

/**
 * Translates a decrypted message into an event: a message, a change of one, a note of a change that is
 * encrypted, or nothing for callers. What is nothing for callers:
 * `kinds/control-data.ts`.
 * @param encoded its bytes; without them it is encoded again, and loses what the library does not know
 */
export function translateMessage(
  envelope: MessageEnvelope,
  decrypted: proto.IMessage,
  own: { jid: string; lid: string | null },
  encoded?: Uint8Array,
): NetworkEvent | null {
  if (envelope.isPeer && envelope.fromMe) return null
  const message = unwrap(decrypted)
  const chat = toChatAddress(envelope.chat, envelope.chatAlternative)
  const sender = findEnvelopeSender(envelope, own)
  const protocol = message.protocolMessage
  if (protocol) {
    const event = translateProtocol(protocol, { envelope, chat, sender })
    if (event !== null || isProtocolControl(protocol)) return event
    if (protocol.type === proto.Message.ProtocolMessage.Type.MESSAGE_EDIT)
      return { type: 'note', message: secretNote({ envelope, decrypted, own, encoded }, unreadableEdit(protocol)) }
  }
  const secret = protocol ? null : envelopeIn(message)
  if (secret !== null) return { type: 'note', message: secretNote({ envelope, decrypted, own, encoded }, secret) }
  const described = protocol ? describeProtocol(protocol) : contentForCallers(message)
  if (described === null || (envelope.isBesideGroup && described.type === NOT_UNDERSTOOD)) return null
  const ad = envelope.fromMe ? null : readAdSource(message)
  const pin = pinIn(message, envelope.timestampSeconds)
  const record = makeRecord({ envelope, decrypted, own, encoded }, described)
  return { type: 'message', message: { ...record, ...(ad === null ? {} : { ad }), ...(pin === null ? {} : { pin }) } }
}

/** A decrypted message with what is around it. Without its bytes it is encoded again. */
export interface Decrypted {
  readonly envelope: MessageEnvelope
  readonly decrypted: proto.IMessage
  readonly encoded?: Uint8Array | undefined
  readonly own: { readonly jid: string; readonly lid: string | null }
}

/** Makes the record of a decrypted message. */
export function makeRecord({ envelope, decrypted, own, encoded }: Decrypted, described: DescribedContent): NewMessage {
  return {
    ...frameMessage(envelope, own),
    ...described,
    proto: encoded ?? proto.Message.encode(decrypted).finish(),
  }
}

/** Returns the fields of a message's record that do not depend on its content. */
export function frameMessage(envelope: MessageEnvelope, own: Decrypted['own']) {
  const sender = findEnvelopeSender(envelope, own)
  return {
    messageid: envelope.id,
    chat: toChatAddress(envelope.chat, envelope.chatAlternative),
    fromMe: envelope.fromMe,
    isGroup: isGroupJid(envelope.chat),
    messageTimestampMs: envelope.timestampSeconds * 1000,
    sender: sender.pn ?? sender.lid ?? bareJid(envelope.sender),
    ...(sender.pn === undefined ? {} : { senderPn: sender.pn }),
    ...(sender.lid === undefined ? {} : { senderLid: sender.lid }),
    ...(envelope.pushName ? { senderName: envelope.pushName } : {}),
    source: guessSource(envelope.id),
    // A message from another device of this account was accepted by the network. Messages of others have been delivered.
    status: envelope.fromMe ? 'sent' : 'delivered',
  } as const satisfies Partial<NewMessage>
}

/** An edit whose content is not understood, as one that cannot be decrypted. */
function unreadableEdit({ key }: proto.Message.IProtocolMessage): Pick<SecretEnvelope, 'kind' | 'target' | 'useCases'> {
  return { kind: 'edit', target: key?.id ?? '', useCases: [] }
}

/** Makes the note of an encrypted change. It stays one unless the change is applied (`secrets/read-change.ts`). */
function secretNote(
  message: Decrypted,
  { kind, target, useCases }: Pick<SecretEnvelope, 'kind' | 'target' | 'useCases'>,
): NewMessage {
  const reason = useCases.length === 0 ? 'unsupported' : 'original_missing'
  return makeNote(makeRecord(message, NOTHING), { kind, target: toMessageId(target), reason })
}

/** Returns who sent a message. */
export function findEnvelopeSender(envelope: MessageEnvelope, own: Decrypted['own']): ChatAddress {
  return envelope.fromMe ? toChatAddress(own.jid, own.lid) : toChatAddress(envelope.sender, envelope.senderAlternative)
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
  // The edit of a caption may name the large copy of a picture, which is no message of its own.
  const target = hdParentIn(protocol.editedMessage ?? {}) ?? protocol.key
  if (!target?.id) return null
  // `fromMe` in the key is the sender's view. Senders may revise only their own messages, but an admin may delete those of others.
  const common = {
    type: 'revised' as const,
    messageid: toMessageId(target.id),
    chat,
    fromMe: envelope.fromMe,
    sender,
    byAdmin: envelope.edit === '8' && isGroupJid(envelope.chat) && target.fromMe !== true,
    timestampMs: envelope.timestampSeconds * 1000,
  }
  if (protocol.type === REVOKE) return { ...common, change: { kind: 'deleted' } }
  if (protocol.type !== MESSAGE_EDIT || !protocol.editedMessage) return null
  const described = contentForCallers(unwrap(protocol.editedMessage))
  if (described === null || described.type === NOT_UNDERSTOOD) return null
  const { text, content } = described
  const authoredMs = Number(protocol.timestampMs ?? 0)
  const authored = authoredMs > 0 ? { authoredMs } : {}
  return { ...common, ...authored, byAdmin: false, change: { kind: 'edited', text, content } }
}

/** Guesses the sender's client by the form of the id, as Baileys' `getDevice` does. iOS: `3A` and 18 more; web: `3E` and 20 more; Android: 18 or 32 long. */
function guessSource(id: string): 'ios' | 'web' | 'android' {
  if (/^3A.{18}$/.test(id)) return 'ios'
  if (/^3E.{20}$/.test(id)) return 'web'
  if (/^(.{21}|.{32})$/.test(id)) return 'android'
  return 'web'
}

/** Returns the other address of a person among the candidates. */
export function findAlternative(jid: string, candidates: readonly (string | undefined)[]): Jid | undefined {
  const wanted = isLidJid(jid) ? 's.whatsapp.net' : 'lid'
  const found = candidates.find((one) => one?.endsWith(`@${wanted}`))
  return found === undefined ? undefined : bareJid(found)
}

// Messages that pin another one in their chat, for all members.

const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type

/** Longest time that clients offer. A sender may write any. */
const SECONDS_MAX = 30 * 86_400
/** Clients without a choice pinned for a week. */
const DEFAULT_SECONDS = 7 * 86_400

/** Returns what a message pins or unpins; null if it is about no pin. Strangers write it. */
export function pinIn(
  { pinInChatMessage, messageContextInfo }: proto.IMessage,
  timestampSeconds: number,
): NonNullable<NewMessage['pin']> | null {
  const id = pinInChatMessage?.key?.id
  if (!id) return null
  const messageid = toMessageId(id)
  if (pinInChatMessage?.type === UNPIN_FOR_ALL) return { messageid, untilMs: 0 }
  if (pinInChatMessage?.type !== PIN_FOR_ALL) return null
  const seconds = messageContextInfo?.messageAddOnDurationInSecs || DEFAULT_SECONDS
  return { messageid, untilMs: (timestampSeconds + Math.min(seconds, SECONDS_MAX)) * 1000 }
}

/** Maximum lengths, as in `schemas/records/ad.json`. An id or a URL that is longer is left out, since a part of it is of no use. */
const TITLE_MAX = 300
const BODY_MAX = 2_000
const URL_MAX = 2_000
const ID_MAX = 500
const PAYLOAD_BYTES_MAX = 6_000

/** Start of the entry points of ads that open a chat (`ctwa_ad`; Baileys issue 2354). Others, as a search or a link, are no ads. */
const AD_ENTRY_POINT = 'ctwa'

type Context = proto.IContextInfo

/**
 * Reads the ad that brought a person to write a message. Returns null for other messages. Since February 2026 some messages have only the
 * payloads and the entry point, without a preview of the ad (Baileys issue 2354). Previews of links use the same field as ads, without
 * these ids.
 */
function readAdSource(message: proto.IMessage): AdSource | null {
  const context = findContext(message)
  if (context === null || !isFromAd(context)) return null
  const { externalAdReply: ad, utm } = context
  const fields: Record<keyof AdSource, string | number | undefined> = {
    source: id(context.entryPointConversionSource) ?? id(context.conversionSource) ?? id(ad?.sourceType),
    sourceType: id(ad?.sourceType),
    sourceId: id(ad?.sourceId),
    sourceUrl: url(ad?.sourceUrl),
    sourceApp: id(ad?.sourceApp) ?? id(context.entryPointConversionApp),
    title: cut(ad?.title, TITLE_MAX),
    body: cut(ad?.body, BODY_MAX),
    mediaUrl: url(ad?.mediaUrl),
    thumbnailUrl: url(ad?.thumbnailUrl) ?? url(ad?.originalImageUrl),
    ctwaClid: id(ad?.ctwaClid),
    ref: id(ad?.ref),
    conversionSource: id(context.conversionSource),
    conversionData: base64(context.conversionData),
    conversionDelaySeconds: seconds(context.conversionDelaySeconds),
    entryPoint: id(context.entryPointConversionSource),
    entryPointApp: id(context.entryPointConversionApp),
    entryPointDelaySeconds: seconds(context.entryPointConversionDelaySeconds),
    ctwaPayload: base64(context.ctwaPayload),
    ctwaSignals: cut(context.ctwaSignals, BODY_MAX),
    utmSource: id(utm?.utmSource),
    utmCampaign: id(utm?.utmCampaign),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as AdSource
}

/** Returns the context of the content. A message has one content, beside parts without a context. */
function findContext(message: proto.IMessage): Context | null {
  for (const part of Object.values(message)) {
    const context = (part as { contextInfo?: Context | null } | null | undefined)?.contextInfo
    if (context) return context
  }
  return null
}

function isFromAd(context: Context): boolean {
  const { externalAdReply: ad, conversionData, conversionSource, ctwaPayload, entryPointConversionSource } = context
  if (ad?.ctwaClid || ad?.sourceId || ad?.sourceType === 'ad') return true
  if (ctwaPayload?.length || conversionData?.length || conversionSource) return true
  return entryPointConversionSource?.startsWith(AD_ENTRY_POINT) ?? false
}

function id(text: string | null | undefined): string | undefined {
  return text && text.length <= ID_MAX ? text : undefined
}

function url(text: string | null | undefined): string | undefined {
  return text && text.length <= URL_MAX ? text : undefined
}

function cut(text: string | null | undefined, max: number): string | undefined {
  return text ? cutText(text, max) : undefined
}

function base64(bytes: Uint8Array | null | undefined): string | undefined {
  if (!bytes?.length || bytes.length > PAYLOAD_BYTES_MAX) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

function seconds(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
