/** Reads a JSON body of which some fields hold files as base64: these go to disk as they arrive, the rest is read like any other. */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { arrivedFileName } from '../../schemas/choices/media-source.js'
import { GatewayError } from '../../schemas/errors.js'
import { type ArrivedFile, Base64File } from './base64-file.js'
import { printable } from './inspect.js'
import { type BodyLimits, beginBody, hasBody, parseBody, readJsonBody, tooLarge, tooMany } from './json-body.js'

export interface LargeBodyOptions extends BodyLimits {
  /** Of what each field says, not of its base64. */
  readonly fileBytesMax: number
  readonly tempDir: string
}

export interface LargeBody {
  /** Where a field has gone to disk, another text stands in its place: the same for the same file, when the request has a key. */
  readonly body: unknown
  /** By the text that stands in their place. */
  readonly files: ReadonlyMap<string, ArrivedFile>
  /** Removes what nobody has taken away. */
  dispose(): Promise<void>
}

/** Shorter texts stay in the body: URLs and small pictures. */
const STAYS_MAX = 8 * 1024
/** So many of the largest; more small ones may be in one body. */
const FILES_MAX = 2
/** More than any list of a schema has items. */
const FILES_COUNT_MAX = 300
/** No field that may hold a file is deeper. */
const FRAMES_MAX = 3

const [QUOTE, BACKSLASH, COMMA, COLON, BRACE, BRACE_END, BRACKET, BRACKET_END] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
]

/**
 * `fields` name where files may be, in lower case: `file`, `cards[].image`, `choices[]{}` (a text in braces). All files of a body together
 * may be as large as two of the largest.
 * @throws GatewayError as `readJsonBody`, and MEDIA_TOO_LARGE, MEDIA_STORAGE_UNAVAILABLE; then nothing stays on disk
 */
export async function readLargeBody(
  request: IncomingMessage,
  response: ServerResponse,
  fields: ReadonlySet<string>,
  options: LargeBodyOptions,
): Promise<LargeBody> {
  if (!hasBody(request)) return { body: {}, files: new Map(), dispose: async () => {} }
  // Then no field of it can be so long.
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= STAYS_MAX)
    return { body: await readJsonBody(request, response, options), files: new Map(), dispose: async () => {} }
  // Base64, with a line break now and then or escaped slashes, and what is around it.
  const bytesMax = options.bodyBytesMax + FILES_MAX * Math.ceil(options.fileBytesMax * 1.42)
  beginBody(request, response, bytesMax)
  // What a file is counts only where a request may be asked again.
  const isHashed = request.headers['idempotency-key'] !== undefined
  const reader = new Reader(fields, isHashed, options)
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
      await reader.take(chunk)
    if (!request.complete)
      throw new GatewayError('REQUEST_TIMEOUT', { message: 'The body did not arrive in full; nothing was done.' })
    return {
      body: parseBody(reader.rest(), options),
      files: reader.files,
      dispose: () => reader.dispose(),
    }
  } catch (error) {
    await reader.dispose()
    if (error instanceof GatewayError) throw error
    throw new GatewayError('REQUEST_TIMEOUT', {
      message: 'The body did not arrive in full; nothing was done.',
      cause: error,
    })
  }
}

/** Spaces, and line breaks and tabs as JSON escapes them. */
const BEHIND: ReadonlySet<number> = new Set(Buffer.from(' \\nrt'))

/** What a reader is in the middle of. */
type State =
  | 'outside'
  | 'string'
  /** A value that may be a file: not yet so long that it must be one. */
  | 'candidate'
  | 'file'
  /** Behind the brace that ends a file in braces. */
  | 'behind'

/** An object or array around what comes. */
interface Frame {
  readonly isArray: boolean
  /** Of an object: the last key, as it was given. */
  key: string
  /** Of an array: how many came before. */
  index: number
}

class Reader {
  readonly files = new Map<string, ArrivedFile>()
  readonly #fields: ReadonlySet<string>
  readonly #isHashed: boolean
  readonly #options: LargeBodyOptions
  readonly #all: Base64File[] = []
  #kept = Buffer.allocUnsafe(STAYS_MAX)
  #keptBytes = 0
  #fileBytes = 0
  #state: State = 'outside'
  #depth = 0
  #values = 0
  /** The outermost ones. */
  readonly #frames: Frame[] = []
  #isEscaped = false
  /** In an object among them: what comes is a key. */
  #isKey = false
  #string: Buffer[] = []
  #stringBytes = 0
  /** As errors name it. */
  #field = ''
  #isBraced = false
  #file: Base64File | undefined
  /** The beginning of an escape whose end has not come yet. */
  #partial = ''

