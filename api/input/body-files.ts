import { createHash, randomBytes } from 'node:crypto'
import { arrivedFileName } from '../../schemas/choices/media-source.js'
import { GatewayError } from '../../schemas/errors.js'
import { invalidField } from '../../schemas/invalid-field.js'
import { Base64File, type ReceivedFile } from './base64-file.js'
import { printable } from './inspect.js'

// Bound: 1,048,576, a body or header of a request.

/** Files of the largest size that one body may hold together. Many small ones may be in it too. */
export const LARGEST_FILES_MAX = 2
/** Maximum number of files in a body. No list of a schema has that many items. */
const FILES_COUNT_MAX = 300

export interface BodyFilesOptions {
  /** Maximum size of one file, decoded. */
  readonly fileBytesMax: number
  readonly tempDir: string
  /** True when equal files must have equal stand-ins, because the request may be repeated. */
  readonly isHashed: boolean
}

/** The files of one body. Each is written to disk while it arrives, and a text stands in its place. */
export class BodyFiles {
  /** The files, by the text that stands in their place. */
  readonly arrived = new Map<string, ReceivedFile>()
  readonly #options: BodyFilesOptions
  readonly #all: Base64File[] = []
  #bytes = 0
  /** Name of the field in errors. */
  #field = ''
  #file: Base64File | undefined
  /** The beginning of an escape that is cut by the end of a chunk. */
  #partialEscape = ''

  constructor(options: BodyFilesOptions) {
    this.#options = options
  }

  /** Begins the file of a field. @throws GatewayError INVALID_REQUEST when there are too many */
  begin(field: string): void {
    const { tempDir, fileBytesMax, isHashed } = this.#options
    this.#field = field
    if (this.#all.length >= FILES_COUNT_MAX) throw tooManyFiles(field)
    this.#file = new Base64File({ field, folder: tempDir, bytesMax: fileBytesMax, isHashed })
    this.#all.push(this.#file)
    this.#partialEscape = ''
  }

  /** Takes a part of the file's text, as it is in the body. @throws GatewayError as `Base64File`, and MALFORMED_JSON */
  async push(escaped: string, isEnd: boolean): Promise<void> {
    const file = this.#current()
    const before = file.sizeBytes
    await file.push(this.#unescape(escaped, isEnd))
    this.#count(file.sizeBytes - before)
  }

  /** Ends the file. Returns the text that stands in its place. */
  async end(): Promise<string> {
    const file = await this.#current().end()
    const { sha256, mimetype } = file
    const content = this.#options.isHashed
      ? createHash('sha256').update(`${sha256}:${mimetype}`).digest()
      : randomBytes(32)
    // The number keeps two equal files apart.
    const name = arrivedFileName(this.arrived.size, content.toString('hex'))
    this.arrived.set(name, file)
    return name
  }

  /** Returns the error for a file that is not base64. */
  notBase64(): GatewayError {
    return this.#current().notBase64()
  }

  /** Removes the files that nobody has taken away. */
  async dispose(): Promise<void> {
    await Promise.all(this.#all.map((file) => file.remove()))
  }

  #current(): Base64File {
    if (this.#file === undefined) throw new Error('No file was begun.')
    return this.#file
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    const bytesMax = LARGEST_FILES_MAX * this.#options.fileBytesMax
    if (this.#bytes <= bytesMax) return
    const why = 'is, with the files before it, larger than allowed'
    throw new GatewayError('MEDIA_TOO_LARGE', {
      details: [{ field: this.#field, why }],
      fields: { limit_bytes: bytesMax },
    })
  }

  /** Returns the text without its escapes. Many encoders escape each slash. */
  #unescape(escaped: string, isEnd: boolean): string {
    const text = this.#partialEscape + escaped
    this.#partialEscape = ''
    if (!text.includes('\\')) return text
    const partial = isEnd ? '' : (/\\(?:u[\da-fA-F]{0,3})?$/.exec(text.slice(-6))?.[0] ?? '')
    this.#partialEscape = partial
    const whole = text.slice(0, text.length - partial.length).replaceAll('\\/', '/')
    if (!whole.includes('\\')) return whole
    try {
      // Bound: 131,072, 1 values, a piece of a text.
      return JSON.parse(`"${whole}"`) as string
    } catch {
      throw new GatewayError('MALFORMED_JSON')
    }
  }
}

function tooManyFiles(field: string): GatewayError {
  return invalidField(printable(field), `is one file too many: a body may hold ${FILES_COUNT_MAX}`)
}
