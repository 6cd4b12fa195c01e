import { setImmediate } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { Tokenizer } from 'htmlparser2'

// Bound: 524,288, a page that is cut.

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
export async function readPage(body: Buffer, contentType: string): Promise<Page> {
  const { meta, title } = await scan(decodeText(body, contentType))
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
  return createDecoder(byteOrderMark(body) ?? fromHeader ?? fromPage ?? 'utf-8').decode(body)
}

function byteOrderMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}

function createDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('utf-8')
  }
}

/** Elements whose content is no part of the page's head. */
const SKIPPED: ReadonlySet<string> = new Set(['noscript', 'template', 'svg'])
/** Names of tags are short; a longer one is none that is read. */
const NAME_MAX = 20
/** Characters that are read before others get the event loop. */
const AT_ONCE = 64 * 1024
/** Maximum of attributes of a tag that are kept. */
const ATTRIBUTES_MAX = 50

/**
 * Reads the tags in one pass. A page is hostile until shown otherwise: the tokenizer keeps no stack of open tags, so that no page takes
 * longer than its length allows.
 */
async function scan(html: string): Promise<{ meta: ReadonlyMap<string, string>; title: string }> {
  const reader = new HeadReader(html)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  reader.onComplete = () => tokenizer.pause()
  for (let at = 0; at < html.length && tokenizer.running; at += AT_ONCE) {
    if (at > 0) await setImmediate()
    tokenizer.write(html.slice(at, at + AT_ONCE))
  }
  if (tokenizer.running) tokenizer.end()
  return { meta: reader.meta, title: reader.title }
}

/** Collects the title and the named `<meta>` from the tokens of a page. */
class HeadReader {
  readonly meta = new Map<string, string>()
  title = ''
  /** Called when the rest of the page can add nothing that is shown. */
  onComplete = (): void => {}
  readonly #html: string
  #name = ''
  #attributes = new Map<string, string>()
  #attribute = ''
  #value = ''
  #title: 'none' | 'open' | 'closed' = 'none'
  #skipped = ''

  constructor(html: string) {
    this.#html = html
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#nameAt(start, end)
    this.#attributes = new Map()
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#nameAt(start, end)
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#name === 'meta') this.#value += this.#html.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    if (this.#name === 'meta') this.#value += String.fromCodePoint(codePoint)
  }

  onattribend(): void {
    if (this.#name === 'meta' && this.#attributes.size < ATTRIBUTES_MAX && !this.#attributes.has(this.#attribute))
      this.#attributes.set(this.#attribute, this.#value)
  }

  onopentagend(): void {
    if (this.#skipped !== '') return
    if (this.#name === 'meta') this.#keepMeta()
    else if (this.#name === 'title' && this.#title === 'none') this.#title = 'open'
    // Some pages have their `<meta>` in the body: only a page that has named itself is complete.
    else if (this.#name === 'body' && this.meta.has('og:title')) this.onComplete()
    else if (SKIPPED.has(this.#name)) this.#skipped = this.#name
  }

  onselfclosingtag(): void {
    if (!SKIPPED.has(this.#name)) this.onopentagend()
  }

  onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end)
    if (name === 'title' && this.#title === 'open') this.#title = 'closed'
    if (name === this.#skipped) this.#skipped = ''
  }

  ontext(start: number, end: number): void {
    if (this.#title === 'open') this.title += this.#html.slice(start, end)
  }

  ontextentity(codePoint: number): void {
    if (this.#title === 'open') this.title += String.fromCodePoint(codePoint)
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  /** Forgets a title that never ends: the rest of the page would be in it. */
  onend(): void {
    if (this.#title === 'open') this.title = ''
  }

  #nameAt(start: number, end: number): string {
    return end - start > NAME_MAX ? '' : this.#html.slice(start, end).toLowerCase()
  }

  #keepMeta(): void {
    const name = (this.#attributes.get('property') ?? this.#attributes.get('name') ?? '').trim().toLowerCase()
    const content = (this.#attributes.get('content') ?? '').trim()
    // The first of several is the one meant (ogp.me, arrays).
    if (name !== '' && content !== '' && !this.meta.has(name)) this.meta.set(name, content)
  }
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
