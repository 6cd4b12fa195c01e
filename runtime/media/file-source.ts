import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { InstanceId } from '../../schemas/ids.js'
import type { GivenFile } from '../../schemas/ports/media.js'
import type { Outgoing } from '../outgoing/client.js'
import { bareName, nameInDisposition } from './disposition.js'
import { bareType } from './file-types.js'

// Bound: 65,536, an address.

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
  return {
    path,
    sizeBytes: size,
    declared: bareType(contentType),
    name: nameInDisposition(disposition) || nameInUrl(url),
  }
}

function nameInUrl(url: string): string {
  try {
    return bareName(decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''))
  } catch {
    return ''
  }
}
