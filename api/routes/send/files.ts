/** Files that a send needs: taken before the instance is asked, and given back when it will not send them. */

import type { CardMedia, MediaSource } from '../../../schemas/choices/menu.js'
import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { GivenFile } from '../../../schemas/ports/media.js'
import type { PreparedFile, StoredFile } from '../../../schemas/send-content.js'
import { type ArrivedFile, Base64File } from '../../input/base64-file.js'
import type { Context } from '../../route.js'
import type { SendCall } from './ask.js'

/** The codes that a send with files may answer besides. */
export const fileErrors: readonly ErrorCode[] = [
  'URL_NOT_ALLOWED',
  'FETCH_FAILED',
  'MEDIA_TOO_LARGE',
  'MEDIA_TYPE_REFUSED',
  'MEDIA_REFUSED',
  'MEDIA_UPLOAD_FAILED',
  'MEDIA_FILE_GONE',
  'MEDIA_STORAGE_UNAVAILABLE',
]

/**
 * What the instance refuses before it writes anything, or what ends a direct send, which is never queued: its files are needed by nobody.
 * Any other error leaves them to the sweep, which asks the rows. The store may have committed what it did not confirm, and who answers a
 * repetition may not know what was written when it was asked first; a queued send whose file is gone fails for good.
 */
const NOT_QUEUED: ReadonlySet<ErrorCode> = new Set([
  // What was asked cannot be.
  'INVALID_REQUEST',
  'INVALID_NUMBER',
  'MESSAGE_NOT_FOUND',
  // Its key belongs to another send.
  'IDEMPOTENCY_CONFLICT',
  // Nothing is taken now: looked at after the row of a send that was asked before, and before a new one is written.
  'INSTANCE_NOT_CONNECTED',
  'QUEUE_FULL',
  'QUEUE_BUSY',
  // Of a direct send, before its row is written.
  'NOT_ON_NETWORK',
  'GROUP_NOT_FOUND',
  'MEDIA_REFUSED',
  'MEDIA_UPLOAD_FAILED',
  'MEDIA_FILE_GONE',
])

function isSurelyNotQueued(error: unknown): boolean {
  return error instanceof GatewayError && NOT_QUEUED.has(error.code)
}

/** A send that is asked again under its key has its row, and needs its file no more: the URL may be gone by now. */
export async function isAnswered(
  { instance, headers }: Pick<SendCall, 'instance' | 'headers'>,
  { ports }: Context,
): Promise<boolean> {
  const key = headers['idempotency-key']
  return typeof key === 'string' && (await ports.messages.isKnownKey(instance.id, key))
}

/** The record of a send with files. They are given back when it is surely not queued, or another send under its key was before it. */
export async function withFiles(
  files: readonly { readonly file: StoredFile }[],
  messageid: MessageId,
  { ports }: Context,
  send: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<Readonly<Record<string, unknown>>> {
  const release = (): void => {
    for (const { file } of files) void ports.media.release(file)
  }
  const record = await send().catch((error: unknown) => {
    if (isSurelyNotQueued(error)) release()
    throw error
  })
  if (record.messageid !== messageid) release()
  return record
}

/** The media of a menu, in their order; all or none. An error names the field of the one that could not be taken. */
export async function takeMedia(
  media: readonly CardMedia[],
  { instance, body, files }: FilesCall,
  messageid: MessageId,
  context: Context,
): Promise<readonly PreparedFile[]> {
  const service = context.ports.media
  const taken = await Promise.allSettled(
    media.map(({ at, kind, source, filename }) =>
      withGiven(source, at, files, context, (file) =>
        service.take({
          instance: instance.id,
          messageid,
          kind,
          file,
          durable: body.async === true,
          ...(filename === undefined ? {} : { fileName: filename }),
        }),
      ).catch((error: unknown) => {
        throw ofField(at, error)
      }),
    ),
  )
  const ready = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = taken.find((one) => one.status === 'rejected')
  if (failed === undefined) return ready
  for (const { file } of ready) void service.release(file)
  throw failed.reason
}

/** A call whose body may hold files. */
export type FilesCall = SendCall & { readonly files: ReadonlyMap<string, ArrivedFile> }

export async function withGiven<T>(
  source: MediaSource,
  field: string,
  files: ReadonlyMap<string, ArrivedFile>,
  { options }: Context,
  use: (file: GivenFile) => Promise<T>,
): Promise<T> {
  if (source.from === 'url') return await use({ from: 'url', url: source.url })
  const file = new Base64File({ field, folder: options.tempDir, bytesMax: options.fileBytesMax, isHashed: false })
  if (source.from === 'arrived') {
    const arrived = files.get(source.name)
    if (arrived === undefined) throw file.notBase64()
    return await use({ from: 'file', ...arrived })
  }
  try {
    await file.push(source.data)
    return await use({ from: 'file', ...(await file.end()), mimetype: source.mimetype ?? '' })
  } finally {
    await file.remove()
  }
}

const OF_THE_FILE: ReadonlySet<string> = new Set([
  'URL_NOT_ALLOWED',
  'FETCH_FAILED',
  'MEDIA_TOO_LARGE',
  'MEDIA_TYPE_REFUSED',
] satisfies ErrorCode[])

/** A menu may have several files: the same error, with the field of the one that caused it. */
function ofField(field: string, error: unknown): unknown {
  if (!(error instanceof GatewayError) || !OF_THE_FILE.has(error.code)) return error
  const { code, message, fields, retryAfterSeconds } = error
  return new GatewayError(code, {
    message: `${field}: ${message}`,
    details: [{ field, why: message }],
    fields,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: error,
  })
}
