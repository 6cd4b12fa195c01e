import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parse } from 'content-disposition'
import { cut } from '../../schemas/cut.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { GivenFile } from '../../schemas/ports/media.js'
import type { Outgoing } from '../outgoing/client.js'
import { bareType } from './file-types.js'

// Bound: 65,536, a name, a type or words of ffmpeg.

/** Characters of a name at most. */
const NAME_MAX = 200

/** A file of a caller, before its bytes are examined. */
export interface FetchedFile {
  readonly path: string
  readonly sizeBytes: number
  /** Type by the caller or the server; may be empty. */
  readonly declared: string
  /** Name by the server, or else the last part of its URL; may be empty. */
  readonly name: string
}

export interface FetchLimits {
  readonly sizeMaxBytes: number
  readonly timeoutMs: number
}

/** Downloads the file into `target()` when it was given by its URL. */
export async function fetchFile(
  outgoing: Pick<Outgoing, 'download'>,
  given: GivenFile,
  owner: InstanceId,
  target: () => string,
  limits: FetchLimits,
): Promise<FetchedFile> {
  if (given.from === 'file') return { path: given.path, sizeBytes: given.sizeBytes, declared: given.mimetype, name: '' }
  const path = target()
  const { url, contentType, disposition, body } = await outgoing.download(given.url, {
    accept: '*/*',
    owner,
    ...limits,
  })
  await pipeline(body, createWriteStream(path, { mode: 0o600 }))
  const { size } = await stat(path)
  return { path, sizeBytes: size, declared: bareType(contentType), name: nameInHeader(disposition) || nameInUrl(url) }
}

/** Returns the name in a header `Content-Disposition`, of which `filename*` comes first; may be empty. */
function nameInHeader(disposition: string): string {
  if (disposition === '') return ''
  try {
    const { filename = '' } = parse(disposition).parameters
    return withoutFolders(asUtf8(filename))
  } catch {
    // Some servers write a name with spaces and no quotation marks.
    const [, bare = ''] = /;\s*filename="?([^";]*)/i.exec(disposition) ?? []
    return withoutFolders(asUtf8(bare))
  }
}

/** Many servers write UTF-8 where the header has Latin-1. */
function asUtf8(name: string): string {
  try {
    return LATIN_1.test(name) ? new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(name, 'latin1')) : name
  } catch {
    return name
  }
}

const LATIN_1 = /^[\0-\xff]*$/

function nameInUrl(url: string): string {
  try {
    return withoutFolders(decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''))
  } catch {
    return ''
  }
}

function withoutFolders(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  return cut(last.replaceAll(/\p{Cc}/gu, '').trim(), NAME_MAX)
}
