/** Writes base64 to a file while it arrives, so that it is never in memory as a whole. */
import { createHash, type Hash, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { GatewayError } from '../../schemas/errors.js'
import { invalidField } from '../../schemas/invalid-field.js'

// Bound: 1,048,576, a body or header of a request.

/** File that arrived in a body. It is removed when its call is answered, unless the call has moved it. */
export interface ReceivedFile {
  readonly path: string
  readonly sizeBytes: number
  /** Hex. Empty unless `isHashed` is set. */
  readonly sha256: string
  /** Type of a data URL. Empty without one. */
  readonly mimetype: string
}

/** Maximum length of the head of a data URL. It ends with a comma, which base64 does not have. */
const HEAD_MAX = 200
/** Number of characters that wait for more, because padding may only be at the end. */
const HELD = 8
/** Characters that are ignored. Spaces are not: a space inside was a plus sign, and the file would be another. */
const BREAKS = /[\r\n\t]+/g

/** Decodes base64 (also base64url, with line breaks, or as a data URL) into a file. */
export class Base64File {
  readonly #field: string
  readonly #bytesMax: number
  readonly #path: string
  readonly #hash: Hash | undefined
  #handle: FileHandle | undefined
  #held = ''
  #mimetype: string | undefined
  #sizeBytes = 0

  constructor(options: { field: string; folder: string; bytesMax: number; isHashed: boolean }) {
    this.#field = options.field
    this.#bytesMax = options.bytesMax
    this.#hash = options.isHashed ? createHash('sha256') : undefined
    this.#path = path.join(options.folder, `body-${randomBytes(12).toString('hex')}`)
  }

  /** @throws GatewayError INVALID_REQUEST, MEDIA_TOO_LARGE, MEDIA_STORAGE_UNAVAILABLE */
  async push(text: string): Promise<void> {
    this.#held += text
    if (this.#mimetype === undefined && !this.#readHead(false)) return
    const whole = this.#held.length - HELD
    if (whole < 4) return
    const ready = whole - (whole % 4)
    await this.#write(this.#decoded(ready))
  }

  /** @throws as `push` */
  async end(): Promise<ReceivedFile> {
    if (this.#mimetype === undefined) this.#readHead(true)
    const rest = this.#held
      .trimEnd()
      .replace(BREAKS, '')
      .replace(/={1,2}$/, '')
    this.#held = ''
    const bytes = Buffer.from(rest, 'base64')
    if (bytes.length !== Math.floor((rest.length * 3) / 4) || rest.length % 4 === 1) throw this.notBase64()
    await this.#write(bytes)
    await this.#handle?.close()
    this.#handle = undefined
    return {
      path: this.#path,
      sizeBytes: this.#sizeBytes,
      sha256: this.#hash?.digest('hex') ?? '',
      mimetype: this.#mimetype ?? '',
    }
  }

  /** Number of bytes written so far. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  async remove(): Promise<void> {
    await this.#handle?.close().catch(() => {})
    this.#handle = undefined
    await rm(this.#path, { force: true })
  }

  /** Reads the head of a data URL, if there is one. Returns false while more characters are needed to know. */
  #readHead(isEnd: boolean): boolean {
    if (this.#held.length < HEAD_MAX && !isEnd) return false
    const text = this.#held.trimStart()
    if (!/^data:/i.test(text)) {
      this.#mimetype = ''
      this.#held = text
      return true
    }
    const comma = text.indexOf(',')
    // Bound: 1,000, the head of a data URL.
    const [mimetype = '', ...parameters] = text.slice('data:'.length, Math.min(HEAD_MAX, Math.max(0, comma))).split(';')
    if (comma < 0 || comma > HEAD_MAX || parameters.at(-1)?.trim().toLowerCase() !== 'base64') throw this.notBase64()
    this.#mimetype = mimetype.trim().toLowerCase()
    this.#held = text.slice(comma + 1)
    return true
  }

  /** Decodes the first characters. Checks them once more when they do not give three bytes for each four. */
  #decoded(length: number): Buffer {
    const text = this.#held.slice(0, length)
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length === (length * 3) / 4) {
      this.#held = this.#held.slice(length)
      return bytes
    }
    const dense = this.#held.replace(BREAKS, '')
    if (dense.length === this.#held.length) throw this.notBase64()
    const ready = Math.max(0, dense.length - HELD)
    const part = dense.slice(0, ready - (ready % 4))
    this.#held = dense.slice(part.length)
    const again = Buffer.from(part, 'base64')
    if (again.length !== (part.length * 3) / 4) throw this.notBase64()
    return again
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#sizeBytes += bytes.length
    if (this.#sizeBytes > this.#bytesMax) {
      throw new GatewayError('MEDIA_TOO_LARGE', {
        details: [{ field: this.#field, why: 'is larger than allowed' }],
        fields: { limit_bytes: this.#bytesMax },
      })
    }
    this.#hash?.update(bytes)
    try {
      this.#handle ??= await open(this.#path, 'wx', 0o600)
      for (let written = 0; written < bytes.length; )
        written += (await this.#handle.write(bytes, written, bytes.length - written)).bytesWritten
    } catch (error) {
      throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
    }
  }

  /** Returns the error for a text that is not base64. */
  notBase64(): GatewayError {
    return invalidField(this.#field, 'must be a URL or base64')
  }
}
