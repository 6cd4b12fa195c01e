/** Makes messages in the form of Evolution API from our records. */
import { isObject } from '../../../lib/is-object.js'

type Json = Record<string, unknown>

// Bound: 200, an address or id.

/** A message record, or an event's. */
export type MessageRecord = Readonly<Record<string, unknown>>

/** Facts about the instance that its messages carry. */
export interface MessagePlace {
  readonly instanceId: string
  /** Base64 of the file, where the receiver wants it. */
  readonly base64?: string
}

/** Kinds whose network name follows from the kind alone. */
const PARTS: Readonly<Record<string, string>> = {
  image: 'imageMessage',
  audio: 'audioMessage',
  document: 'documentMessage',
  sticker: 'stickerMessage',
  location: 'locationMessage',
  reaction: 'reactionMessage',
}
const SOURCES = new Set(['android', 'ios', 'web', 'desktop'])

/** Returns the message with the names that clients of Evolution API read. Times are seconds. */
export function evolutionMessage(record: MessageRecord, { instanceId, base64 }: MessagePlace): Json {
  const { type, message } = toContent(record)
  const media = text(record.fileURL)
  return {
    key: evolutionKey(record),
    pushName: text(record.senderName) || (record.fromMe === true ? 'Você' : ''),
    status: toStatus(record),
    message: {
      ...message,
      ...(media === '' ? {} : { mediaUrl: media }),
      ...(base64 === undefined ? {} : { base64 }),
    },
    contextInfo: readContext(record),
    messageType: type,
    messageTimestamp: Math.floor(Number(record.messageTimestamp) / 1_000),
    instanceId,
    source: SOURCES.has(text(record.source)) ? record.source : 'unknown',
  }
}

/** Returns the key of a message: the number where it is known, and the LID beside it. */
function evolutionKey(record: MessageRecord): Json {
  const { chatid, chatlid, fromMe, messageid, isGroup } = record
  const lid = text(chatlid)
  const alternative = lid !== '' && lid !== chatid ? { remoteJidAlt: lid } : {}
  return {
    remoteJid: text(chatid),
    ...(isGroup === true ? {} : alternative),
    fromMe: fromMe === true,
    id: text(messageid),
    ...(isGroup === true && fromMe !== true ? toParticipant(record) : {}),
    addressingMode: text(chatid).endsWith('@lid') ? 'lid' : 'pn',
  }
}

function toParticipant({ sender, sender_pn: pn, sender_lid: lid }: MessageRecord): Json {
  const participant = text(pn) || text(sender)
  const other = text(lid)
  return { participant, ...(other === '' || other === participant ? {} : { participantAlt: other }) }
}

/** Returns the status under which clients know a message at its first sight. */
function toStatus({ fromMe, wasSentByApi, status }: MessageRecord): string {
  if (status === 'failed') return 'ERROR'
  if (wasSentByApi === true) return 'PENDING'
  return fromMe === true ? 'SERVER_ACK' : 'DELIVERY_ACK'
}

/** Returns the name of the network's part, and the message with the part under that name. */
function toContent(record: MessageRecord): { readonly type: string; readonly message: Json } {
  const content: Json = isObject(record.content) ? record.content : {}
  const type = findPart(record, content)
  if (type === 'conversation') return { type, message: { conversation: text(record.text) } }
  const { contextInfo: _context, ...part } = content
  const caption = text(record.text)
  const isCaptioned = type === 'imageMessage' || type === 'videoMessage' || type === 'documentMessage'
  const inner = isCaptioned && part.caption === undefined && caption !== '' ? { ...part, caption } : part
  return { type, message: { [type]: inner } }
}

function findPart({ messageType, mediaType, type }: MessageRecord, content: Json): string {
  const kind = text(messageType).toLowerCase()
  const known = PARTS[kind]
  if (known !== undefined) return known
  switch (kind) {
    case 'text':
      return 'conversation'
    case 'video':
      return mediaType === 'ptv' ? 'ptvMessage' : 'videoMessage'
    case 'contact':
      return Array.isArray(content.contacts) ? 'contactsArrayMessage' : 'contactMessage'
    case 'poll':
      return content.pollCreationMessageKey === undefined ? 'pollCreationMessageV3' : 'pollUpdateMessage'
    case 'button':
      return findButtonPart(content)
    case 'list':
      return content.singleSelectReply === undefined ? 'listMessage' : 'listResponseMessage'
    default:
      return text(type) || kind
  }
}

function findButtonPart(content: Json): string {
  if (content.nativeFlowResponseMessage !== undefined) return 'interactiveResponseMessage'
  if (content.selectedButtonId !== undefined) return 'buttonsResponseMessage'
  return content.selectedId === undefined ? 'interactiveMessage' : 'templateButtonReplyMessage'
}

function readContext({ content }: MessageRecord): unknown {
  return isObject(content) && isObject(content.contextInfo) ? content.contextInfo : null
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
