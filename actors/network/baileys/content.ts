import type { proto } from '@whiskeysockets/baileys'
import { type ChoiceAnswer, paymentText, readChoiceAnswer, readChoices } from './interactive-content.js'
import { toMessageId } from './key-codec.js'
import { BESIDE_CONTENT, isSenderKeyOnly, QUIET_KINDS } from './kinds/control-data.js'
import { findUnread, type Unread } from './kinds/read-message.js'
import { otherKind } from './other-kinds.js'
import { findPoll } from './poll-votes.js'
import { summarizeVcard } from './vcard.js'

export interface DescribedContent {
  readonly messageType: string
  readonly type: string
  readonly mediaType?: string
  readonly text: string
  readonly content: unknown
  readonly quoted?: string
  readonly reaction?: string
  readonly vote?: string
  readonly buttonOrListid?: string
  readonly convertOptions?: string
  /** True for kinds that clients do not show by themselves (`QUIET_KINDS`). */
  readonly isQuiet?: boolean
}

interface Described {
  readonly messageType: string
  readonly type: string
  readonly mediaType?: string
  readonly text?: string | null | undefined
  readonly vote?: string | null | undefined
  readonly buttonOrListid?: string | null | undefined
  readonly reaction?: string | null | undefined
  readonly quoted?: string | null | undefined
  readonly convertOptions?: string
}

/** Describes a message in the fields of the message record. Returns null if it has sender keys only, which are nothing for callers. */
export function contentForCallers(message: proto.IMessage): DescribedContent | null {
  const name = Object.keys(message).find(
    (key) => !BESIDE_CONTENT.has(key) && message[key as keyof proto.IMessage] != null,
  )
  if (name === undefined) return isSenderKeyOnly(message) ? null : notUnderstood(message)
  const part = message[name as keyof proto.IMessage]
  const described = describe(name, message)
  const quoted = described.quoted ?? readContext(part)?.stanzaId
  return {
    messageType: described.messageType,
    type: described.type,
    ...(described.mediaType === undefined ? {} : { mediaType: described.mediaType }),
    text: described.text ?? '',
    content: typeof part === 'string' ? part : toJson(part),
    ...(quoted ? { quoted: toMessageId(quoted) } : {}),
    ...(described.reaction ? { reaction: described.reaction } : {}),
    ...(described.vote ? { vote: described.vote } : {}),
    ...(described.buttonOrListid ? { buttonOrListid: described.buttonOrListid } : {}),
    ...(described.convertOptions ? { convertOptions: described.convertOptions } : {}),
    ...(QUIET_KINDS.has(name) ? { isQuiet: true } : {}),
  }
}

/** `type` of messages of which nothing is understood. */
export const NOT_UNDERSTOOD = 'unknown'

/** Describes a protocol message that is none of the known ones, or changes nothing that can be named. */
export function describeProtocol({ type, key }: proto.Message.IProtocolMessage): DescribedContent {
  return {
    messageType: 'other',
    type: 'protocolMessage',
    text: 'Control data of WhatsApp',
    content: { protocolType: type ?? 0 },
    ...(key?.id ? { quoted: toMessageId(key.id) } : {}),
    isQuiet: true,
  }
}

/** Describes a message of which nothing is understood by the numbers of its fields. Its bytes are in the store. */
function notUnderstood(message: proto.IMessage): DescribedContent {
  const { fields, isMalformed }: Unread = findUnread(message) ?? { fields: [], isMalformed: false }
  const named = fields.length === 0 ? 'without content' : `field ${fields.join(', ')}`
  return {
    messageType: 'other',
    type: NOT_UNDERSTOOD,
    text: isMalformed ? 'A message that cannot be parsed' : `Another kind of message (${named})`,
    content: { fields, ...(isMalformed ? { isMalformed } : {}) },
  }
}

function describe(name: string, message: proto.IMessage): Described {
  switch (name) {
    case 'conversation':
      return { messageType: 'text', type: 'text', text: message.conversation }
    case 'extendedTextMessage':
      return { messageType: 'text', type: 'text', text: message.extendedTextMessage?.text }
    case 'pollCreationMessage':
    case 'pollCreationMessageV2':
    case 'pollCreationMessageV3':
    case 'pollCreationMessageV5':
    case 'pollCreationMessageV6': {
      const poll = findPoll(message)
      return {
        messageType: 'poll',
        type: 'poll',
        text: poll?.name,
        convertOptions: (poll?.options ?? []).map((option) => option.optionName ?? '').join('|'),
      }
    }
    case 'pollUpdateMessage':
      return { messageType: 'poll', type: 'poll', quoted: message.pollUpdateMessage?.pollCreationMessageKey?.id }
    case 'reactionMessage':
      return {
        messageType: 'reaction',
        type: 'reaction',
        text: message.reactionMessage?.text,
        reaction: message.reactionMessage?.key?.id,
      }
    case 'buttonsMessage':
      return { messageType: 'button', type: 'text', text: message.buttonsMessage?.contentText, ...offered(message) }
    case 'interactiveMessage':
      return {
        messageType: 'button',
        type: 'text',
        text: message.interactiveMessage?.body?.text || paymentText(message),
        ...offered(message),
      }
    case 'listMessage': {
      const list = message.listMessage
      return { messageType: 'list', type: 'text', text: list?.description ?? list?.title, ...offered(message) }
    }
    case 'buttonsResponseMessage':
    case 'templateButtonReplyMessage':
    case 'listResponseMessage':
    case 'interactiveResponseMessage':
      return answered(readChoiceAnswer(message))
    default:
      return describeFile(name, message) ?? { type: name, ...otherKind(name, message) }
  }
}

