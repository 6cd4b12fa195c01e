/** Makes the text of a message as agents see it. */
import { isObject } from '../../lib/is-object.js'
import { toChatwootText } from './formatting.js'

// Bound: 150,000, a field of Chatwoot or of a message.

type Record_ = Readonly<Record<string, unknown>>

const FILES: ReadonlySet<string> = new Set(['image', 'video', 'document', 'audio', 'sticker'])

/** Returns true if the message has a file that is carried with it. */
export function hasFile(record: Record_): boolean {
  return FILES.has(text(record.messageType)) && text(record.mediaType) !== ''
}

/** Returns the text, which may be empty for a message with a file. */
export function shownText(record: Record_): string {
  const said = bodyOf(record)
  if (record.isGroup !== true || record.fromMe === true) return said
  const name =
    text(record.senderName) || text(record.sender_pn).split('@', 1)[0] || text(record.sender).split('@', 1)[0]
  return `**${name}:**\n${said}`
}

/** Returns the name of the file of a message. */
export function fileNameOf(record: Record_, mimetype: string): string {
  const content = isObject(record.content) ? record.content : {}
  const named = text(content.fileName)
  if (named !== '') return named
  const ending = /^[\w.-]+\/([\w.+-]+)/.exec(mimetype)?.[1]?.replace('jpeg', 'jpg').replace('mpeg', 'mp3') ?? 'bin'
  return `${text(record.messageType) || 'file'}.${ending}`
}

function bodyOf(record: Record_): string {
  const content = isObject(record.content) ? record.content : {}
  const said = text(record.text)
  switch (record.messageType) {
    case 'text':
      return toChatwootText(said)
    case 'document':
      return toChatwootText(text(content.caption))
    case 'image':
    case 'video':
      return toChatwootText(said)
    case 'audio':
    case 'sticker':
      return hasFile(record) ? '' : said
    case 'location':
      return placeOf(content, said)
    case 'contact':
      return `👤 ${said}`
    case 'reaction':
      return said === '' ? '(reaction removed)' : said
    case 'poll':
    case 'button':
    case 'list':
      return choiceOf(record, said)
    case 'unreadable':
      return '(a message that could not be decrypted; the phone shows it)'
    default:
      return said === '' ? `(${text(record.messageType) || 'message'})` : said
  }
}

function placeOf(content: Record_, said: string): string {
  const [latitude, longitude] = [Number(content.degreesLatitude), Number(content.degreesLongitude)]
  const link = `https://www.google.com/maps?q=${latitude},${longitude}`
  const place = [said || text(content.name), text(content.address)].filter((part) => part !== '')
  return [`📍 ${place.join(', ')}`.trim(), ...(Number.isFinite(latitude + longitude) ? [link] : [])].join('\n')
}

/** A menu or poll with its choices, or the answer to one. */
function choiceOf(record: Record_, said: string): string {
  const chosen = text(record.vote)
  if (chosen !== '') return chosen
  const options = text(record.convertOptions)
  const list = options === '' ? [] : options.split('|').map((option) => `- ${option}`)
  return [toChatwootText(said), ...list].filter((line) => line !== '').join('\n') || `(${text(record.messageType)})`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
