import { TextDecoder } from 'node:util'
import { decodeEntities } from './entities.js'

export interface Page {
  /** At most 80 characters; empty when the page gives none. */
  readonly title: string
  /** At most 160 characters. */
  readonly description: string
  /** As written in the page, perhaps relative. */
  readonly image: string
}

const TITLE_MAX = 80
const DESCRIPTION_MAX = 160

/** Reads title, description and picture from the beginning of an HTML page: Open Graph first, then Twitter's names, then plain HTML. */
export function readPage(body: Buffer, contentType: string): Page {
  const { meta, title } = scan(decodeText(body, contentType))
  const first = (...names: string[]) => names.map((name) => meta.get(name) ?? '').find((value) => value !== '') ?? ''
  return {
    title: shorten(first('og:title', 'twitter:title') || title, TITLE_MAX),
    description: shorten(first('og:description', 'twitter:description', 'description'), DESCRIPTION_MAX),
    image: first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
  }
}

/** By byte order mark, then the header's charset, then the page's own `<meta>`, then UTF-8 (WHATWG HTML 13.2.3.2). */
function decodeText(body: Buffer, contentType: string): string {
  const start = body.subarray(0, 4096).toString('latin1')
  const fromHeader = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1]
  const fromPage = /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1]
  return decoderOf(byteOrderMark(body) ?? fromHeader ?? fromPage ?? 'utf-8').decode(body)
}

function byteOrderMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('utf-8')
  }
}

/** Elements whose content is text to a parser, so that a tag inside is none. */
const rawElements = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'iframe', 'svg'])

/**
 * One pass from tag to tag. A page is hostile until shown otherwise: each character is looked at a bounded number of times,
 * so no page takes longer than its length allows.
 */
function scan(html: string): { meta: Map<string, string>; title: string } {
  const lower = html.toLowerCase()
  const meta = new Map<string, string>()
  let title = ''
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = indexAfter(html, '-->', at + 4)
      continue
    }
    const name = nameAt(lower, at + 1)
    if (name === '') {
      at += 1
      continue
    }
    const { attributes, end } = attributesAt(html, at + 1 + name.length)
    at = end
    if (name === 'meta') keepMeta(meta, attributes)
    else if (name === 'title') {
      const close = lower.indexOf('</title', at)
      if (close < 0) break
      if (title === '') title = decodeEntities(html.slice(at, close))
      at = close + 7
    } else if (rawElements.has(name)) at = indexAfter(lower, `</${name}`, at)
  }
  return { meta, title }
}

function keepMeta(meta: Map<string, string>, attributes: ReadonlyMap<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name') ?? '').trim().toLowerCase()
  const content = decodeEntities(attributes.get('content') ?? '').trim()
  // The first of several is the one meant (ogp.me, arrays).
  if (name !== '' && content !== '' && !meta.has(name)) meta.set(name, content)
}

function nameAt(lower: string, at: number): string {
  let end = at
  while (end < at + 20 && isLetter(lower.charCodeAt(end))) end += 1
  return lower.slice(at, end)
}

const isLetter = (code: number) => code >= 97 && code <= 122
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

/** The attributes from here to the end of the tag, and the position after it. */
function attributesAt(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let at = from
  while (at < html.length) {
    while (isSpace(html.charCodeAt(at)) || html[at] === '/') at += 1
    if (at >= html.length) break
    if (html[at] === '>') return { attributes, end: at + 1 }
    const nameFrom = at
    while (at < html.length && !isSpace(html.charCodeAt(at)) && !'=>/'.includes(html[at]!)) at += 1
    // A stray `=` names nothing, but must be passed over.
    const name = html.slice(nameFrom, at).toLowerCase()
    while (isSpace(html.charCodeAt(at))) at += 1
    let value = ''
    if (html[at] === '=') {
      at += 1
      while (isSpace(html.charCodeAt(at))) at += 1
      const quote = html[at]
      if (quote === '"' || quote === "'") {
        const close = html.indexOf(quote, at + 1)
        if (close < 0) break
        value = html.slice(at + 1, close)
        at = close + 1
      } else {
        const valueFrom = at
        while (at < html.length && !isSpace(html.charCodeAt(at)) && html[at] !== '>') at += 1
        value = html.slice(valueFrom, at)
      }
    }
    if (name !== '' && !attributes.has(name)) attributes.set(name, value)
  }
  return { attributes, end: html.length }
}

/** After the next `mark`; the end when there is none. */
function indexAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

/** One line of visible text, cut at a whole character. */
function shorten(text: string, charactersMax: number): string {
  // Control characters, and marks that turn the direction of writing, would let a page disguise itself.
  const line = text
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffd]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= charactersMax) return line
  // A character may be long (a family of emoji has 11 units), but one of hundreds is an attack.
  const start = line.slice(0, charactersMax * 16)
  const characters = [...new Intl.Segmenter().segment(start)].map(({ segment }) => segment)
  if (characters.length <= charactersMax && start === line) return line
  return `${characters
    .slice(0, charactersMax - 1)
    .join('')
    .trimEnd()}…`
}
