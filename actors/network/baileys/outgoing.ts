import { createHash } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import { randomBuffer } from '../../../lib/random.js'
import { isChannelJid } from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid } from '../../../schemas/ids.js'
import { toChatId } from '../../../schemas/jid.js'
import type { PreparedFile } from '../../../schemas/send-content.js'
import type { RequestedRevision } from '../../../schemas/send-request.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { UploadedMedia } from '../port/media.js'
import type { MessageInput, OutgoingContent, OutgoingMessage } from '../port/messages.js'
import { type Mention, type WrittenPeople, withMentions } from './address-forms.js'
import { withHandle } from './channel-handle.js'
import { contentForCallers } from './content.js'
import { unwrap } from './incoming.js'
import { composeLocationButton, composeMenu, composePaymentRequest, composePixButton } from './interactive.js'
import { readForLibrary, readMessage } from './kinds/read-message.js'
import { asViewOnce, composeMediaPart } from './media/parts.js'
import {
  buildChannelInvite,
  buildHeaders,
  composeEventCard,
  composeGroupInvite,
  composeProduct,
} from './outgoing-cards.js'
import { encodeWithSecret, secretsIn } from './secrets/message-secrets.js'
import { sealPayload } from './secrets/secret-cipher.js'
import { writeVcard } from './vcard.js'

/** From this on clients say "forwarded many times"; a sender may write any number. */
const SCORE_MAX = 127
/** Value of `SecretEncryptedMessage.SecretEncType` for edits of messages. */
const SECRET_MESSAGE_EDIT = 2

/** Composes a message as the network's own clients do, with the secret that reporting tokens and later edits need. */
export function composeMessage(input: MessageInput, people: WrittenPeople, chat = ''): OutgoingMessage {
  const { content } = input
  if (isChannelJid(chat)) return composePost(input)
  if (content.kind === 'reaction') return outgoing({ reactionMessage: buildReaction(content, people) })
  if (content.kind === 'vote') return composeVote(content, people)
  const context = withPair(contextInfo(input, people), content)
  const part =
    content.kind === 'forward'
      ? forwardedPart(content.target, context ?? {})
      : composePart(mentioning(content, people.mentions), context === null ? {} : { contextInfo: context })
  // A menu has its secret already: votes are encrypted under it.
  const info = part.messageContextInfo ?? { messageSecret: randomBuffer(32) }
  return outgoing({ ...part, messageContextInfo: { ...info, ...buildAlbumContext(content, chat) } })
}

/**
 * Composes a post of a channel: nothing of it is encrypted, so it has no secret, and it quotes and mentions nobody.
 * @throws GatewayError NOT_SUPPORTED for what channels do not take
 */
function composePost({ content, quoted, mentions = [] }: MessageInput): OutgoingMessage {
  const isPoll = content.kind === 'menu' && content.menu.type === 'poll'
  const isFile = content.kind === 'media' && content.viewOnce !== true && content.albumId === undefined
  if (content.kind !== 'text' && !isFile && !isPoll)
    throw new GatewayError('NOT_SUPPORTED', { message: 'Not supported: channels take texts, files and polls.' })
  if (quoted !== undefined || mentions.length > 0)
    throw new GatewayError('NOT_SUPPORTED', {
      message: 'Not supported: a post of a channel quotes and mentions nobody.',
    })
  const { messageContextInfo: _, ...part } = composePart(content, {})
  const message = outgoing(part)
  const handle = content.kind === 'media' ? content.uploaded.handle : undefined
  return handle === undefined ? message : { ...message, proto: withHandle(message.proto, handle) }
}

/** Says of the small copy of an image that the large one follows. */
function withPair(context: proto.IContextInfo | null, content: OutgoingContent): proto.IContextInfo | null {
  if (content.kind !== 'media' || content.hd === undefined) return context
  return { ...context, pairedMediaType: proto.ContextInfo.PairedMediaType.SD_IMAGE_PARENT }
}

/** Names the album that a file is a part of, as Baileys' `generateWAMessage` does. */
function buildAlbumContext(content: OutgoingContent, chat: string): proto.IMessageContextInfo {
  if (content.kind !== 'media' || content.albumId === undefined) return {}
  const { MEDIA_ALBUM } = proto.MessageAssociation.AssociationType
  const parentMessageKey = { remoteJid: chat, fromMe: true, id: content.albumId }
  return { messageAssociation: { associationType: MEDIA_ALBUM, parentMessageKey } }
}