  constructor(fields: ReadonlySet<string>, isHashed: boolean, options: LargeBodyOptions) {
    this.#fields = fields
    this.#isHashed = isHashed
    this.#options = options
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

  rest(): Buffer {
    return this.#kept.subarray(0, this.#keptBytes)
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#all.map((file) => file.remove()))
  }

  #takeOutside(chunk: Buffer, from: number): number {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (byte === QUOTE) {
        const end = endOfShort(chunk, index + 1)
        if (end < 0) {
          this.#keep(chunk.subarray(from, index + 1))
          this.#beginString()
          return index + 1
        }
        const frame = this.#isKey ? this.#frame : undefined
        if (frame !== undefined) frame.key = keyOf(chunk.subarray(index + 1, end))
        index = end
        continue
      }
      if (byte === BRACE || byte === BRACKET) this.#enter(byte === BRACKET)
      else if (byte === BRACE_END || byte === BRACKET_END) this.#leave()
      else if (byte === COMMA) this.#next()
      else if (byte === COLON) this.#isKey = false
    }
    this.#keep(chunk.subarray(from))
    return chunk.length
  }

  #enter(isArray: boolean): void {
    this.#countValue()
    this.#depth += 1
    if (this.#depth <= FRAMES_MAX) this.#frames.push({ isArray, key: '', index: 0 })
    this.#isKey = this.#frame?.isArray === false
  }

  /** The rest is counted when it is parsed; this stops the reading of values that are too many anyway. */
  #countValue(): void {
    this.#values += 1
    const { bodyValuesMax } = this.#options
    if (this.#values > bodyValuesMax) throw tooMany('valuesMax', bodyValuesMax)
  }

  #next(): void {
    this.#countValue()
    const frame = this.#frame
    if (frame !== undefined) frame.index += 1
    this.#isKey = frame?.isArray === false
  }

  #leave(): void {
    if (this.#depth <= this.#frames.length) this.#frames.pop()
    this.#depth -= 1
    this.#isKey = false
  }

  /** The innermost one around what comes; undefined outside of all, and where no file can be. */
  get #frame(): Frame | undefined {
    return this.#depth === this.#frames.length ? this.#frames.at(-1) : undefined
  }

  #beginString(): void {
    this.#string = []
    this.#stringBytes = 0
    this.#isEscaped = false
    this.#state = 'string'
    if (this.#isKey || this.#frame === undefined) return
    const name = this.#path(({ isArray, key }) => (isArray ? '[]' : `.${key.toLowerCase()}`))
    this.#isBraced = this.#fields.has(`${name}{}`)
    if (this.#isBraced || this.#fields.has(name)) this.#state = 'candidate'
  }

  #path(partOf: (frame: Frame) => string): string {
    return this.#frames.map(partOf).join('').slice(1)
  }

  #takeString(chunk: Buffer, from: number): number | Promise<number> {
    const index = this.#endOfPart(chunk, from)
    const part = chunk.subarray(from, index)
    const isCandidate = this.#state === 'candidate'
    if (isCandidate || this.#isKey) {
      this.#string.push(Buffer.from(part))
      this.#stringBytes += part.length
    }
    if (isCandidate && this.#stringBytes > STAYS_MAX) return this.#takeLong(index)
    if (!isCandidate) this.#keep(part)
    if (index === chunk.length) return index
    if (isCandidate) this.#keep(Buffer.concat(this.#string))
    const frame = this.#frame
    if (this.#isKey && frame !== undefined) frame.key = keyOf(Buffer.concat(this.#string))
    this.#keep(chunk.subarray(index, index + 1))
    this.#state = 'outside'
    return index + 1
  }

  /** Where the text ends, or the chunk. */
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

  /** A candidate that is longer than texts which stay: a file, or a long text. */
  async #takeLong(index: number): Promise<number> {
    const begun = Buffer.concat(this.#string)
    this.#string = []
    const [opening] = this.#isBraced ? (/^\s*\{(?!\{)/.exec(begun.toString('latin1')) ?? [null]) : ['']
    if (opening === null) {
      this.#keep(begun)
      this.#state = 'string'
      return index
    }
    this.#keep(begun.subarray(0, opening.length))
    this.#beginFile()
    // Before its end a quote can only be an escaped one, which base64 has not.
    if (begun.includes(QUOTE)) throw this.#file?.notBase64()
    const taken = await this.#takeFile(begun, opening.length)
    if (taken < begun.length) this.#takeBehind(begun, taken)
    return index
  }

  #beginFile(): void {
    const { tempDir, fileBytesMax } = this.#options
    this.#field = this.#path(({ isArray, key, index }) => (isArray ? `[${index}]` : `.${key}`))
    if (this.#all.length >= FILES_COUNT_MAX) throw tooManyFiles(this.#field)
    this.#file = new Base64File({
      field: this.#field,
      folder: tempDir,
      bytesMax: fileBytesMax,
      isHashed: this.#isHashed,
    })
    this.#all.push(this.#file)
    this.#partial = ''
    this.#state = 'file'
  }

  async #takeFile(chunk: Buffer, from: number): Promise<number> {
    const file = this.#file as Base64File
    // Neither can be anything but its end: base64 has none, escaped or not.
    const quote = chunk.indexOf(QUOTE, from)
    const brace = this.#isBraced ? chunk.subarray(from, quote < 0 ? chunk.length : quote).indexOf(BRACE_END) : -1
    if (this.#isBraced && quote >= 0 && brace < 0) throw file.notBase64()
    const found = brace < 0 ? quote : from + brace
    const end = found < 0 ? chunk.length : found
    const before = file.sizeBytes
    await file.push(this.#plain(chunk.toString('latin1', from, end), found >= 0))
    this.#count(file.sizeBytes - before)
    if (found < 0) return end
    this.#keep(Buffer.from(this.#standIn(await file.end())))
    this.#state = this.#isBraced ? 'behind' : 'outside'
    this.#keep(chunk.subarray(found, found + 1))
    return found + 1
  }

  /** Only white space may be between the brace that ends a file and the end of its text. */
  #takeBehind(chunk: Buffer, from: number): number {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (byte === QUOTE) {
        this.#keep(chunk.subarray(index, index + 1))
        this.#state = 'outside'
        return index + 1
      }
      if (!BEHIND.has(byte)) throw this.#file?.notBase64()
    }
    return chunk.length
  }

  #standIn(file: ArrivedFile): string {
    const { sha256, mimetype } = file
    const content = this.#isHashed ? createHash('sha256').update(`${sha256}:${mimetype}`).digest() : randomBytes(32)
    // One file may be there twice.
    const name = arrivedFileName(this.files.size, content.toString('hex'))
    this.files.set(name, file)
    return name
  }

  #count(bytes: number): void {
    this.#fileBytes += bytes
    const { fileBytesMax } = this.#options
    if (this.#fileBytes <= FILES_MAX * fileBytesMax) return
    const why = 'is, with the files before it, larger than allowed'
    throw new GatewayError('MEDIA_TOO_LARGE', {
      details: [{ field: this.#field, why }],
      fields: { limit_bytes: FILES_MAX * fileBytesMax },
    })
  }

  /** Without escapes; many encoders write each slash with one. */
  #plain(escaped: string, isEnd: boolean): string {
    const text = this.#partial + escaped
    this.#partial = ''
    if (!text.includes('\\')) return text
    const partial = isEnd ? '' : (/\\(?:u[\da-fA-F]{0,3})?$/.exec(text.slice(-6))?.[0] ?? '')
    this.#partial = partial
    const whole = text.slice(0, text.length - partial.length).replaceAll('\\/', '/')
    if (!whole.includes('\\')) return whole
    try {
      return JSON.parse(`"${whole}"`) as string
    } catch {
      throw new GatewayError('MALFORMED_JSON')
    }
  }

  #keep(bytes: Buffer): void {
    const length = this.#keptBytes + bytes.length
    if (length > this.#options.bodyBytesMax) throw tooLarge(this.#options.bodyBytesMax)
    // One buffer that grows: as many as there are strings would take a hundred times what they hold.
    if (length > this.#kept.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#kept.length))
      this.#kept.copy(larger, 0, 0, this.#keptBytes)
      this.#kept = larger
    }
    this.#kept.set(bytes, this.#keptBytes)
    this.#keptBytes = length
  }
}

function tooManyFiles(field: string): GatewayError {
  const why = `is one file too many: a body may hold ${FILES_COUNT_MAX}`
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${printable(field)} ${why}.`,
    details: [{ field: printable(field), why }],
  })
}

/** The index of the quote that ends a text which stays, when it is in this chunk; -1 when it is not, or the text is longer. */
function endOfShort(chunk: Buffer, from: number): number {
  const to = Math.min(chunk.length, from + STAYS_MAX)
  for (let index = from; index < to; index++) {
    const byte = chunk[index]
    if (byte === QUOTE) return index
    if (byte === BACKSLASH) index += 1
  }
  return -1
}

function keyOf(escaped: Buffer): string {
  if (!escaped.includes(BACKSLASH)) return escaped.toString('utf8')
  try {
    return String(JSON.parse(`"${escaped.toString('utf8')}"`))
  } catch {
    return ''
  }
}
