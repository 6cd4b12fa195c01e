/** Reads a form with files. These go to disk as they arrive, and texts stand in their places as in other large bodies. */
import { createHash, type Hash, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { arrivedFileName } from '../../schemas/choices/media-source.js'
import { GatewayError } from '../../schemas/errors.js'
import { invalidField } from '../../schemas/invalid-field.js'
import { asFrequentWork, noteBytes, type Work } from '../../schemas/work.js'
import type { ReceivedFile } from './base64-file.js'
import { LARGEST_FILES_MAX } from './body-files.js'
import { type FormPart, FormReader, type FormSink, malformed } from './form-reader.js'
import { inspect, printable } from './inspect.js'
import { beginPlainBody, bodyTooLarge, parseBody } from './json-body.js'
import { incomplete, type LargeBody, type LargeBodyOptions } from './large-body.js'
import { stored, writeAll } from './list-body.js'

// Bound: 1,048,576, a field of a form.

export interface FormOptions extends LargeBodyOptions {
  /** Field of the body that holds the file, whatever the name of its part is. */
  readonly fileField: string
  /** Fields that take its name and its media type, unless the form has them. */
  readonly fileNameField: string
  readonly mimetypeField: string
}

export interface FormBody extends LargeBody {
  readonly body: Record<string, unknown>
}

/** Maximum number of parts. */
const PARTS_MAX = 100
const FILE_NAME_MAX = 500
const NAME_MAX = 200

/**
 * Reads the form. Fields are texts; one that is a JSON object or array is parsed. Leaves nothing on disk when it throws.
 * @throws GatewayError INVALID_REQUEST, BODY_TOO_LARGE, MEDIA_TOO_LARGE, MEDIA_STORAGE_UNAVAILABLE, REQUEST_TIMEOUT
 */
export async function readFormBody(
  request: IncomingMessage,
  response: ServerResponse,
  boundary: string,
  options: FormOptions,
  work: Work,
): Promise<FormBody> {
  beginPlainBody(request, response, options.bodyBytesMax + LARGEST_FILES_MAX * options.fileBytesMax)
  const parts = new FormParts(options, request.headers['idempotency-key'] !== undefined)
  const reader = new FormReader(boundary, parts)
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
      await asFrequentWork(work, () => {
        noteBytes(work, chunk.length)
        return reader.take(chunk)
      })
    if (!request.complete) throw incomplete()
    reader.end()
    const body = asFrequentWork(work, () => parts.body())
    return { body, files: parts.files, dispose: () => parts.dispose() }
  } catch (error) {
    await parts.dispose()
    throw error instanceof GatewayError ? error : incomplete(error)
  }
}

interface OpenFile {
  readonly part: FormPart
  readonly path: string
  readonly handle: FileHandle
  readonly hash: Hash | null
  sizeBytes: number
}

/** Collects the parts of one form. */
class FormParts implements FormSink {
  readonly files = new Map<string, ReceivedFile>()
  readonly #options: FormOptions
  readonly #isHashed: boolean
  readonly #fields = new Map<string, string[]>()
  readonly #paths: string[] = []
  /** Fields that the file fills. */
  #place: Record<string, unknown> = {}
  #ofFile: Record<string, unknown> = {}
  #count = 0
  #textBytes = 0
  #text: { readonly name: string; readonly pieces: Buffer[] } | null = null
  #file: OpenFile | null = null

  constructor(options: FormOptions, isHashed: boolean) {
    this.#options = options
    this.#isHashed = isHashed
  }