/** Writes mentions into the text: clients draw one where the text has the digits of the mentioned JID. */
function mentioning<C extends Exclude<OutgoingContent, { kind: 'reaction' | 'forward' | 'vote' }>>(
  content: C,
  mentions: readonly Mention[],
): C {
  switch (content.kind) {
    case 'text':
    case 'locationRequest':
      return { ...content, text: withMentions(content.text, mentions) }
    case 'media':
      return content.caption === undefined ? content : { ...content, caption: withMentions(content.caption, mentions) }
    case 'payment':
      return { ...content, payment: { ...content.payment, text: withMentions(content.payment.text, mentions) } }
    case 'menu':
    case 'carousel':
      return { ...content, menu: { ...content.menu, text: withMentions(content.menu.text, mentions) } }
    default:
      return content
  }
}

/** @param former the message before an edit, whose secret the edited one keeps */
export function outgoing(message: proto.IMessage, former?: proto.IMessage): OutgoingMessage {
  const described = contentForCallers(unwrap(message))
  return {
    ...encoded(message),
    ...(former === undefined ? {} : { proto: encodeWithSecret(message, former) }),
    text: described?.text ?? '',
    content: described?.content ?? null,
    ...(described?.convertOptions === undefined ? {} : { convertOptions: described.convertOptions }),
  }
}

function encoded(message: proto.IMessage) {
  return { proto: proto.Message.encode(message as proto.Message).finish(), native: message }
}

function composePart(
  content: Exclude<OutgoingContent, { kind: 'reaction' | 'forward' | 'vote' }>,
  context: { contextInfo?: proto.IContextInfo },
): proto.IMessage {
  switch (content.kind) {
    case 'media': {
      const part = composeMediaPart(content, { ...context, ...(content.viewOnce ? { viewOnce: true } : {}) })
      return content.viewOnce ? asViewOnce(part) : part
    }
    case 'text':
      return { extendedTextMessage: { text: content.text, ...composePreview(content), ...content.style, ...context } }
    case 'contact':
      return { contactMessage: { displayName: content.fullName, vcard: writeVcard(content), ...context } }
    case 'contacts': {
      const contacts = content.cards.map((card) => ({ displayName: card.fullName, vcard: writeVcard(card) }))
      return { contactsArrayMessage: { displayName: `${contacts.length} contacts`, contacts, ...context } }
    }
    case 'location': {
      const { latitude, longitude, name, address } = content
      return {
        locationMessage: {
          degreesLatitude: latitude,
          degreesLongitude: longitude,
          ...(name === undefined ? {} : { name }),
          ...(address === undefined ? {} : { address }),
          ...context,
        },
      }
    }
    case 'event':
      return { eventMessage: { ...composeEventCard(content), ...context } }
    case 'channelInvite':
      return { newsletterAdminInviteMessage: buildChannelInvite(content) }
    case 'groupInvite':
      return { groupInviteMessage: { ...composeGroupInvite(content), ...context } }
    case 'menu':
    case 'carousel':
      return composeMenu(content.menu, { ...context, media: buildHeaders(content) })
    case 'album':
      return {
        albumMessage: { expectedImageCount: content.images, expectedVideoCount: content.videos, ...context },
      }
    case 'product':
      return { productMessage: { ...composeProduct(content), ...context } }
    case 'pix':
      return composePixButton(content.key, context.contextInfo)
    case 'locationRequest':
      return composeLocationButton(content.text, context.contextInfo)
    case 'payment':
      return composePaymentRequest(content.payment, buildHeaders(content)[0], context.contextInfo)
  }
}

/**
 * Returns the content of a stored message for another chat: with its present text, without its quote and secrets, and marked as forwarded if
 * somebody else wrote it, as phones do.
 * @throws GatewayError NOT_SUPPORTED for what phones do not forward
 */
function forwardedPart(target: MessageForActor, context: proto.IContextInfo): proto.IMessage {
  const whole = presentMessage(target.proto ?? new Uint8Array(), target)
  const { messageContextInfo: _, senderKeyDistributionMessage: __, ...inner } = unwrap(whole) as proto.IMessage
  if (inner.conversation != null)
    return { extendedTextMessage: { text: inner.conversation, ...forwardContext(target, {}, context) } }
  for (const name of FORWARDED) {
    const part = inner[name] as
      | { contextInfo?: proto.IContextInfo | null; viewOnce?: boolean | null }
      | null
      | undefined
    if (part == null || part.viewOnce) continue
    const copy = { [name]: { ...part, ...forwardContext(target, part.contextInfo ?? {}, context) } } as proto.IMessage
    return copy.documentMessage?.caption ? { documentWithCaptionMessage: { message: copy } } : copy
  }
  throw new GatewayError('NOT_SUPPORTED', { message: 'Not supported: a message of this kind cannot be forwarded.' })
}

