import { isChannelJid } from '../../../schemas/channel.js'
import type { SendMediaReply, SendMediaRequest } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { GivenFile } from '../../../schemas/ports/media.js'
import type { MediaContent, MediaKind } from '../../../schemas/send-content.js'
import { listContentFiles } from '../../../schemas/send-content.js'
import { Base64File } from '../../input/base64-file.js'
import { type Context, instanceRoute } from '../../route.js'
import { askSendAs, messageIdFor } from './ask.js'
import { type FilesCall, fileErrors, isAnswered, withFiles } from './files.js'
import { checkAddresses, leavesLater, sendErrors, sendReply } from './options.js'

// Bound: 1,048,576, a body or header of a request.

const KINDS: Readonly<Record<SendMediaRequest['type'], MediaKind>> = {
  image: 'image',
  video: 'video',
  videoplay: 'gif',
  document: 'document',
  audio: 'audio',
  myaudio: 'ptt',
  ptt: 'ptt',
  ptv: 'ptv',
  sticker: 'sticker',
}

type Field = 'text' | 'docName' | 'mimetype' | 'thumbnail' | 'viewOnce' | 'hd'

/** Fields that each kind carries. Others are left out, with a warning. */
const CARRIES: Readonly<Record<MediaKind, readonly Field[]>> = {
  image: ['text', 'thumbnail', 'viewOnce', 'hd'],
  video: ['text', 'mimetype', 'thumbnail', 'viewOnce'],
  gif: ['text', 'mimetype', 'thumbnail', 'viewOnce'],
  ptv: ['mimetype', 'thumbnail'],
  audio: ['mimetype', 'viewOnce'],
  ptt: ['viewOnce'],
  document: ['text', 'docName', 'mimetype', 'thumbnail'],
  sticker: [],
}

export const sendMedia = instanceRoute<SendMediaRequest>({
  method: 'POST',
  path: '/send/media',
  name: 'sendMedia',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send an image, video, audio, document or sticker',
  schema: 'send/media.json',
  fileFields: ['file', 'thumbnail'],
  idempotent: true,
  errors: [...sendErrors, ...fileErrors, 'CONVERSION_UNAVAILABLE'],
  async handle(call, context): Promise<SendMediaReply> {
    checkAddresses(call.body)
    const { instance } = call
    const { media } = context.ports
    const messageid = messageIdFor(call, context.ports)
    const isKnown = await isAnswered(call, context)
    const kind = KINDS[call.body.type]
    const content = isKnown
      ? { kind: 'media' as const, media: kind, mimetype: '', file: { name: '', sizeBytes: 0 } }
      : await makeMediaContent(call, messageid, context)
    const record = await withFiles(isKnown ? [] : listContentFiles(content), messageid, context, () =>
      askSendAs(messageid, call, content, context.ports),
    )
    const fileUrl = media.linkTo(instance.id, record)
    const reply = sendReply({ ...record, fileURL: fileUrl })
    return fileUrl === '' ? reply : { ...reply, response: { ...reply.response, fileUrl } }
  },
})

/** Takes the file of a message, and makes its content. Fields that its kind cannot carry are left out, with a warning. */
export async function makeMediaContent(
  call: FilesCall & { readonly body: SendMediaRequest },
  messageid: MessageId,
  context: Context,
): Promise<MediaContent> {
  const kind = KINDS[call.body.type]
  const body = { ...call.body }
  for (const field of ['text', 'docName', 'mimetype', 'thumbnail', 'viewOnce', 'hd'] as const) {
    if (!body[field] || CARRIES[kind].includes(field)) continue
    call.warnings.push(`${field}: a message of type ${body.type} cannot carry it, ignored`)
    delete body[field]
  }
  if (body.hd && (body.viewOnce || isChannelJid(body.number))) {
    const what = body.viewOnce ? 'an image to be seen once' : 'a post of a channel'
    call.warnings.push(`hd: ${what} has one copy, ignored`)
    delete body.hd
  }
  return await makeContent(call, body, kind, messageid, context)
}

async function makeContent(
  { instance, files, warnings }: FilesCall,
  body: SendMediaRequest,
  kind: MediaKind,
  messageid: MessageId,
  { ports, options }: Context,
): Promise<MediaContent> {
  const { text, docName, mimetype, thumbnail, viewOnce, hd } = body
  const arrived: { remove(): Promise<void> }[] = []
  const given = async (field: 'file' | 'thumbnail', value: string): Promise<GivenFile> => {
    const file = files.get(value)
    if (file !== undefined) return { from: 'file', ...file }
    if (/^\s*https?:/i.test(value)) return { from: 'url', url: value.trim() }
    // A short file is still in the body; a long one is in a temporary file.
    const small = new Base64File({ field, folder: options.tempDir, bytesMax: options.fileBytesMax, isHashed: false })
    arrived.push(small)
    await small.push(value)
    return { from: 'file', ...(await small.end()) }
  }
  try {
    const prepared = await ports.media.take({
      instance: instance.id,
      messageid,
      kind,
      file: await given('file', body.file),
      durable: leavesLater(body),
      warn: (about) => void warnings.push(`file: ${about}`),
      ...(docName ? { fileName: docName } : {}),
      ...(mimetype ? { mimetype } : {}),
      ...(thumbnail ? { thumbnail: await given('thumbnail', thumbnail) } : {}),
      ...(hd ? { isHd: true } : {}),
    })
    if (hd && prepared.hd === undefined)
      warnings.push('hd: no side of the image has more than 1,600 pixels, it is sent in one copy')
    return {
      kind: 'media',
      ...prepared,
      ...(text ? { caption: text } : {}),
      ...(viewOnce ? { viewOnce: true } : {}),
    }
  } finally {
    await Promise.all(arrived.map((file) => file.remove()))
  }
}
