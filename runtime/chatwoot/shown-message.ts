/** Makes the text of a message as agents see it. */
import { isObject } from '../../lib/is-object.js'

type Record_ = Readonly<Record<string, unknown>>

const FILES: ReadonlySet<string> = new Set(['image', 'video', 'document', 'audio', 'sticker'])

/** Returns true if the message has a file that is carried with it. */
export function hasFile(record: Record_): boolean {
  return FILES.has(text(record.messageType)) && text(record.mediaType) !== ''
}

/** Returns the text, which may be empty for a message with a file. */
export function shownText(record: Record_): string {
  const said = composeBody(record)
  if (record.isGroup !== true || record.fromMe === true) return said
  // Bound: 150,000, a field of Chatwoot or of a message.
  const name =
    text(record.senderName) || text(record.sender_pn).split('@', 1)[0] || text(record.sender).split('@', 1)[0]
  return `**${name}:**\n${said}`
}

/** Returns the name of the file of a message. */
export function findFileName(record: Record_, mimetype: string): string {
  const content = isObject(record.content) ? record.content : {}
  const named = text(content.fileName)
  if (named !== '') return named
  // Bound: 150,000, a field of Chatwoot or of a message.
  const ending = /^[\w.-]+\/([\w.+-]+)/.exec(mimetype)?.[1]?.replace('jpeg', 'jpg').replace('mpeg', 'mp3') ?? 'bin'
  return `${text(record.messageType) || 'file'}.${ending}`
}

function composeBody(record: Record_): string {
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
      return formatLocation(content, said)
    case 'contact':
      return `👤 ${said}`
    case 'reaction':
      return said === '' ? '(reaction removed)' : said
    case 'poll':
    case 'button':
    case 'list':
      return findChoice(record, said)
    case 'unreadable':
      return '(a message that could not be decrypted; the phone shows it)'
    default:
      return said === '' ? `(${text(record.messageType) || 'message'})` : said
  }
}

function formatLocation(content: Record_, said: string): string {
  const [latitude, longitude] = [Number(content.degreesLatitude), Number(content.degreesLongitude)]
  const link = `https://www.google.com/maps?q=${latitude},${longitude}`
  const place = [said || text(content.name), text(content.address)].filter((part) => part !== '')
  return [`📍 ${place.join(', ')}`.trim(), ...(Number.isFinite(latitude + longitude) ? [link] : [])].join('\n')
}

/** A menu or poll with its choices, or the answer to one. */
function findChoice(record: Record_, said: string): string {
  const chosen = text(record.vote)
  if (chosen !== '') return chosen
  const options = text(record.convertOptions)
  // Bound: 150,000, a field of Chatwoot or of a message.
  const list = options === '' ? [] : options.split('|').map((option) => `- ${option}`)
  return [toChatwootText(said), ...list].filter((line) => line !== '').join('\n') || `(${text(record.messageType)})`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Marks of formatted text: those of Markdown in Chatwoot, and those of the network. Text within code is left as it is. */

// Bound: 65,536, a text; longer ones are left as they are.
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/
const BOLD = '\u0001'

/** `**bold**`, `*italic*` and `~~struck~~` become `*bold*`, `_italic_` and `~struck~`. */
export function toNetworkText(text: string): string {
  // Bound: 65,536, a text; longer ones are left as they are.
  return outsideCode(text, (part) =>
    part
      .replace(/\*\*(?=\S)([^*\n]*?\S)\*\*/g, `${BOLD}$1${BOLD}`)
      .replace(/(?<![*\w])\*(?=[^\s*])([^*\n]*?[^\s*]|[^\s*])\*(?![*\w])/g, '_$1_')
      .replace(/~~(?=\S)([^~\n]*?\S)~~/g, '~$1~')
      .replaceAll(BOLD, '*'),
  )
}

/** The other way. */
export function toChatwootText(text: string): string {
  // Bound: 65,536, a text; longer ones are left as they are.
  return outsideCode(text, (part) =>
    part
      .replace(/(?<![*\w])\*(?=[^\s*])([^*\n]*?[^\s*]|[^\s*])\*(?![*\w])/g, `${BOLD}$1${BOLD}`)
      .replace(/(?<![_\w])_(?=[^\s_])([^_\n]*?[^\s_]|[^\s_])_(?![_\w])/g, '*$1*')
      .replace(/(?<![~\w])~(?=[^\s~])([^~\n]*?[^\s~]|[^\s~])~(?![~\w])/g, '~~$1~~')
      .replaceAll(BOLD, '**'),
  )
}

/** Maximum length of a text whose marks are changed: the network takes no longer one. */
const FORMATTED_MAX = 65_536

function outsideCode(text: string, change: (part: string) => string): string {
  if (text.length > FORMATTED_MAX) return text
  // Bound: 65,536, a text; longer ones are left as they are.
  return text
    .replaceAll(BOLD, '')
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')
}
