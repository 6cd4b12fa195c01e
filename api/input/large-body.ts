/** Reads a JSON body of which some fields hold files as base64: these go to disk as they arrive, the rest is read like any other. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError } from '../../schemas/errors.js'
import { type ArrivedFile, Base64File } from './base64-file.js'
import { type BodyLimits, beginBody, hasBody, parseBody, tooLarge } from './json-body.js'

export interface LargeBodyOptions extends BodyLimits {
  /** Of what each field says, not of its base64. */
  readonly fileBytesMax: number
  readonly tempDir: string
}

export interface LargeBody {
  /** Where a field has gone to disk, some text stands in its place. */
  readonly body: unknown
  /** By the name of the field, in lower case. */
  readonly files: ReadonlyMap<string, ArrivedFile>
  /** Removes what nobody has taken away. */
  dispose(): Promise<void>
}

/** Shorter texts stay in the body: URLs and small pictures. */
const STAYS_MAX = 8 * 1024
const STAND_IN = Buffer.from('file')

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])

/**
 * `fields` are those of the outermost object, in lower case.
 * @throws GatewayError as `readJsonBody`, and MEDIA_TOO_LARGE, MEDIA_STORAGE_UNAVAILABLE; then nothing stays on disk
 */
export async function readLargeBody(
  request: IncomingMessage,
  response: ServerResponse,
  fields: ReadonlySet<string>,
  options: LargeBodyOptions,
): Promise<LargeBody> {
  if (!hasBody(request)) return { body: {}, files: new Map(), dispose: async () => {} }
  // Base64, with a line break now and then or escaped slashes, and what is around it.
  const bytesMax = options.bodyBytesMax + fields.size * Math.ceil(options.fileBytesMax * 1.42)
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
      body: parseBody(reader.rest(), options.bodyDepthMax),
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

/** What a reader is in the middle of. */
type State =
  | 'outside'
  | 'string'
  /** A value that may be a file: not yet so long that it must be one. */
  | 'candidate'
  | 'file'

class Reader {
  readonly files = new Map<string, ArrivedFile>()
  readonly #fields: ReadonlySet<string>
  readonly #isHashed: boolean
  readonly #options: LargeBodyOptions
  readonly #all: Base64File[] = []
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  #state: State = 'outside'
  #depth = 0
  #isEscaped = false
  /** In the outermost object: what comes is a key. */
  #isKey = false
  #string: Buffer[] = []
  #stringBytes = 0
  #field = ''
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
      else if (this.#state === 'outside') from = this.#takeOutside(chunk, from)
      else from = await this.#takeString(chunk, from)
    }
  }

  rest(): Buffer {
    return Buffer.concat(this.#kept, this.#keptBytes)
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#all.map((file) => file.remove()))
  }

  #takeOutside(chunk: Buffer, from: number): number {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (byte === QUOTE) {
        this.#keep(chunk.subarray(from, index + 1))
        this.#beginString()
        return index + 1
      }
      if (OPENING.has(byte)) {
        this.#depth += 1
        this.#isKey = this.#depth === 1
      } else if (CLOSING.has(byte)) this.#depth -= 1
      else if (byte === COMMA) this.#isKey = this.#depth === 1
      else if (byte === COLON) this.#isKey = false
    }
    this.#keep(chunk.subarray(from))
    return chunk.length
  }

  #beginString(): void {
    this.#string = []
    this.#stringBytes = 0
    this.#isEscaped = false
    const isValue = this.#depth === 1 && !this.#isKey
    this.#state = isValue && this.#fields.has(this.#field) ? 'candidate' : 'string'
  }

  async #takeString(chunk: Buffer, from: number): Promise<number> {
    let index = from
    for (; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) break
    }
    const part = chunk.subarray(from, index)
    const isCandidate = this.#state === 'candidate'
    if (isCandidate || this.#isKey) {
      this.#string.push(Buffer.from(part))
      this.#stringBytes += part.length
    }
    if (isCandidate && this.#stringBytes > STAYS_MAX) {
      const begun = Buffer.concat(this.#string)
      this.#string = []
      this.#beginFile()
      // Before its end a quote can only be an escaped one, which base64 has not.
      if (begun.includes(QUOTE)) throw this.#file?.notBase64()
      await this.#takeFile(begun, 0)
      return index
    }
    if (!isCandidate) this.#keep(part)
    if (index === chunk.length) return index
    if (isCandidate) this.#keep(Buffer.concat(this.#string))
    if (this.#isKey) this.#field = keyOf(Buffer.concat(this.#string))
    this.#keep(chunk.subarray(index, index + 1))
    this.#state = 'outside'
    return index + 1
  }

  #beginFile(): void {
    const { tempDir, fileBytesMax } = this.#options
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
    // A quote can only be its end: base64 has none, escaped or not.
    const quote = chunk.indexOf(QUOTE, from)
    const end = quote < 0 ? chunk.length : quote
    await file.push(this.#plain(chunk.toString('latin1', from, end), quote >= 0))
    if (quote < 0) return end
    this.files.set(this.#field, await file.end())
    this.#keep(STAND_IN)
    this.#keep(chunk.subarray(quote, quote + 1))
    this.#state = 'outside'
    return quote + 1
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
    if (bytes.length === 0) return
    this.#keptBytes += bytes.length
    if (this.#keptBytes > this.#options.bodyBytesMax) throw tooLarge(this.#options.bodyBytesMax)
    // A copy: a slice would keep the whole chunk alive.
    this.#kept.push(Buffer.from(bytes))
  }
}

function keyOf(escaped: Buffer): string {
  try {
    return String(JSON.parse(`"${escaped.toString('utf8')}"`)).toLowerCase()
  } catch {
    return ''
  }
}
