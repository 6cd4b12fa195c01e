import { BodyFiles, type BodyFilesOptions } from './body-files.js'
import { bodyTooLarge, tooMany } from './json-body.js'

/** Maximum length of texts that stay in the body: URLs and small pictures. */
export const INLINE_TEXT_MAX = 8 * 1024

const [QUOTE, BACKSLASH, COMMA, COLON, BRACE, BRACE_END, BRACKET, BRACKET_END] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
]
/** Spaces, and line breaks and tabs as JSON escapes them. */
const BEHIND: ReadonlySet<number> = new Set(Buffer.from(' \\nrt'))

/** The beginning of a file as base64: a long text has a space or a full stop before. Line breaks and slashes may be escaped. */
// Bound: 8,192, a text that stays in the body.
const BASE64_START = /^\s*(data:[^,]{0,200},)?([\w+/=-]|\\[rnt/])*$/

type State =
  | 'outside'
  | 'string'
  /** A text that may be a file, and is not yet long enough to be one. */
  | 'candidate'
  | 'file'
  /** Behind the brace that ends a file in braces. */
  | 'behind'

export interface LargeBodyReaderOptions extends BodyFilesOptions {
  /** Maximum size of the body without its files. */
  readonly bodyBytesMax: number
  readonly bodyValuesMax: number
}

/** Separates the files of a JSON body from the rest, chunk by chunk. */
export class LargeBodyReader {
  readonly files: BodyFiles
  readonly #fields: ReadonlySet<string>
  readonly #rest: GrowingBuffer
  readonly #position: JsonPosition
  #state: State = 'outside'
  #isEscaped = false
  #string: Buffer[] = []
  #stringBytes = 0
  /** True when the file is a text in braces. */
  #isBraced = false
  /** True when the field may also hold a long text. */
  #isPerhapsText = false

  constructor(fields: ReadonlySet<string>, options: LargeBodyReaderOptions) {
    this.#fields = fields
    this.files = new BodyFiles(options)
    this.#rest = new GrowingBuffer(INLINE_TEXT_MAX, options.bodyBytesMax)
    this.#position = new JsonPosition(options.bodyValuesMax)
  }

