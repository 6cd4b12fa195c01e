import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { SendMediaRequest } from '../clients/typescript/src/index.js'
import { createClient, type Output, read, UsageError } from './options.js'

type MediaType = SendMediaRequest['type']

/** Kinds of files by their endings; all others are documents. */
const TYPES: Readonly<Record<string, MediaType>> = {
  ...Object.fromEntries(['.jpg', '.jpeg', '.png', '.webp', '.gif'].map((ending) => [ending, 'image' as const])),
  ...Object.fromEntries(['.mp4', '.mov', '.3gp'].map((ending) => [ending, 'video' as const])),
  ...Object.fromEntries(['.mp3', '.ogg', '.m4a', '.wav'].map((ending) => [ending, 'audio' as const])),
}

/** Sends a text, or a file with the text below it. Prints the id of the message. */
export async function send(typed: readonly string[], { write }: Output): Promise<number> {
  const options = read(typed, [1, 2], { file: { type: 'string' }, type: { type: 'string' }, key: { type: 'string' } })
  const [number = '', text] = options.words
  const { file, type, key } = options.values
  const posthorn = createClient(options, 'instance')
  const once = typeof key === 'string' ? { idempotencyKey: key } : {}
  if (typeof file !== 'string') {
    if (text === undefined) throw new UsageError('A text or --file is missing.\n`posthorn help` shows how to type it.')
    write(`${(await posthorn.sendText({ number, text }, once)).messageid}\n`)
    return 0
  }
  const isUrl = /^https?:\/\//.test(file)
  const name = isUrl ? new URL(file).pathname : file
  const media: SendMediaRequest = {
    number,
    type: (type as MediaType | undefined) ?? TYPES[path.extname(name).toLowerCase()] ?? 'document',
    file: isUrl ? file : (await readContent(file)).toString('base64'),
    docName: path.basename(name),
    ...(text === undefined ? {} : { text }),
  }
  write(`${(await posthorn.sendMedia(media, once)).messageid}\n`)
  return 0
}

async function readContent(file: string): Promise<Buffer> {
  return readFile(file).catch((error: Error) => {
    throw new UsageError(`The file cannot be read: ${error.message}`)
  })
}
