/** Pictures, sounds, videos and files, as a phone sends them, shows them, and puts them on the media host again. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { hkdf, type MediaType, proto } from '@whiskeysockets/baileys'
import { decryptMedia, encryptMedia, type MediaProof, sha256 } from '../media/cipher.js'
import type { MediaHost } from '../media/host.js'
import type { Device } from '../network/model.js'
import { bytes, child, type Node, node, nowSeconds } from '../wire/nodes.js'
import type { Phone } from './phone.js'
import { PhoneError } from './phone-error.js'

/** A file of a message, as the phone shows it: fetched, decrypted, and held against what the message says of it. */
export interface ShownMedia {
  /** The proto's field without its end: `image`, `video`, `ptv`, `audio`, `document`, `sticker`; `preview`: the large picture of a link. */
  kind: string
  mimetype: string | null
  sizeBytes: number | null
  /** Of the plain bytes, hex; null when the phone could not show it. */
  sha256: string | null
  caption: string | null
  fileName: string | null
  width: number | null
  height: number | null
  seconds: number | null
  ptt: boolean
  gif: boolean
  /** Loudness of a voice message, base64. */
  waveform: string | null
  /** Of the small picture inside the message. */
  thumbnailBytes: number
  /** Why it cannot be shown. */
  error: string | null
}

/** Fields that all files in messages have. */
interface MediaPart extends MediaProof {
  directPath?: string | null
  url?: string | null
  mimetype?: string | null
  caption?: string | null
  fileName?: string | null
  width?: number | null
  height?: number | null
  seconds?: number | null
  ptt?: boolean | null
  gifPlayback?: boolean | null
  waveform?: Uint8Array | null
  jpegThumbnail?: Uint8Array | null
  pngThumbnail?: Uint8Array | null
}

/** Under which kind the keys of a file are derived; the library's name for it. */
const KEY_KINDS: Readonly<Record<string, MediaType>> = {
  image: 'image',
  sticker: 'sticker',
  video: 'video',
  ptv: 'video',
  audio: 'audio',
  document: 'document',
  preview: 'thumbnail-link',
}

/** Every file in a message, those of cards and headers included; not those of what it quotes. */
export async function examineMedia(host: MediaHost, message: proto.IMessage): Promise<ShownMedia[]> {
  return Promise.all(mediaParts(message).map(({ kind, part }) => examine(host, kind, part)))
}

/** The plain bytes of every file in a message, in the order of `examineMedia`. */
export async function plainMedia(host: MediaHost, message: proto.IMessage): Promise<Buffer[]> {
  return Promise.all(mediaParts(message).map(({ kind, part }) => plain(host, kind, part)))
}

export interface MediaToSend {
  kind: string
  bytes: Buffer
  mimetype?: string | undefined
  caption?: string | undefined
  fileName?: string | undefined
  ptt?: boolean | undefined
  gif?: boolean | undefined
  viewOnce?: boolean | undefined
  /** Not encrypted: it lies on the host as it is, and its message has no hash of a ciphertext. */
  plain?: boolean | undefined
  /** Key of the message of which it is the copy in high definition. */
  hdOf?: proto.IMessageKey | undefined
}

/** Puts the file on the media host; resolves with the message that leads to it. */
export async function mediaMessage(phone: Phone, media: MediaToSend): Promise<proto.IMessage> {
  const type = KEY_KINDS[media.kind]
  if (type === undefined) throw new PhoneError(400, `The field kind is one of ${Object.keys(KEY_KINDS).join(', ')}.`)
  const { media: host } = phone.network
  const { bytes: encrypted, fileEncSha256, ...proof } = await encryptMedia(media.bytes, type)
  const { directPath } = host.put(type, media.plain ? media.bytes : encrypted)
  const { caption, fileName, ptt, gif } = media
  const part = {
    ...proof,
    ...(media.plain ? {} : { fileEncSha256 }),
    directPath,
    url: host.url(directPath),
    mimetype: media.mimetype ?? MIMETYPES[media.kind] ?? 'application/octet-stream',
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
    ...(caption !== undefined && { caption }),
    ...(fileName !== undefined && { fileName }),
    ...(ptt && { ptt }),
    ...(gif && { gifPlayback: gif }),
    ...(media.viewOnce && { viewOnce: true }),
  }
  const message = proto.Message.fromObject({ [`${media.kind}Message`]: part })
  if (media.hdOf !== undefined) return asHdCopy(media.kind, message, media.hdOf)
  return media.viewOnce ? { viewOnceMessageV2: { message } } : message
}

/** The second of the two messages of a picture or video in high definition. It names the first, which has the small file. */
function asHdCopy(kind: string, message: proto.IMessage, parentMessageKey: proto.IMessageKey): proto.IMessage {
  const { HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType
  const associationType = kind === 'video' ? HD_VIDEO_DUAL_UPLOAD : HD_IMAGE_DUAL_UPLOAD
  return {
    associatedChildMessage: { message },
    messageContextInfo: { messageAssociation: { associationType, parentMessageKey } },
  }
}

const MIMETYPES: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  sticker: 'image/webp',
  video: 'video/mp4',
  ptv: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
}