/** Maximum of contacts of a message that its text shows. Clients send up to 257. */
const CONTACTS_MAX = 300

/** Describes files, places and contacts. Returns null for other kinds. */
function describeFile(name: string, message: proto.IMessage): Described | null {
  switch (name) {
    case 'imageMessage':
      return { messageType: 'image', type: 'media', mediaType: 'image', text: message.imageMessage?.caption }
    case 'videoMessage':
      return {
        messageType: 'video',
        type: 'media',
        mediaType: message.videoMessage?.gifPlayback ? 'gif' : 'video',
        text: message.videoMessage?.caption,
      }
    case 'ptvMessage':
      return { messageType: 'video', type: 'media', mediaType: 'ptv' }
    case 'audioMessage':
      return { messageType: 'audio', type: 'media', mediaType: message.audioMessage?.ptt ? 'ptt' : 'audio' }
    case 'documentMessage':
      return {
        messageType: 'document',
        type: 'media',
        mediaType: 'document',
        text: message.documentMessage?.caption ?? message.documentMessage?.fileName,
      }
    case 'stickerMessage':
      return { messageType: 'sticker', type: 'media', mediaType: 'sticker' }
    case 'locationMessage':
      return { messageType: 'location', type: 'media', mediaType: 'location', text: message.locationMessage?.name }
    case 'liveLocationMessage':
      return {
        messageType: 'location',
        type: 'media',
        mediaType: 'location',
        text: message.liveLocationMessage?.caption,
      }
    case 'contactMessage':
      return { messageType: 'contact', type: 'media', mediaType: 'vcard', text: summary(message.contactMessage) }
    case 'contactsArrayMessage':
      return {
        messageType: 'contact',
        type: 'media',
        mediaType: 'vcard',
        text: message.contactsArrayMessage?.contacts?.slice(0, CONTACTS_MAX).map(summary).join('\n\n'),
      }
    default:
      return null
  }
}

function summary(contact: proto.Message.IContactMessage | null | undefined): string {
  return summarizeVcard(contact?.displayName ?? '', contact?.vcard ?? '')
}

function answered(answer: ChoiceAnswer | null): Described {
  return {
    messageType: answer?.kind ?? 'button',
    type: 'text',
    ...(answer?.kind === 'list' ? { mediaType: 'list_response' } : {}),
    vote: answer?.text,
    buttonOrListid: answer?.id,
    quoted: answer?.quoted,
  }
}

function offered(message: proto.IMessage): { convertOptions?: string } {
  const labels = readChoices(message) ?? []
  return labels.length === 0 ? {} : { convertOptions: labels.join('|') }
}

function readContext(part: unknown): proto.IContextInfo | undefined {
  if (typeof part !== 'object' || part === null) return undefined
  return (part as { contextInfo?: proto.IContextInfo | null }).contextInfo ?? undefined
}

/**
 * Fields with keys of files and votes, which are removed. Otherwise they would be in every webhook and every copy of the database. Callers get
 * the file itself, and the whole message is stored sealed.
 */
const KEYS = new Set(['mediaKey', 'messageSecret', 'encKey'])

/**
 * Maximum depth of content. A sender can nest quotes to any depth, while clients quote one message. Writers and readers of JSON have a limit,
 * and stored content must be readable inside of other records.
 */
const DEPTH_MAX = 64

/** Converts a protocol buffer to plain JSON: bytes become base64, long integers numbers. Leaves out absent fields and keys. */
function toJson(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return null
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map((inner) => toJson(inner, depth + 1))
  if (typeof value === 'object' && value !== null) {
    const long = value as { low?: unknown; high?: unknown; toNumber?: () => number }
    if (typeof long.low === 'number' && typeof long.high === 'number') return long.high * 2 ** 32 + (long.low >>> 0)
    const result: Record<string, unknown> = {}
    for (const [key, inner] of Object.entries(value))
      if (inner !== null && inner !== undefined && !KEYS.has(key)) result[key] = toJson(inner, depth + 1)
    return result
  }
  return value
}
