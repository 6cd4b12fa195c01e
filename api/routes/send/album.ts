import { parseMediaSource } from '../../../schemas/choices/media-source.js'
import type { CardMedia } from '../../../schemas/choices/menu.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { SendAlbumReply, SendAlbumRequest } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { AlbumContent, PreparedFile } from '../../../schemas/send-content.js'
import { type Context, instanceRoute, PartlyDone } from '../../route.js'
import { askSendAs, messageIdFor } from './ask.js'
import { type FilesCall, fileErrors, takeMedia, withFiles } from './files.js'
import { checkAddresses, sendErrors, sendReply } from './options.js'

/** Keys of the files of an album have a suffix, and 200 characters at most. */
const KEY_MAX = 190

type AlbumCall = FilesCall & { readonly body: SendAlbumRequest }
type Failed = SendAlbumReply['failed'][number]

export const sendAlbum = instanceRoute<SendAlbumRequest>({
  method: 'POST',
  path: '/send/album',
  name: 'sendAlbum',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send images and videos as one album',
  schema: 'send/album.json',
  fileFields: ['files[].file'],
  idempotent: true,
  doesPart: true,
  errors: [...sendErrors, ...fileErrors, 'CONVERSION_UNAVAILABLE'],
  async handle(call, context): Promise<SendAlbumReply | PartlyDone> {
    const { body, headers } = call
    if (body.send_at !== undefined) throw invalidField('send_at', 'is not taken: an album cannot be scheduled')
    checkAddresses(body)
    const key = headers['idempotency-key']
    if (typeof key === 'string' && key.length > KEY_MAX)
      throw invalidField('Idempotency-Key', `must be at most ${KEY_MAX} characters for an album`)
    const messageid = messageIdFor(call, context.ports)
    const ids = fileIds(call, context)
    const files = await takeFiles(readMedia(body), ids, call, context)
    const images = body.files.filter(({ type }) => type === 'image').length
    const content: AlbumContent = { kind: 'album', images, videos: body.files.length - images }
    const frame = await withFiles(files, messageid, context, async () => {
      const sent = await askSendAs(messageid, call, content, context.ports)
      // Its files are still to be sent, also when the frame was sent by an earlier call.
      return { record: sent.record }
    })
    const { sent, failed } = await sendFiles(call, { albumId: messageid, ids }, files, context)
    const reply: SendAlbumReply = { ...sendReply(frame), files: sent as unknown as SendAlbumReply['files'], failed }
    return failed.length === 0 ? reply : new PartlyDone(reply)
  },
})

/** @throws GatewayError INVALID_REQUEST */
function readMedia({ files }: SendAlbumRequest): CardMedia[] {
  return files.map(({ type, file }, index) => {
    const at = `files/${index}/file`
    const source = parseMediaSource(file)
    if (source === null) throw invalidField(at, 'is neither an http or https URL nor base64')
    return { at, kind: type, source }
  })
}

/** Returns an id for each file: the same for each call under one `Idempotency-Key`. */
function fileIds(call: AlbumCall, { ports }: Context): MessageId[] {
  return call.body.files.map((_, index) => {
    const headers = makeHeaders(call, index)
    return messageIdFor({ instance: call.instance, headers, body: {} }, ports)
  })
}

function makeHeaders({ headers }: AlbumCall, index: number) {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? { ...headers, 'idempotency-key': `${key}/${index}` } : headers
}

/** Takes all files or none. */
async function takeFiles(
  media: readonly CardMedia[],
  ids: readonly MessageId[],
  call: AlbumCall,
  context: Context,
): Promise<readonly PreparedFile[]> {
  const taken: PreparedFile[] = []
  try {
    for (const [index, one] of media.entries())
      taken.push(...(await takeMedia([one], call, ids[index] as MessageId, context)))
    return taken
  } catch (error) {
    for (const { file } of taken) void context.ports.media.release(file)
    throw error
  }
}

interface AlbumIds {
  readonly albumId: MessageId
  readonly ids: readonly MessageId[]
}

/** Sends the files of an album one after the other, so that they stand in their order. One that fails does not stop the others. */
async function sendFiles(
  call: AlbumCall,
  album: AlbumIds,
  files: readonly PreparedFile[],
  context: Context,
): Promise<{ readonly sent: Readonly<Record<string, unknown>>[]; readonly failed: Failed[] }> {
  const sent: Readonly<Record<string, unknown>>[] = []
  const failed: Failed[] = []
  for (const [index, file] of files.entries()) {
    try {
      sent.push(await sendFile(call, album, file, index, context))
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      failed.push({ index, code: error.code, error: error.message })
    }
  }
  return { sent, failed }
}

async function sendFile(
  call: AlbumCall,
  { albumId, ids }: AlbumIds,
  file: PreparedFile,
  index: number,
  context: Context,
) {
  const { delay: _, replyid: __, quoted: ___, messageid: ____, ...body } = call.body
  const one = { ...call, body, headers: makeHeaders(call, index) }
  const messageid = ids[index] as MessageId
  const caption = call.body.files[index]?.text
  const content = { kind: 'media', ...file, albumId, ...(caption ? { caption } : {}) } as const
  return await withFiles([file], messageid, context, () => askSendAs(messageid, one, content, context.ports))
}
