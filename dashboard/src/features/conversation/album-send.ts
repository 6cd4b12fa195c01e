/** Makes the call that sends several files as one album. */
import type { Message } from '../../../../schemas/generated.js'
import type { NewSend } from '../../hooks/outbox.js'
import type { LocalFile } from '../composer/content.js'

const IMAGES = /^image\/(jpeg|png|webp|gif|heic|heif|avif)$/

interface Given {
  readonly files: readonly File[]
  readonly findCaption: (file: File) => string
  readonly chatId: string
  readonly replyTo: Message | null
}

/** Returns true for two or more images and videos. Channels take no albums. */
export function mayBeAlbum(files: readonly File[], chatId: string): boolean {
  return files.length > 1 && !chatId.endsWith('@newsletter') && files.every((file) => chooseType(file) !== null)
}

export function makeAlbum({
  files,
  findCaption,
  chatId,
  replyTo,
}: Given): Omit<NewSend<'sendAlbum'>, 'instanceId' | 'chatId'> {
  const marks = new Map<string, LocalFile>()
  const parts = files.map((file) => {
    const mark = `album-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
    marks.set(mark, { name: file.name || 'file', blob: file })
    const text = findCaption(file).trim()
    return { type: chooseType(file) ?? 'image', file: mark, ...(text === '' ? {} : { text }) }
  })
  return {
    operation: 'sendAlbum',
    body: { number: chatId, files: parts, ...(replyTo === null ? {} : { replyid: replyTo.id }) },
    files: marks,
    shown: {
      messageType: 'album',
      text: files
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 200),
      ...(replyTo === null ? {} : { quoted: replyTo.messageid }),
    },
  }
}

function chooseType({ type }: File): 'image' | 'video' | null {
  if (IMAGES.test(type)) return 'image'
  return type.startsWith('video/') ? 'video' : null
}
