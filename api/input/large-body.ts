/** Reads a JSON body in which some fields hold files as base64. These go to disk as they arrive; the rest is read like any other body. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError } from '../../schemas/errors.js'
import { asFrequentWork, noteBytes, type Work } from '../../schemas/work.js'
import type { ReceivedFile } from './base64-file.js'
import { LARGEST_FILES_MAX } from './body-files.js'
import { type BodyLimits, beginBody, hasBody, parseBody, readJsonBody } from './json-body.js'
import { INLINE_TEXT_MAX, LargeBodyReader } from './large-body-reader.js'

export interface LargeBodyOptions extends BodyLimits {
  /** Maximum size of one file, decoded. */
  readonly fileBytesMax: number
  readonly tempDir: string
}

export interface LargeBody {
  /** Holds another text in place of each file. If the request has a key, it is the same text for the same file. */
  readonly body: unknown
  /** The files, by the text that stands in their place. */
  readonly files: ReadonlyMap<string, ReceivedFile>
  /** Removes the files that nobody has taken away. */
  dispose(): Promise<void>
}

/** Size of base64 with a line break now and then or escaped slashes, and of the text around it, for each byte of a file. */
const ENCODED_RATIO = 1.42

/**
 * Reads the body. `fields` name the places of files in lower case: `file`, `cards[].image`, `choices[]{}` (a text in braces), `content?` (a file
 * if it begins as base64, else a text). All files
 * of a body together may be as large as two of the largest. Leaves nothing on disk when it throws.
 * @throws GatewayError as `readJsonBody`, and MEDIA_TOO_LARGE, MEDIA_STORAGE_UNAVAILABLE
 */
export async function readLargeBody(
  request: IncomingMessage,
  response: ServerResponse,
  fields: ReadonlySet<string>,
  options: LargeBodyOptions,
  work: Work,
): Promise<LargeBody> {
  if (!hasBody(request)) return { body: {}, files: new Map(), dispose: async () => {} }
  // No field of such a body can be long enough for a file.
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= INLINE_TEXT_MAX)
    return { body: await readJsonBody(request, response, options, work), files: new Map(), dispose: async () => {} }
  const bytesMax = options.bodyBytesMax + LARGEST_FILES_MAX * Math.ceil(options.fileBytesMax * ENCODED_RATIO)
  beginBody(request, response, bytesMax)
  // Files are hashed only where a request may be repeated.
  const isHashed = request.headers['idempotency-key'] !== undefined
  const reader = new LargeBodyReader(fields, { ...options, isHashed })
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
      await asFrequentWork(work, () => {
        noteBytes(work, chunk.length)
        return reader.take(chunk)
      })
    if (!request.complete) throw incomplete()
    return {
      body: asFrequentWork(work, () => parseBody(reader.rest(), options)),
      files: reader.files.arrived,
      dispose: () => reader.files.dispose(),
    }
  } catch (error) {
    await reader.files.dispose()
    throw error instanceof GatewayError ? error : incomplete(error)
  }
}

/** Returns the error for a body that broke off. */
export function incomplete(cause?: unknown): GatewayError {
  const message = 'The body did not arrive in full; nothing was done.'
  return new GatewayError('REQUEST_TIMEOUT', cause === undefined ? { message } : { message, cause })
}