/** Contents that phones forward. */
const FORWARDED = [
  'extendedTextMessage',
  'imageMessage',
  'videoMessage',
  'ptvMessage',
  'audioMessage',
  'documentMessage',
  'stickerMessage',
  'locationMessage',
  'contactMessage',
  'contactsArrayMessage',
] as const satisfies readonly (keyof proto.IMessage)[]

function forwardContext({ fromMe }: MessageForActor, former: proto.IContextInfo, context: proto.IContextInfo) {
  const forwardingScore = Math.min((former.forwardingScore ?? 0) + (fromMe ? 0 : 1), SCORE_MAX)
  const contextInfo = { ...context, ...(forwardingScore > 0 ? { isForwarded: true, forwardingScore } : {}) }
  return { contextInfo: Object.keys(contextInfo).length === 0 ? null : contextInfo }
}

function buildReaction(
  { emoji, target }: { emoji: string; target: MessageForActor },
  people: WrittenPeople,
): proto.Message.IReactionMessage {
  return { key: networkKey(target, people.target), text: emoji, senderTimestampMs: Date.now() }
}

/**
 * Composes a vote under the secret of its poll, in the form of `msgsecret.go` of tulir/whatsmeow. It replaces an earlier vote of this account.
 * @throws GatewayError NOT_SUPPORTED for a poll without a secret, which nobody can vote in
 */
function composeVote(
  { target, options }: Extract<OutgoingContent, { kind: 'vote' }>,
  people: WrittenPeople,
): OutgoingMessage {
  const [secret] = target.proto === null ? [] : secretsIn(readMessage(target.proto))
  const { target: author, own: modifier } = people
  if (secret === undefined || author === undefined || modifier === undefined)
    throw new GatewayError('NOT_SUPPORTED', {
      message: 'Not supported: the poll has no secret under which votes are encrypted.',
    })
  const selectedOptions = options.map((option) => createHash('sha256').update(option).digest())
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
  const scope = { secret, messageid: target.messageid, author, modifier, useCase: 'Poll Vote' } as const
  const { payload: encPayload, iv: encIv } = sealPayload(plain, scope)
  const made = outgoing({
    pollUpdateMessage: {
      pollCreationMessageKey: networkKey(target, author),
      vote: { encPayload, encIv },
      senderTimestampMs: Date.now(),
    },
  })
  return { ...made, content: { ...(made.content as object), selectedOptions: options } }
}

/** Returns the key of a message. In groups it has the author, under the address that the group uses. */
export function networkKey({ messageid, chat, fromMe, isGroup }: MessageForActor, author?: Jid) {
  return {
    remoteJid: chat.group ?? chat.lid ?? toChatId(chat),
    fromMe,
    id: messageid,
    ...(isGroup && !fromMe && author !== undefined ? { participant: author } : {}),
  }
}

function composePreview(content: Extract<OutgoingContent, { kind: 'text' }>): proto.Message.IExtendedTextMessage {
  const { linkPreview: preview, previewTitle, previewDescription, uploaded } = content
  if (preview === undefined) return {}
  return {
    matchedText: preview.url,
    title: previewTitle ?? preview.title ?? '',
    description: previewDescription ?? preview.description ?? null,
    previewType: proto.Message.ExtendedTextMessage.PreviewType.NONE,
    ...(preview.thumbnail === undefined ? {} : { jpegThumbnail: Buffer.from(preview.thumbnail, 'base64') }),
    ...(preview.picture === undefined || uploaded === undefined ? {} : largePicture(preview.picture, uploaded)),
  }
}

/** Returns the fields of a large preview picture, in the form of Baileys' `generateWAMessageContent` (`Utils/messages.js`, `highQualityThumbnail`). */
function largePicture(
  { width, height }: PreparedFile<'preview'>,
  uploaded: UploadedMedia,
): proto.Message.IExtendedTextMessage {
  return {
    thumbnailDirectPath: uploaded.directPath,
    mediaKey: uploaded.mediaKey,
    mediaKeyTimestamp: uploaded.mediaKeyTimestampSeconds,
    thumbnailSha256: uploaded.fileSha256,
    thumbnailEncSha256: uploaded.fileEncSha256,
    ...(width === undefined || height === undefined ? {} : { thumbnailWidth: width, thumbnailHeight: height }),
  }
}

