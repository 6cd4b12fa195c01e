import { appendFile } from 'node:fs/promises'
import type { BinaryNode } from '@whiskeysockets/baileys'
import { StanzaMask } from './stanza-mask.js'

export interface RecordingOptions {
  readonly file: string
  readonly maxBytes: number
  /** First line of the file. */
  readonly head: Readonly<Record<string, unknown>>
  readonly onFailure: (error: unknown) => void
}

/** One recording: a file with one JSON object per line. It ends by itself when the file is full or cannot be written. */
export class StanzaRecording {
  readonly file: string
  readonly #options: RecordingOptions
  readonly #mask = new StanzaMask()
  readonly #startedAtMs = performance.now()
  #isActive = true
  #stanzas = 0
  #bytes = 0
  #waiting: string[] = []
  #write: Promise<void> | undefined

  constructor(options: RecordingOptions) {
    this.file = options.file
    this.#options = options
    this.#append(options.head)
  }

  get isActive(): boolean {
    return this.#isActive
  }

  get stanzas(): number {
    return this.#stanzas
  }

  get bytes(): number {
    return this.#bytes
  }

  received(stanza: BinaryNode): void {
    this.#stanza('received', stanza)
  }

  /** `xml`: the library's log line for a stanza that it sends. */
  sent(xml: string): void {
    if (!this.#isActive) return
    const stanza = parseSentStanza(xml)
    if (stanza !== null) this.#stanza('sent', stanza)
  }

  sentStanza(stanza: BinaryNode): void {
    this.#stanza('sent', stanza)
  }

  /** Notes that a connection was opened or closed. */
  note(connection: 'opened' | 'closed'): void {
    this.#append({ connection })
  }

  /** Ends the recording. Resolves when the file is complete. */
  async end(): Promise<void> {
    this.#isActive = false
    await this.flushed()
  }

  /** Resolves when all lines so far are in the file. */
  async flushed(): Promise<void> {
    while (this.#write !== undefined) await this.#write
  }

  #stanza(direction: 'sent' | 'received', stanza: BinaryNode): void {
    if (!this.#isActive) return
    this.#append({ ms: Math.round(performance.now() - this.#startedAtMs), direction, stanza: this.#mask.mask(stanza) })
    if (this.#isActive) this.#stanzas += 1
  }

  #append(line: Readonly<Record<string, unknown>>): void {
    if (!this.#isActive) return
    let text = `${JSON.stringify(line)}\n`
    if (this.#bytes + text.length > this.#options.maxBytes) {
      this.#isActive = false
      text = `${JSON.stringify({ full: true })}\n`
    }
    this.#bytes += text.length
    this.#waiting.push(text)
    this.#write ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    try {
      // Lets the lines of one turn of the event loop leave in one write.
      await Promise.resolve()
      while (this.#waiting.length > 0) await appendFile(this.file, this.#waiting.splice(0).join(''), { mode: 0o600 })
    } catch (error) {
      this.#isActive = false
      this.#waiting = []
      this.#options.onFailure(error)
    } finally {
      this.#write = undefined
    }
  }
}

/** Text that the library logs for each stanza that it sends, at the level `trace` (`sendNode` in `Socket/socket.js` of 7.0.0-rc14). */
export const SENT_LINE = 'xml send'

// Bound: 65,536, a line of a recording.
const OPENING = /^<([\w:-]+)(?: (.*?))?(\/?)>$/
// Bound: 65,536, a line of a recording.
const CLOSING = /^<\/([\w:-]+)>$/
// Bound: 65,536, a line of a recording.
const ATTRIBUTE = /(?<![\w:-])([\w:-]{1,64})='([^']*)'/g

/**
 * Reads a stanza from the library's log line, which nothing else shows. There is one element to a line. A line that is no element stands for
 * content, whose bytes are not kept. A text with line breaks or quotes can distort the shape of the stanza, so callers must trust no value.
 * Returns null if there is no element at all. Never throws.
 */
export function parseSentStanza(xml: string): BinaryNode | null {
  let root: BinaryNode | null = null
  const open: BinaryNode[] = []
  // Bound: 65,536, a line of a recording.
  for (const line of xml.split('\n')) {
    const text = line.trim()
    const element = OPENING.exec(text)
    if (element !== null) {
      const [, tag = '', attributes = '', isClosed] = element
      const stanza: BinaryNode = { tag, attrs: Object.fromEntries(attributesIn(attributes)) }
      const parent = open.at(-1)
      if (parent !== undefined) append(parent, stanza)
      else root ??= stanza
      if (isClosed === '') open.push(stanza)
    } else if (CLOSING.exec(text)?.[1] === open.at(-1)?.tag) open.pop()
    else markContent(open.at(-1))
  }
  return root
}

function attributesIn(text: string): [string, string][] {
  return [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value])
}

function append(parent: BinaryNode, stanza: BinaryNode): void {
  if (Array.isArray(parent.content)) parent.content.push(stanza)
  else parent.content = [stanza]
}

function markContent(stanza: BinaryNode | undefined): void {
  if (stanza !== undefined && !Array.isArray(stanza.content)) stanza.content = new Uint8Array(1)
}