  async begin(part: FormPart): Promise<void> {
    this.#count += 1
    if (this.#count > PARTS_MAX) throw malformed(`it has more than ${PARTS_MAX} parts`)
    if (part.name.length > NAME_MAX) throw malformed(`the name of a part is longer than ${NAME_MAX} characters`)
    if (part.fileName === undefined) this.#text = { name: part.name, pieces: [] }
    else await this.#beginFile(part)
  }

  async push(bytes: Buffer): Promise<void> {
    if (this.#file !== null) return await this.#write(this.#file, bytes)
    this.#textBytes += bytes.length
    if (this.#textBytes > this.#options.bodyBytesMax) throw bodyTooLarge(this.#options.bodyBytesMax)
    // A copy: the piece is a part of a larger buffer, which would stay in memory.
    this.#text?.pieces.push(Buffer.from(bytes))
  }

  async end(): Promise<void> {
    if (this.#file !== null) return await this.#endFile(this.#file)
    if (this.#text === null) return
    const { name, pieces } = this.#text
    // Of a list each item is a part, named `mentioned` or `mentioned[]`.
    const field = name.endsWith('[]') ? name.slice(0, -2) : name
    const values = this.#fields.get(field) ?? []
    values.push(decodeText(Buffer.concat(pieces), name))
    this.#fields.set(field, values)
    this.#text = null
  }

  /** @throws GatewayError as `parseBody`, for fields that hold JSON */
  body(): Record<string, unknown> {
    const body = Object.fromEntries(
      [...this.#fields].map(([name, values]) => {
        const [first = ''] = values
        return [name, values.length > 1 ? values : parsedField(first, this.#options)]
      }),
    )
    // Fields win over what the file says of itself; a text in its place does not.
    const whole = { ...this.#ofFile, ...body, ...this.#place }
    inspect(whole, this.#options.bodyDepthMax)
    return whole
  }

  async dispose(): Promise<void> {
    await this.#file?.handle.close().catch(() => {})
    this.#file = null
    await Promise.all(this.#paths.map((one) => rm(one, { force: true })))
  }

  async #beginFile(part: FormPart): Promise<void> {
    if (this.files.size > 0) throw invalidField(printable(part.name), 'is one file too many: a form may hold one')
    const file = path.join(this.#options.tempDir, `body-${randomBytes(12).toString('hex')}`)
    const handle = await stored(open(file, 'wx', 0o600))
    this.#paths.push(file)
    const hash = this.#isHashed ? createHash('sha256') : null
    this.#file = { part, path: file, handle, hash, sizeBytes: 0 }
  }

  async #write(file: OpenFile, bytes: Buffer): Promise<void> {
    file.sizeBytes += bytes.length
    const { fileBytesMax } = this.#options
    if (file.sizeBytes > fileBytesMax)
      throw new GatewayError('MEDIA_TOO_LARGE', {
        details: [{ field: printable(file.part.name), why: 'is larger than allowed' }],
        fields: { limit_bytes: fileBytesMax },
      })
    file.hash?.update(bytes)
    await stored(writeAll(file.handle, bytes))
  }

  async #endFile({ part, path: place, handle, hash, sizeBytes }: OpenFile): Promise<void> {
    await stored(handle.close())
    this.#file = null
    const sha256 = hash?.digest('hex') ?? ''
    const name = arrivedFileName(0, hash === null ? randomBytes(32).toString('hex') : sha256)
    this.files.set(name, { path: place, sizeBytes, sha256, mimetype: part.mimetype })
    const { fileField, fileNameField, mimetypeField } = this.#options
    const fileName = (part.fileName ?? '').slice(0, FILE_NAME_MAX)
    // The type that clients write who know none.
    const mimetype = part.mimetype === 'application/octet-stream' ? '' : part.mimetype
    this.#place = { [fileField]: name }
    this.#ofFile = {
      ...(fileName === '' ? {} : { [fileNameField]: fileName }),
      ...(mimetype === '' ? {} : { [mimetypeField]: mimetype }),
    }
  }
}

/** Returns the value of a field: what it holds if that is JSON, else its text. */
function parsedField(text: string, options: LargeBodyOptions): unknown {
  const first = text.trimStart()[0]
  if (first !== '{' && first !== '[') return text
  try {
    // In an object, since a body is one. Its limits count before it is parsed.
    const { value, ...rest } = parseBody(Buffer.from(`{"value":${text}}`), options) as Record<string, unknown>
    return Object.keys(rest).length === 0 ? value : text
  } catch (error) {
    // A text may begin so without being JSON.
    if (error instanceof GatewayError && error.code === 'MALFORMED_JSON') return text
    throw error
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Buffer, name: string): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalidField(printable(name), 'must be text in UTF-8')
  }
}