/** Returns the JIDs that a text of this account mentions. An edit keeps them. */
export function mentionedBy({ proto: bytes }: MessageForActor): readonly string[] {
  return bytes === null ? [] : (findContext(unwrap(readMessage(bytes)))?.mentionedJid ?? [])
}

/**
 * Composes an edit or a deletion, in the form of Baileys' `generateWAMessageContent` (`Utils/messages.js`). An edited text keeps its quote and
 * mentions.
 * @param sealedBy own address in the chat, if an edit is to be encrypted; null: it is plain, as web clients send it
 */
export function composeRevision(
  target: MessageForActor,
  revision: Exclude<RequestedRevision, { kind: 'pin' | 'keep' }>,
  mentions: readonly Mention[],
  sealedBy: Jid | null,
): { message: OutgoingMessage; after: OutgoingMessage | null } {
  const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  const key = networkKey(target)
  if (revision.kind === 'delete') return { message: outgoing({ protocolMessage: { key, type: REVOKE } }), after: null }
  const whole: proto.IMessage = target.proto === null ? {} : readMessage(target.proto)
  const former = unwrap(whole)
  const text = withMentions(revision.text, mentions)
  const editedMessage = editedContent(former, text)
  const edit = { protocolMessage: { key, type: MESSAGE_EDIT, editedMessage, timestampMs: Date.now() } }
  const sealed = sealedBy === null ? null : sealEdit(edit, whole, sealedBy)
  const { messageContextInfo } = former
  return {
    message: sealed === null ? outgoing(edit) : { ...outgoing(edit), ...encoded(sealed) },
    after: outgoing({ ...editedMessage, ...(messageContextInfo ? { messageContextInfo } : {}) }, whole),
  }
}

/** Kinds whose caption can be edited. Round videos have none. */
const CAPTIONED = ['imageMessage', 'videoMessage', 'documentMessage'] as const

function findContext(message: proto.IMessage): proto.IContextInfo | null | undefined {
  const part = message.extendedTextMessage ?? CAPTIONED.map((name) => message[name]).find(Boolean)
  return part?.contextInfo
}

/**
 * Returns the content of a message with another text or caption. A caption keeps its file, which is not uploaded again.
 * @throws GatewayError NOT_EDITABLE
 */
export function editedContent(former: proto.IMessage, text: string): proto.IMessage {
  for (const name of CAPTIONED) {
    const part = former[name]
    if (!part) continue
    if ('viewOnce' in part && part.viewOnce)
      throw new GatewayError('NOT_EDITABLE', { message: 'A message to be viewed once cannot be edited.' })
    const message: proto.IMessage = { [name]: { ...part, caption: text } }
    return name === 'documentMessage' ? { documentWithCaptionMessage: { message } } : message
  }
  if (former.ptvMessage) throw new GatewayError('NOT_EDITABLE')
  const contextInfo = findContext(former)
  return contextInfo ? { extendedTextMessage: { text, contextInfo } } : { conversation: text }
}

/** Composes the setting of disappearing messages of a direct chat, as whatsmeow does (`send.go`): not wrapped, and with its time. */
export function composeTimer(seconds: number): OutgoingMessage {
  const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type
  const ephemeralSettingTimestamp = Math.floor(Date.now() / 1000)
  return outgoing({
    protocolMessage: { type: EPHEMERAL_SETTING, ephemeralExpiration: seconds, ephemeralSettingTimestamp },
  })
}

/**
 * Composes a pin of a message, in the form of Baileys' `generateWAMessageContent`; 0 seconds unpin it.
 * @param author of a group's message, under the address that the group uses
 */
export function composePin(target: MessageForActor, seconds: number, author: Jid | undefined): OutgoingMessage {
  const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type
  const type = seconds > 0 ? PIN_FOR_ALL : UNPIN_FOR_ALL
  return outgoing({
    pinInChatMessage: { key: networkKey(target, author), type, senderTimestampMs: Date.now() },
    ...(seconds > 0 ? { messageContextInfo: { messageAddOnDurationInSecs: seconds } } : {}),
  })
}

/**
 * Keeps a message of a chat whose messages disappear, or lets it disappear.
 * @param author of a group's message, under the address that the group uses
 */
export function composeKeep(target: MessageForActor, isKept: boolean, author: Jid | undefined): OutgoingMessage {
  const { KEEP_FOR_ALL, UNDO_KEEP_FOR_ALL } = proto.KeepType
  const keepType = isKept ? KEEP_FOR_ALL : UNDO_KEEP_FOR_ALL
  return outgoing({ keepInChatMessage: { key: networkKey(target, author), keepType, timestampMs: Date.now() } })
}