  async take(chunk: Buffer): Promise<void> {
    let from = 0
    while (from < chunk.length) {
      if (this.#state === 'file') from = await this.#takeFile(chunk, from)
      else if (this.#state === 'behind') from = this.#takeBehind(chunk, from)
      else if (this.#state === 'outside') from = this.#takeOutside(chunk, from)
      else {
        const taken = this.#takeString(chunk, from)
        // A wait for each of many short texts would cost more than reading them.
        from = typeof taken === 'number' ? taken : await taken
      }
    }
  }

  /** Returns the body without its files. */
  rest(): Buffer {
    return this.#rest.content()
  }

  #takeOutside(chunk: Buffer, from: number): number {
    const position = this.#position
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (byte === QUOTE) {
        const end = endOfShort(chunk, index + 1)
        if (end < 0) {
          this.#rest.append(chunk.subarray(from, index + 1))
          this.#beginString()
          return index + 1
        }
        if (position.isKey) position.passKey(chunk.subarray(index + 1, end))
        index = end
        continue
      }
      if (byte === BRACE || byte === BRACKET) position.enter(byte === BRACKET)
      else if (byte === BRACE_END || byte === BRACKET_END) position.leave()
      else if (byte === COMMA) position.passComma()
      else if (byte === COLON) position.passColon()
    }
    this.#rest.append(chunk.subarray(from))
    return chunk.length
  }

  #beginString(): void {
    this.#string = []
    this.#stringBytes = 0
    this.#isEscaped = false
    this.#state = 'string'
    if (!this.#position.isFileValue) return
    const name = this.#position.name(({ isArray, key }) => (isArray ? '[]' : `.${key.toLowerCase()}`))
    this.#isBraced = this.#fields.has(`${name}{}`)
    this.#isPerhapsText = this.#fields.has(`${name}?`)
    if (this.#isBraced || this.#isPerhapsText || this.#fields.has(name)) this.#state = 'candidate'
  }

  #takeString(chunk: Buffer, from: number): number | Promise<number> {
    const position = this.#position
    const index = this.#endOfPart(chunk, from)
    const part = chunk.subarray(from, index)
    const isCandidate = this.#state === 'candidate'
    if (isCandidate || position.isKey) {
      this.#string.push(Buffer.from(part))
      this.#stringBytes += part.length
    }
    if (isCandidate && this.#stringBytes > INLINE_TEXT_MAX) return this.#takeLong(index)
    if (!isCandidate) this.#rest.append(part)
    if (index === chunk.length) return index
    if (isCandidate) this.#rest.append(Buffer.concat(this.#string))
    if (position.isKey) position.passKey(Buffer.concat(this.#string))
    this.#rest.append(chunk.subarray(index, index + 1))
    this.#state = 'outside'
    return index + 1
  }

  /** Returns the index of the end of the text, or of the chunk. */
  #endOfPart(chunk: Buffer, from: number): number {
    const quote = chunk.indexOf(QUOTE, from)
    const end = quote < 0 ? chunk.length : quote
    const backslash = chunk.indexOf(BACKSLASH, from)
    if (!this.#isEscaped && (backslash < 0 || backslash >= end)) return end
    let isEscaped = this.#isEscaped
    let index = from
    for (; index < chunk.length; index++) {
      const byte = chunk[index]
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) break
    }
    this.#isEscaped = isEscaped
    return index
  }

  /** Takes a candidate that is longer than texts which stay. It is a file, or a long text. */
  async #takeLong(index: number): Promise<number> {
    const begun = Buffer.concat(this.#string)
    this.#string = []
    // Bound: 8,192, a text that stays in the body.
    const [opening] = this.#isBraced ? (/^\s*\{(?!\{)/.exec(begun.toString('latin1')) ?? [null]) : ['']
    if (opening === null || (this.#isPerhapsText && !BASE64_START.test(begun.toString('latin1')))) {
      this.#rest.append(begun)
      this.#state = 'string'
      return index
    }
    this.#rest.append(begun.subarray(0, opening.length))
    this.files.begin(this.#position.name(({ isArray, key, index: item }) => (isArray ? `[${item}]` : `.${key}`)))
    this.#state = 'file'
    // A quote before the end is an escaped one, which base64 does not have.
    if (begun.includes(QUOTE)) throw this.files.notBase64()
    const taken = await this.#takeFile(begun, opening.length)
    if (taken < begun.length) this.#takeBehind(begun, taken)
    return index
  }

  async #takeFile(chunk: Buffer, from: number): Promise<number> {
    const { files } = this
    // Each of them ends the file: base64 has neither, escaped or not.
    const quote = chunk.indexOf(QUOTE, from)
    const brace = this.#isBraced ? chunk.subarray(from, quote < 0 ? chunk.length : quote).indexOf(BRACE_END) : -1
    if (this.#isBraced && quote >= 0 && brace < 0) throw files.notBase64()
    const found = brace < 0 ? quote : from + brace
    const end = found < 0 ? chunk.length : found
    await files.push(chunk.toString('latin1', from, end), found >= 0)
    if (found < 0) return end
    this.#rest.append(Buffer.from(await files.end()))
    this.#state = this.#isBraced ? 'behind' : 'outside'
    this.#rest.append(chunk.subarray(found, found + 1))
    return found + 1
  }

  /** Takes white space between the brace that ends a file and the end of its text. Nothing else may be there. */
  #takeBehind(chunk: Buffer, from: number): number {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (byte === QUOTE) {
        this.#rest.append(chunk.subarray(index, index + 1))
        this.#state = 'outside'
        return index + 1
      }
      if (!BEHIND.has(byte)) throw this.files.notBase64()
    }
    return chunk.length
  }
}

/** Returns the index of the quote that ends a text which stays; -1 if the quote is not in this chunk, or the text is longer. */
function endOfShort(chunk: Buffer, from: number): number {
  const to = Math.min(chunk.length, from + INLINE_TEXT_MAX)
  for (let index = from; index < to; index++) {
    const byte = chunk[index]
    if (byte === QUOTE) return index
    if (byte === BACKSLASH) index += 1
  }
  return -1
}

/** One buffer that grows. A buffer for each of many short texts would take a hundred times their bytes. */
class GrowingBuffer {
  readonly #bytesMax: number
  #buffer: Buffer
  #bytes = 0

  constructor(startBytes: number, bytesMax: number) {
    this.#buffer = Buffer.allocUnsafe(startBytes)
    this.#bytesMax = bytesMax
  }

  /** @throws GatewayError BODY_TOO_LARGE */
  append(bytes: Buffer): void {
    const length = this.#bytes + bytes.length
    if (length > this.#bytesMax) throw bodyTooLarge(this.#bytesMax)
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length))
      this.#buffer.copy(larger, 0, 0, this.#bytes)
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#bytes)
    this.#bytes = length
  }

  content(): Buffer {
    return this.#buffer.subarray(0, this.#bytes)
  }
}

/** Maximum depth of a field that may hold a file. */
const FRAMES_MAX = 3

/** An object or array around the place of the reader. */
interface JsonLevel {
  readonly isArray: boolean
  /** The last key of an object, as it was given. */
  key: string
  /** The number of items before, in an array. */
  index: number
}

/** Follows the objects and arrays around the place that a reader of JSON has reached, as deep as fields that may hold files are. */
class JsonPosition {
  readonly #valuesMax: number
  /** The outermost frames. */
  readonly #frames: JsonLevel[] = []
  #depth = 0
  #values = 0
  #isKey = false