/**
 * A companion asks for the file of a message again (`server-error`): it is put on the host under a new path, which the companion gets
 * by a notification. Form of request and answer: `encryptMediaRetryRequest` and `decodeMediaRetryNode` of Baileys.
 */
export function answerMediaRequest(phone: Phone, companion: Device, receipt: Node): void {
  const { id = '' } = receipt.attrs
  const answer = (content: Node[]): void => {
    const attributes = { id, type: 'mediaretry', from: phone.account.jid('pn'), t: nowSeconds() }
    phone.network.deliver(companion, node('notification', attributes, [...content, named]))
  }
  const named = child(receipt, 'rmr') ?? node('rmr', {})
  const message = phone.inbox.messages.get(id)?.message ?? phone.sent.get(id)?.message
  const [found] = message === undefined ? [] : mediaParts(message as proto.IMessage)
  const mediaKey = found?.part.mediaKey
  const fault = phone.network.faults.media('media-retry')
  if (fault || !found || !mediaKey) {
    answer([refusal(fault?.code ?? NOT_FOUND)])
    return
  }
  const key = Buffer.from(hkdf(Buffer.from(mediaKey), 32, { info: 'WhatsApp Media Retry Notification' }))
  const renewed = phone.network.media.renew(found.part.directPath ?? '')
  if (!renewed || askedId(key, id, child(receipt, 'encrypt')) !== id) {
    answer([refusal(renewed ? DECRYPTION_ERROR : NOT_FOUND)])
    return
  }
  const told = proto.MediaRetryNotification.encode({ stanzaId: id, directPath: renewed.directPath, result: SUCCESS })
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id))
  const ciphertext = Buffer.concat([cipher.update(told.finish()), cipher.final(), cipher.getAuthTag()])
  answer([node('encrypt', {}, [node('enc_p', {}, ciphertext), node('enc_iv', {}, iv)])])
}

const { SUCCESS, NOT_FOUND, DECRYPTION_ERROR } = proto.MediaRetryNotification.ResultType

function refusal(code: number): Node {
  return node('error', { code: String(code) })
}

function askedId(key: Buffer, id: string, encrypted: Node | undefined): string | null | undefined {
  const [ciphertext, iv] = [child(encrypted, 'enc_p'), child(encrypted, 'enc_iv')].map((one) => one && bytes(one))
  if (!ciphertext || !iv) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, iv)
  decipher.setAAD(Buffer.from(id)).setAuthTag(ciphertext.subarray(-16))
  const request = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()])
  return proto.ServerErrorReceipt.decode(request).stanzaId
}

function mediaParts(value: unknown): { kind: string; part: MediaPart }[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'contextInfo' || typeof inner !== 'object' || inner === null) return []
    if (name === 'extendedTextMessage') return previewPicture(inner as proto.Message.IExtendedTextMessage)
    const kind = name.replace(/Message$/, '')
    const isMedia = name.endsWith('Message') && kind in KEY_KINDS && (inner.mediaKey || inner.directPath || inner.url)
    return isMedia ? [{ kind, part: inner as MediaPart }] : mediaParts(inner)
  })
}

/** Without it a phone shows the small picture inside the message. */
function previewPicture(text: proto.Message.IExtendedTextMessage): { kind: string; part: MediaPart }[] {
  const { thumbnailDirectPath: directPath, mediaKey, thumbnailWidth: width, thumbnailHeight: height } = text
  if (!directPath) return []
  const hashes = { fileSha256: text.thumbnailSha256, fileEncSha256: text.thumbnailEncSha256 }
  const size = { width: width ?? null, height: height ?? null }
  return [
    { kind: 'preview', part: { directPath, mediaKey, ...hashes, ...size, jpegThumbnail: text.jpegThumbnail ?? null } },
  ]
}

async function examine(host: MediaHost, kind: string, part: MediaPart): Promise<ShownMedia> {
  const shown: ShownMedia = {
    kind,
    mimetype: part.mimetype ?? null,
    sizeBytes: null,
    sha256: null,
    caption: part.caption ?? null,
    fileName: part.fileName ?? null,
    width: part.width ?? null,
    height: part.height ?? null,
    seconds: part.seconds ?? null,
    ptt: part.ptt ?? false,
    gif: part.gifPlayback ?? false,
    waveform: part.waveform == null ? null : Buffer.from(part.waveform).toString('base64'),
    thumbnailBytes: (part.jpegThumbnail ?? part.pngThumbnail)?.length ?? 0,
    error: null,
  }
  try {
    const file = await plain(host, kind, part)
    return { ...shown, sizeBytes: file.length, sha256: sha256(file).toString('hex') }
  } catch (error) {
    return { ...shown, error: (error as Error).message }
  }
}

async function plain(host: MediaHost, kind: string, part: MediaPart): Promise<Buffer> {
  // Of the picture of a link a message says only the path.
  if (kind !== 'preview' && !part.url?.startsWith('https://')) throw new Error('Its url is not one of https.')
  const encrypted = host.read(part.directPath)
  if (encrypted === undefined) throw new Error('There is no such file on the media host.')
  return decryptMedia(encrypted, KEY_KINDS[kind] as MediaType, part)
}