/**
 * Encrypts a plain edit of an own message under the secret of that message, in the form of `secret_enc_addon.rs` and `message_edit.rs` of
 * oxidezap/whatsapp-rust: the envelope repeats the secret. Returns null if the message has no secret.
 * @param author own address, in the form that the chat uses
 */
function sealEdit(edit: proto.IMessage, original: proto.IMessage, author: string): proto.IMessage | null {
  const [secret] = secretsIn(original)
  const targetMessageKey = edit.protocolMessage?.key
  if (secret === undefined || !targetMessageKey?.id) return null
  const scope = { secret, messageid: targetMessageKey.id, author, modifier: author, useCase: 'Message Edit' } as const
  const { payload, iv } = sealPayload(proto.Message.encode(edit).finish(), scope)
  const secretEncType = SECRET_MESSAGE_EDIT
  return {
    secretEncryptedMessage: { targetMessageKey, encPayload: payload, encIv: iv, secretEncType },
    messageContextInfo: { messageSecret: secret },
  }
}

/** Returns whether a message changes another one. Such messages have no rows. */
export function isRevision(message: proto.IMessage): boolean {
  const { protocolMessage, secretEncryptedMessage, pinInChatMessage, keepInChatMessage } = message
  return Boolean(protocolMessage ?? secretEncryptedMessage ?? pinInChatMessage ?? keepInChatMessage)
}

/** Returns the attributes by which the server knows the stanza of a change; without them it is an ordinary message (Baileys `Socket/messages-send.js`). */
export function stanzaAttributes(message: proto.IMessage): Record<string, string> {
  const { protocolMessage, secretEncryptedMessage, pinInChatMessage, keepInChatMessage, ptvMessage } = message
  // As whatsmeow's `getEditAttribute`.
  if (keepInChatMessage?.key?.fromMe && keepInChatMessage.keepType === proto.KeepType.UNDO_KEEP_FOR_ALL)
    return { edit: '7' }
  if (secretEncryptedMessage) return { type: 'text', edit: '1' }
  if (pinInChatMessage) return { edit: '2' }
  // The library mistakes a round video for a text.
  if (ptvMessage) return { type: 'media' }
  const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  if (protocolMessage?.type === MESSAGE_EDIT) return { edit: '1' }
  if (protocolMessage?.type === REVOKE) return { edit: '7' }
  return {}
}

/** Makes a stored message ready to be relayed again. */
export function recallMessage(bytes: Uint8Array): OutgoingMessage {
  const message = readForLibrary(bytes)
  return { ...outgoing(message), proto: bytes }
}

function contextInfo(input: MessageInput, people: WrittenPeople): proto.IContextInfo | null {
  const { quoted, forwarded, expirationSeconds } = input
  const context: proto.IContextInfo = {
    ...(quoted === undefined
      ? {}
      : {
          stanzaId: quoted.messageid,
          participant: people.quoted ?? quoted.sender,
          quotedMessage:
            quoted.proto === null
              ? { conversation: quoted.presentText }
              : withoutContext(presentMessage(quoted.proto, quoted)),
          ...(quoted.isGroup ? { remoteJid: toChatId(quoted.chat) } : {}),
        }),
    ...(people.mentions.length === 0 ? {} : { mentionedJid: people.mentions.map(({ jid }) => jid) }),
    ...(forwarded ? { isForwarded: true, forwardingScore: 1 } : {}),
    ...(expirationSeconds ? { expiration: expirationSeconds } : {}),
  }
  return Object.keys(context).length === 0 ? null : context
}

/** Returns a message with its present text or caption. The store has the first form of messages that others edited. */
function presentMessage(bytes: Uint8Array, { record, presentText }: MessageForActor): proto.Message {
  const message = readForLibrary(bytes)
  if (presentText === record.text) return message
  const inner = unwrap(message)
  if (inner.conversation != null) inner.conversation = presentText
  if (inner.extendedTextMessage) inner.extendedTextMessage.text = presentText
  for (const file of [inner.imageMessage, inner.videoMessage, inner.documentMessage])
    if (file) file.caption = presentText
  return message
}

/** Returns a message as it stands in a quote: without its own quote, and without its secrets. */
function withoutContext(message: proto.Message): proto.IMessage {
  const copy: proto.IMessage = { ...message, messageContextInfo: null }
  for (const part of Object.values(copy)) {
    if (typeof part === 'object' && part !== null && 'contextInfo' in part)
      (part as { contextInfo: unknown }).contextInfo = null
  }
  return copy
}
