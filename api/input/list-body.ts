/** Reads a list that is the whole body of a request: CSV or JSON lines. It goes to disk as it arrives, so that its size costs no memory. */
import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { arrivedFileName } from '../../schemas/choices/media-source.js'
import { GatewayError } from '../../schemas/errors.js'
import type { ReceivedFile } from './base64-file.js'
import { beginPlainBody, bodyTooLarge, readMediaType } from './json-body.js'
import { incomplete } from './large-body.js'

/** Media types of lists, by their format. */
export const LIST_TYPES = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
} as const
type ListFormat = (typeof LIST_TYPES)[keyof typeof LIST_TYPES]

/** Text that stands in place of the list until it has arrived. */
export const LIST_TO_COME = arrivedFileName(0, '0'.repeat(64))

export interface ListBody {
  /** Text that stands in place of the list. If the request has a key, it is the same text for the same list. */
  readonly name: string
  readonly files: ReadonlyMap<string, ReceivedFile>
  /** Removes the list. */
  dispose(): Promise<void>
}

/** Returns the format of a body that is a list; null for all other bodies. */
export function findListFormat({ headers }: IncomingMessage): ListFormat | null {
  const type: string = readMediaType(headers['content-type'] ?? '')
  return type in LIST_TYPES ? LIST_TYPES[type as keyof typeof LIST_TYPES] : null
}

/**
 * Reads the body. Nothing more is taken from the connection while the disk is busy. Leaves nothing on disk when it throws.
 * @throws GatewayError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, REQUEST_TIMEOUT, MEDIA_STORAGE_UNAVAILABLE
 */
export async function readListBody(
  request: IncomingMessage,
  response: ServerResponse,
  { fileBytesMax, tempDir }: { readonly fileBytesMax: number; readonly tempDir: string },
): Promise<ListBody> {
  beginPlainBody(request, response, fileBytesMax)
  // Hashed only where a request may be repeated.
  const hash = request.headers['idempotency-key'] === undefined ? null : createHash('sha256')
  const file = path.join(tempDir, `body-${randomBytes(12).toString('hex')}`)
  const dispose = (): Promise<void> => rm(file, { force: true })
  let sizeBytes = 0
  try {
    const handle = await stored(open(file, 'wx', 0o600))
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        sizeBytes += chunk.length
        if (sizeBytes > fileBytesMax) throw bodyTooLarge(fileBytesMax)
        hash?.update(chunk)
        await stored(writeAll(handle, chunk))
      }
      if (!request.complete) throw incomplete()
    } finally {
      await handle.close()
    }
  } catch (error) {
    await dispose()
    throw error instanceof GatewayError ? error : incomplete(error)
  }
  const sha256 = hash?.digest('hex') ?? ''
  const name = arrivedFileName(0, hash === null ? randomBytes(32).toString('hex') : sha256)
  return { name, files: new Map([[name, { path: file, sizeBytes, sha256, mimetype: '' }]]), dispose }
}

export async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten
}

/** @throws GatewayError MEDIA_STORAGE_UNAVAILABLE */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
  }
}
