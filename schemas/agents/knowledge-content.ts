/** Tells whether the content of an entry of knowledge is a text, an address or a file, by the content itself and by `fileType`. */
import { withoutEnd } from '../../lib/without-end.js'
import { invalidField } from '../invalid-field.js'

export type KnowledgeFileType = 'pdf' | 'html' | 'csv' | 'txt'

export type KnowledgeContent =
  | { readonly kind: 'text'; readonly text: string; readonly type: Exclude<KnowledgeFileType, 'pdf'> }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly type: KnowledgeFileType }

/** Maximum of a file and of a page, in bytes. */
export const KNOWLEDGE_FILE_MAX_BYTES = 10 * 2 ** 20

const URL_MAX = 4_096
const DATA_URL_HEAD_MAX = 200
/** A shorter text is a word, also if it could be base64. */
const BASE64_MIN = 16
/** A longer one without a space is no text. */
const WORD_MAX = 8 * 1024
const TYPES: Readonly<Record<string, KnowledgeFileType>> = {
  'application/pdf': 'pdf',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/plain': 'txt',
}

/** Returns the type that a media type names; '' for others. */
export function findKnowledgeType(mediaType: string): KnowledgeFileType | '' {
  // Bound: 1,000, a media type.
  return TYPES[(mediaType.split(';')[0] ?? '').trim().toLowerCase()] ?? ''
}

/** @throws GatewayError INVALID_REQUEST when the content is not what `fileType` says */
export function knowledgeContent(content: string, fileType: KnowledgeFileType | ''): KnowledgeContent {
  const token = content.trim()
  // Bound: 1,048,576, a field of a request.
  if (/^data:/i.test(token)) return fromDataUrl(token, fileType)
  // Bound: 1,048,576, a field of a request.
  if (/^https?:\/\/\S+$/i.test(token)) return fromUrl(token)
  const bytes = fromBase64(token)
  if (bytes !== null && isFile(bytes, token.length, fileType))
    return { kind: 'file', bytes, type: knowledgeFileType(bytes, fileType) }
  if (fileType === 'pdf') throw refused('is not a PDF file')
  return { kind: 'text', text: content, type: fileType === '' ? 'txt' : fileType }
}

/**
 * Returns the type of a file by its first bytes.
 * @throws GatewayError INVALID_REQUEST when it is not what `fileType` says, or of a type that is not read
 */
export function knowledgeFileType(bytes: Uint8Array, fileType: KnowledgeFileType | ''): KnowledgeFileType {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (start.includes('%PDF-')) {
    if (fileType !== '' && fileType !== 'pdf') throw refused(`is a PDF file, and fileType is ${fileType}`)
    return 'pdf'
  }
  if (fileType === 'pdf') throw refused('is not a PDF file')
  if (!isText(bytes)) throw refused('is a file of another type: pdf, html, csv and txt are read')
  if (fileType !== '') return fileType
  // Bound: 1,048,576, a field of a request.
  return /^(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body)\b/i.test(start) ? 'html' : 'txt'
}

function fromDataUrl(token: string, fileType: KnowledgeFileType | ''): KnowledgeContent {
  // Cut, so that a head without an end costs nothing.
  const head = token.slice(0, DATA_URL_HEAD_MAX)
  const comma = head.indexOf(',')
  // Bound: 1,000, cut above.
  const [mediaType = '', ...parameters] = head.slice('data:'.length, Math.max(0, comma)).split(';')
  const isBase64 = parameters.at(-1)?.trim().toLowerCase() === 'base64'
  const bytes = comma > 0 && isBase64 ? fromBase64(token.slice(comma + 1)) : null
  if (bytes === null) throw refused('must be base64 after its data: head')
  return { kind: 'file', bytes, type: knowledgeFileType(bytes, fileType || findKnowledgeType(mediaType)) }
}

function fromUrl(token: string): KnowledgeContent {
  if (token.length > URL_MAX) throw refused(`is a URL, which must be at most ${URL_MAX} characters`)
  if (!URL.canParse(token)) throw refused('is not a valid URL')
  return { kind: 'url', url: token }
}

/** Returns the bytes of strict base64 or base64url, which may have line breaks; null for other texts. */
function fromBase64(text: string): Buffer | null {
  // Bound: 1,048,576, a field of a request.
  const dense = text.replace(/[\r\n]+/g, '')
  // Bound: 1,048,576, a field of a request.
  if (!/^[\w+/-]+={0,2}$/.test(dense) || withoutEnd(dense, '=').length % 4 === 1) return null
  return Buffer.from(dense, 'base64')
}

/** Words are base64 too: only a signature, or a type that fits, makes a file of a short one. */
function isFile(bytes: Buffer, length: number, fileType: KnowledgeFileType | ''): boolean {
  if (length < BASE64_MIN) return false
  if (length > WORD_MAX || bytes.subarray(0, 1024).includes('%PDF-')) return true
  return fileType !== '' && fileType !== 'pdf' && isUtf8Text(bytes)
}

function isUtf8Text(bytes: Buffer): boolean {
  try {
    return isText(bytes) && new TextDecoder('utf-8', { fatal: true }).decode(bytes) !== ''
  } catch {
    return false
  }
}

/** Returns true unless there are bytes that no text has. UTF-16 has a mark at its beginning. */
function isText(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  for (const byte of bytes.subarray(0, 8_192)) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) return false
  return bytes.length > 0
}

function refused(why: string) {
  return invalidField('knowledge.content', why)
}

/** The model that makes vectors. Vectors of two models are never compared. */
export interface VectorSpace {
  readonly model: string
  readonly dimensions: number
}

/** Returns the name under which entries of knowledge have their model. */
export function spaceName({ model, dimensions }: VectorSpace): string {
  return `${model} ${dimensions}`
}
