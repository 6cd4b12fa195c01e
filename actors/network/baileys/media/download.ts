/** Fetches files of messages from the network's media host. */
import { type Dispatcher, request } from 'undici'
import { GatewayError } from '../../../../schemas/errors.js'
import type { InstanceId } from '../../../../schemas/ids.js'
import type { MediaDownloads, NetworkFile } from '../../port/media.js'
import { proxyFailureIn } from '../../route/proxy-failure.js'
import type { NetworkRoute } from '../../route/route.js'
import { DamagedFile, decrypt, verify } from './cipher.js'
import type { MediaHosts } from './hosts.js'
import { findFile } from './parts.js'

const ORIGIN = 'https://web.whatsapp.com'
const HOST = 'mmg.whatsapp.net'
const HEADERS_TIMEOUT_MS = 20_000
/** Maximum time without a byte before a download fails. */
const SILENCE_MAX_MS = 20_000
/** Maximum size of padding and MAC. */
const OVERHEAD_MAX_BYTES = 26

/** `findRoute` opens the route of an instance, which need not be connected. */
export function createNetworkMedia(
  hosts: MediaHosts,
  findRoute: (instance: InstanceId) => Promise<NetworkRoute>,
): MediaDownloads {
  return {
    findFile,
    async open(instance) {
      const route = await findRoute(instance)
      return {
        fetch: (file) => fetchFile(hosts, route.dispatcher, file),
        picture: (url, sizeMaxBytes) => fetchPicture(hosts, route.dispatcher, url, sizeMaxBytes),
        close: () => route.close(),
      }
    },
  }
}

async function* fetchFile(hosts: MediaHosts, dispatcher: Dispatcher, file: NetworkFile): AsyncGenerator<Uint8Array> {
  try {
    const bytes = bytesOnHost(hosts, dispatcher, file)
    yield* file.isPlain ? verify(bytes, file) : decrypt(file.media, bytes, file)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('MEDIA_UNAVAILABLE', { details: [{ field: 'id', why: whyNot(error) }], cause: error })
  }
}

async function fetchPicture(
  hosts: MediaHosts,
  dispatcher: Dispatcher,
  url: string,
  sizeMaxBytes: number,
): Promise<Buffer> {
  try {
    const parts: Uint8Array[] = []
    for await (const part of bytesAt(hosts.admit(url), dispatcher, sizeMaxBytes)) parts.push(part)
    return Buffer.concat(parts)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('MEDIA_UNAVAILABLE', { details: [{ field: 'number', why: whyNot(error) }], cause: error })
  }
}

function whyNot(error: unknown): string {
  if (error instanceof DamagedFile) return error.message
  return proxyFailureIn(error)?.message ?? 'The media host could not be reached or closed the connection early.'
}

function bytesOnHost(
  hosts: MediaHosts,
  dispatcher: Dispatcher,
  { url, directPath, fileLength }: NetworkFile,
): AsyncGenerator<Uint8Array> {
  const host = URL.canParse(url) ? new URL(url).host : HOST
  const address = hosts.admit(directPath === '' ? url : `https://${host}${directPath}`)
  return bytesAt(address, dispatcher, fileLength + OVERHEAD_MAX_BYTES)
}

/** Yields the bytes at an address of the network. Follows no redirect. */
async function* bytesAt(address: URL, dispatcher: Dispatcher, sizeMaxBytes: number): AsyncGenerator<Uint8Array> {
  const { statusCode, body } = await request(address, {
    dispatcher,
    headers: { origin: ORIGIN },
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: SILENCE_MAX_MS,
  })
  try {
    // Also 403: paths have signatures that expire.
    if (statusCode === 404 || statusCode === 410 || statusCode === 403) throw new GatewayError('MEDIA_EXPIRED')
    if (statusCode !== 200) throw new Error(`The media host answered ${statusCode}.`)
    let received = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received > sizeMaxBytes) throw new DamagedFile('The file is longer than the message states, or than allowed.')
      yield chunk
    }
  } finally {
    body.destroy()
    body.on('error', () => {})
  }
}