  constructor(valuesMax: number) {
    this.#valuesMax = valuesMax
  }

  /** True where the next text is a key of one of the frames. */
  get isKey(): boolean {
    return this.#isKey
  }

  /** True where the next text may be a file. */
  get isFileValue(): boolean {
    return !this.#isKey && this.#frame !== undefined
  }

  /** @throws GatewayError INVALID_REQUEST when there are too many values */
  enter(isArray: boolean): void {
    this.#countValue()
    this.#depth += 1
    if (this.#depth <= FRAMES_MAX) this.#frames.push({ isArray, key: '', index: 0 })
    this.#isKey = this.#frame?.isArray === false
  }

  leave(): void {
    if (this.#depth <= this.#frames.length) this.#frames.pop()
    this.#depth -= 1
    this.#isKey = false
  }

  /** Passes a comma. @throws GatewayError INVALID_REQUEST when there are too many values */
  passComma(): void {
    this.#countValue()
    const frame = this.#frame
    if (frame !== undefined) frame.index += 1
    this.#isKey = frame?.isArray === false
  }

  passColon(): void {
    this.#isKey = false
  }

  /** Passes a key, as it is in the body. */
  passKey(escaped: Buffer): void {
    const frame = this.#frame
    if (frame !== undefined) frame.key = decodeKey(escaped)
  }

  /** Joins a part for each frame to the name of the field at this place. */
  name(format: (frame: JsonLevel) => string): string {
    return this.#frames.map(format).join('').slice(1)
  }

  /** The innermost frame; undefined outside of all, and deeper than any field that may hold a file. */
  get #frame(): JsonLevel | undefined {
    return this.#depth === this.#frames.length ? this.#frames.at(-1) : undefined
  }

  /** Stops the reading of a body that has too many objects, arrays and commas. Other values are counted when the body is parsed. */
  #countValue(): void {
    this.#values += 1
    if (this.#values > this.#valuesMax) throw tooMany('valuesMax', this.#valuesMax)
  }
}

function decodeKey(escaped: Buffer): string {
  if (!escaped.includes(BACKSLASH)) return escaped.toString('utf8')
  try {
    // Bound: 16,384, a key.
    return String(JSON.parse(`"${escaped.toString('utf8')}"`))
  } catch {
    return ''
  }
}
