/** Uploads files to the network's media host. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MEDIA_PATH_MAP } from '@whiskeysockets/baileys'
import { request } from 'undici'
import { GatewayError } from '../../../../schemas/errors.js'
import type { FileKind } from '../../../../schemas/send-content.js'
import type { UploadedMedia } from '../../port/media.js'
import { proxyFailureIn } from '../../route/proxy-failure.js'
import { encryption, LIBRARY_KINDS } from './cipher.js'
import type { MediaHosts } from './hosts.js'

// Bound: 65,536, 1,000 values, the answer of a media host of the network.

/** Hosts and permission for an upload, from the network's `media_conn`. */
export interface UploadPlace {
  readonly hosts: readonly { readonly hostname: string }[]
  readonly auth: string
}

export interface UploadOptions {
  readonly hosts: MediaHosts
  /** Folder for encrypted files. Their name is their hash, so a file is encrypted completely before its first byte is sent. */
  readonly tempDir: string
  /** Returns where to upload. `renewed`: asks for a new permission, because the former one was refused. */
  readonly place: (renewed: boolean) => Promise<UploadPlace>
  /** Called when a host did not accept the file. Another host may. */
  readonly onFailure: (error: unknown) => void
}

const ORIGIN = 'https://web.whatsapp.com'
/** Minimum speed of an upload; slower ones fail. */
const BYTES_PER_SECOND_MIN = 64 * 1024
const TIMEOUT_MIN_MS = 30_000
const ROUNDS = 2

/**
 * Encrypts a file and uploads it.
 * @throws GatewayError MEDIA_REFUSED (no attempt can succeed), MEDIA_UPLOAD_FAILED; and errors of reading the file
 */
export async function uploadMedia(
  kind: FileKind,
  file: AsyncIterable<Uint8Array>,
  options: UploadOptions,
): Promise<UploadedMedia> {
  const encrypted = path.join(options.tempDir, `upload-${randomBytes(12).toString('hex')}`)
  try {
    const { encrypt, proof } = encryption(kind)
    await pipeline(file, encrypt, createWriteStream(encrypted, { mode: 0o600 })).catch(noRoom)
    const made = proof()
    const open = () => createReadStream(encrypted, { highWaterMark: 256 * 1024 })
    const contents = { open, sizeBytes: (await stat(encrypted)).size }
    const { url, directPath } = await send(options, findFolder(LIBRARY_KINDS[kind]), contents, made.fileEncSha256)
    return { ...made, url, directPath, mediaKeyTimestampSeconds: Math.floor(Date.now() / 1000) }
  } finally {
    await rm(encrypted, { force: true })
  }
}

/**
 * Uploads a file for a channel as it is (whatsmeow `UploadNewsletter`, zapo `media/constants.ts`). The answer has the handle that its post names.
 * @throws as `uploadMedia`
 */
export async function uploadForChannel(
  kind: FileKind,
  file: AsyncIterable<Uint8Array>,
  options: UploadOptions,
): Promise<UploadedMedia> {
  const stored = path.join(options.tempDir, `upload-${randomBytes(12).toString('hex')}`)
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file) {
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(hashed, createWriteStream(stored, { mode: 0o600 })).catch(noRoom)
    const open = () => createReadStream(stored, { highWaterMark: 256 * 1024 })
    const contents = { open, sizeBytes: (await stat(stored)).size }
    const fileSha256 = hash.digest()
    const folder = `/newsletter/newsletter-${LIBRARY_KINDS[kind]}`
    const { handle, ...sent } = await send(options, folder, contents, fileSha256)
    if (handle === '') throw new GatewayError('MEDIA_UPLOAD_FAILED')
    const none = new Uint8Array()
    const keys = { mediaKey: none, fileEncSha256: none, mediaKeyTimestampSeconds: 0 }
    return { ...keys, ...sent, fileSha256, fileLength: contents.sizeBytes, handle }
  } finally {
    await rm(stored, { force: true })
  }
}

