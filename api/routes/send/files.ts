/** Takes the files of a send before the command to the instance, and releases them when it will not send them. */

import type { CardMedia, MediaSource } from '../../../schemas/choices/menu.js'
import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { GivenFile } from '../../../schemas/ports/media.js'
import type { PreparedFile, StoredFile } from '../../../schemas/send-content.js'
import type { SendReply } from '../../../schemas/send-request.js'
import { Base64File, type ReceivedFile } from '../../input/base64-file.js'
import type { Context } from '../../route.js'
import type { SendCall } from './ask.js'
import { leavesLater } from './options.js'

/** Error codes of a send with files, besides those of every send. */
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
 * Errors after which nobody needs the files: those that come before any row, and those of a direct send, which is never queued. Other
 * errors leave the files to the sweep, which looks at the rows. The store may have committed a row that it did not confirm, and the answer
 * to a repeated command may not know of the first one. A queued send whose file is gone fails for good.
 */
const NOT_QUEUED: ReadonlySet<ErrorCode> = new Set([
  // The send is not possible.
  'INVALID_REQUEST',
  'INVALID_NUMBER',
  'MESSAGE_NOT_FOUND',
  // The key belongs to another send.
  'IDEMPOTENCY_CONFLICT',
  'MESSAGE_ID_USED',
  // The instance takes nothing now. It checks this after it has looked for the row of a repeated send, and before it writes a new one.
  'INSTANCE_NOT_CONNECTED',
  'QUEUE_FULL',
  'QUEUE_BUSY',
  'SCHEDULE_FULL',
  'INSTANCE_NOT_PAIRED',
  // A direct send fails before its row is written.
  'NOT_ON_NETWORK',
  'GROUP_NOT_FOUND',
  'MEDIA_REFUSED',
  'MEDIA_UPLOAD_FAILED',
  'MEDIA_FILE_GONE',
])

function isSurelyNotQueued(error: unknown): boolean {
  return error instanceof GatewayError && NOT_QUEUED.has(error.code)
}

/** Tells whether a send under this key has its row. It needs its file no more then, and the URL may be gone by now. */
export async function isAnswered(
  { instance, headers }: Pick<SendCall, 'instance' | 'headers'>,
  { ports }: Context,
): Promise<boolean> {
  const key = headers['idempotency-key']
  return typeof key === 'string' && (await ports.messages.isKnownKey(instance.id, key))
}

/** Sends, and returns the record. Releases the files when the send is surely not queued, or repeats one under its key. */
export async function withFiles(
  files: readonly { readonly file: StoredFile }[],
  messageid: MessageId,
  { ports }: Context,
  send: () => Promise<Pick<SendReply, 'record' | 'isFormer'>>,
): Promise<Readonly<Record<string, unknown>>> {
  const release = (): void => {
    for (const { file } of files) void ports.media.release(file)
  }
  const { record, isFormer } = await send().catch((error: unknown) => {
    if (isSurelyNotQueued(error)) release()
    throw error
  })
  if (isFormer || record.messageid !== messageid) release()
  return record
}

/** Takes the media of a menu, in their order: all or none. An error names the field of the one that failed. */
export async function takeMedia(
  media: readonly CardMedia[],
  { instance, body, files, warnings }: FilesCall,
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
          durable: leavesLater(body),
          warn: (about) => void warnings.push(`${at}: ${about}`),
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

/** Call whose body may hold files. */
export type FilesCall = SendCall & { readonly files: ReadonlyMap<string, ReceivedFile> }

export async function withGiven<T>(
  source: MediaSource,
  field: string,
  files: ReadonlyMap<string, ReceivedFile>,
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

/** Returns the error with the field of its file, since a menu may have several. */
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
