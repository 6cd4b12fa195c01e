/** Files inside of messages: puts one into a message, and reads the one of a stored message. */
import type { proto } from '@whiskeysockets/baileys'
import { cut } from '../../../../lib/cut.js'
import type { FileFacts, MediaKind, StatusStyle } from '../../../../schemas/send-content.js'
import type { NetworkFile, UploadedMedia, WhichFile } from '../../port/media.js'
import { unwrap } from '../incoming.js'
import { readForLibrary, readMessage } from '../kinds/read-message.js'

/** A file on the media host with its facts. `caption` is the text beside it. */
export interface MediaPart extends FileFacts {
  readonly media: MediaKind
  readonly uploaded: UploadedMedia
  readonly caption?: string | undefined
  readonly style?: StatusStyle | undefined
}

/** Makes the part of a message that refers to a file, also for the header of a menu or card. */
export function composeMediaPart(
  part: MediaPart,
  context: { contextInfo?: proto.IContextInfo; viewOnce?: boolean },
): proto.IMessage {
  const { uploaded, mimetype, fileName, thumbnail, width, height, seconds, waveform, style } = part
  const file = { ...toPlaceFields(uploaded), mimetype, ...context }
  const picture = {
    ...(thumbnail === undefined ? {} : { jpegThumbnail: Buffer.from(thumbnail, 'base64') }),
    ...(width === undefined || height === undefined ? {} : { width, height }),
  }
  const caption = part.caption ? { caption: part.caption } : {}
  const length = seconds === undefined ? {} : { seconds }
  switch (part.media) {
    case 'image':
      return { imageMessage: { ...file, ...picture, ...caption } }
    case 'video':
      return { videoMessage: { ...file, ...picture, ...length, ...caption } }
    case 'gif':
      return { videoMessage: { ...file, ...picture, ...length, ...caption, gifPlayback: true } }
    case 'ptv':
      return { ptvMessage: { ...file, ...picture, ...length } }
    case 'audio':
      return { audioMessage: { ...file, ...length } }
    case 'ptt':
      return {
        audioMessage: {
          ...file,
          ...length,
          ptt: true,
          ...(style === undefined ? {} : { backgroundArgb: style.backgroundArgb }),
          ...(waveform === undefined ? {} : { waveform: Buffer.from(waveform, 'base64') }),
        },
      }
    case 'sticker':
      return { stickerMessage: { ...file, ...(width === undefined || height === undefined ? {} : { width, height }) } }
    case 'document': {
      const title = fileName ?? 'file'
      const documentMessage = { ...file, ...picture, ...caption, title, fileName: title }
      // Clients show the text beside a document only in this wrapper (Baileys `assertMediaContent` unwraps it too).
      return part.caption ? { documentWithCaptionMessage: { message: { documentMessage } } } : { documentMessage }
    }
  }
}

/** A file for a channel is not encrypted, and its message has no key. */
function toPlaceFields({ handle, mediaKeyTimestampSeconds: mediaKeyTimestamp, ...where }: UploadedMedia) {
  if (handle === undefined) return { ...where, mediaKeyTimestamp }
  const { url, directPath, fileSha256, fileLength } = where
  return { url, directPath, fileSha256, fileLength }
}

/** Wraps a message that can be viewed once, as the network's own clients do. */
export function asViewOnce(message: proto.IMessage): proto.IMessage {
  return message.audioMessage ? { viewOnceMessageV2Extension: { message } } : { viewOnceMessageV2: { message } }
}

const MIMETYPE_MAX = 200
const FILE_NAME_MAX = 255

type Held = proto.Message.IImageMessage & proto.Message.IDocumentMessage & proto.Message.IAudioMessage

/** Returns the file of an encoded message; null if it has no file that could be fetched. */
export function findFile(encoded: Uint8Array, of: WhichFile = 'message'): NetworkFile | null {
  const message = unwrap(readMessage(encoded))
  if (of === 'message') return fileIn(message)
  if (of !== 'quoted') return fileIn(message.interactiveMessage?.carouselMessage?.cards?.[of.card - 1]?.header ?? {})
  const part = Object.values(message).find(
    (value) => (value as { contextInfo?: proto.IContextInfo } | null)?.contextInfo,
  )
  const quoted = (part as { contextInfo?: proto.IContextInfo } | undefined)?.contextInfo?.quotedMessage
  return quoted ? fileIn(unwrap(quoted)) : null
}

function fileIn(message: proto.IMessage): NetworkFile | null {
  const [media, part] = findMedia(message)
  if (media === null) return null
  const { url, directPath, mediaKey, fileSha256, fileEncSha256, fileLength, mimetype, fileName } = part
  // Without the hash of the ciphertext there is none: the file is not encrypted (tulir/whatsmeow `download.go`).
  const isPlain = !fileEncSha256?.length
  if (!(mediaKey?.length || isPlain) || !fileSha256?.length || !(directPath || url)) return null
  return {
    media,
    url: url ?? '',
    directPath: directPath ?? '',
    isPlain,
    mediaKey: mediaKey ?? new Uint8Array(),
    fileSha256,
    fileEncSha256: fileEncSha256 ?? new Uint8Array(),
    fileLength: Number(fileLength ?? 0),
    // Both become headers of a response, and clients may refuse long ones.
    mimetype: mimetype && mimetype.length <= MIMETYPE_MAX ? mimetype : 'application/octet-stream',
    fileName: cut(fileName ?? '', FILE_NAME_MAX),
  }
}

function findMedia(message: proto.IMessage): [MediaKind, Held] | [null, Held] {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message
  if (imageMessage) return ['image', imageMessage]
  if (videoMessage) return [videoMessage.gifPlayback ? 'gif' : 'video', videoMessage]
  if (ptvMessage) return ['ptv', ptvMessage]
  if (audioMessage) return [audioMessage.ptt ? 'ptt' : 'audio', audioMessage]
  if (documentMessage) return ['document', documentMessage]
  if (stickerMessage) return ['sticker', stickerMessage]
  const header = findHeader(message)
  return header ? findMedia(header) : [null, {}]
}

/** Returns the header of a menu. In the older kinds it is a part of the message itself. */
function findHeader({ interactiveMessage, buttonsMessage, templateMessage }: proto.IMessage): proto.IMessage | null {
  const template = templateMessage?.hydratedTemplate ?? templateMessage?.hydratedFourRowTemplate
  const holder = interactiveMessage?.header ?? buttonsMessage ?? template
  if (!holder) return null
  const { imageMessage, videoMessage, documentMessage } = holder
  return {
    ...(imageMessage ? { imageMessage } : {}),
    ...(videoMessage ? { videoMessage } : {}),
    ...(documentMessage ? { documentMessage } : {}),
  }
}

/** Returns the message with another path of its file, after the phone has uploaded it again. */
export function movedFile(encoded: Uint8Array, directPath: string): proto.Message {
  const message = readForLibrary(encoded)
  const [, part] = findMedia(unwrap(message))
  const host = part.url && URL.canParse(part.url) ? new URL(part.url).host : 'mmg.whatsapp.net'
  part.directPath = directPath
  part.url = `https://${host}${directPath}`
  return message
}