/** Uploads a file that is not encrypted, such as the image of a product. @throws GatewayError MEDIA_REFUSED, MEDIA_UPLOAD_FAILED */
export async function uploadPlain(
  kind: 'product-catalog-image',
  bytes: Uint8Array,
  options: Omit<UploadOptions, 'tempDir'>,
): Promise<Sent> {
  const hash = createHash('sha256').update(bytes).digest()
  return await send(options, findFolder(kind), { open: () => bytes, sizeBytes: bytes.length }, hash)
}

function findFolder(kind: (typeof LIBRARY_KINDS)[FileKind] | 'product-catalog-image'): string {
  return MEDIA_PATH_MAP[kind] ?? ''
}

function noRoom(error: NodeJS.ErrnoException): never {
  if (error instanceof GatewayError) throw error
  throw new GatewayError('MEDIA_STORAGE_UNAVAILABLE', { cause: error })
}

/** `handle`: of a file for a channel; otherwise empty. */
type Sent = Pick<UploadedMedia, 'url' | 'directPath'> & { readonly handle: string }

/** What is uploaded, opened for each attempt. */
interface Contents {
  readonly open: () => Readable | Uint8Array
  readonly sizeBytes: number
}

async function send(
  { hosts, place, onFailure }: Omit<UploadOptions, 'tempDir'>,
  folder: string,
  file: Contents,
  hash: Uint8Array,
): Promise<Sent> {
  const name = Buffer.from(hash).toString('base64url')
  let failure: unknown
  let wasRefused = false
  for (let round = 0; round < ROUNDS; round += 1) {
    const { hosts: offered, auth } = await place(wasRefused)
    wasRefused = false
    let wasCut = false
    for (const { hostname } of offered) {
      try {
        const url = hosts.admit(`https://${hostname}${folder}/${name}`)
        url.search = new URLSearchParams({ auth, token: name }).toString()
        return await post(hosts, url, file)
      } catch (error) {
        if (error instanceof GatewayError) throw error
        onFailure(error)
        wasRefused ||= error instanceof AuthRefused
        wasCut ||= !(error instanceof HostRefused)
        failure = error
      }
    }
    // Tries again, because the permission may have expired, or the other side may have closed a kept connection.
    if (!wasRefused && !wasCut) break
  }
  const why = proxyFailureIn(failure)?.message
  const details = why === undefined ? {} : { details: [{ field: 'proxy', why }] }
  throw new GatewayError('MEDIA_UPLOAD_FAILED', { ...details, cause: failure })
}

class HostRefused extends Error {}
class AuthRefused extends HostRefused {}

async function post(hosts: MediaHosts, url: URL, { open, sizeBytes }: Contents): Promise<Sent> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    dispatcher: hosts.dispatcher,
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(sizeBytes), origin: ORIGIN },
    body: open(),
    signal: AbortSignal.timeout(Math.max(TIMEOUT_MIN_MS, Math.ceil((sizeBytes * 1_000) / BYTES_PER_SECOND_MIN))),
  })
  const answer = await body.text()
  if (statusCode === 401 || statusCode === 403) throw new AuthRefused(`The media host answered ${statusCode}.`)
  if (statusCode === 400 || statusCode === 413 || statusCode === 415)
    throw new GatewayError('MEDIA_REFUSED', { fields: { provider_code: statusCode } })
  if (statusCode !== 200) throw new HostRefused(`The media host answered ${statusCode}.`)
  const read = JSON.parse(answer) as { readonly [field in 'url' | 'direct_path' | 'handle']?: unknown }
  const { url: address, direct_path: directPath, handle } = read
  if (typeof address !== 'string' || typeof directPath !== 'string')
    throw new HostRefused('The media host returned no path of the file.')
  return { url: address, directPath, handle: typeof handle === 'string' ? handle : '' }
}
