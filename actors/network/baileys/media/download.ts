/** Fetches files of messages from the network's media host. */
import { request } from 'undici'
import { GatewayError } from '../../../../schemas/errors.js'
import type { MediaDownloads, NetworkFile } from '../../port/media.js'
import { DamagedFile, decrypt } from './cipher.js'
import type { MediaHosts } from './hosts.js'
import { fileOf } from './parts.js'

const ORIGIN = 'https://web.whatsapp.com'
const HOST = 'mmg.whatsapp.net'
const HEADERS_TIMEOUT_MS = 20_000
/** Maximum time without a byte before a download fails. */
const SILENCE_MAX_MS = 20_000
/** Maximum size of padding and MAC. */
const OVERHEAD_MAX_BYTES = 26

export function createNetworkMedia(hosts: MediaHosts): MediaDownloads {
  return { fileOf, fetch: (file) => fetchFile(hosts, file) }
}

async function* fetchFile(hosts: MediaHosts, file: NetworkFile): AsyncGenerator<Uint8Array> {
  try {
    yield* decrypt(file.media, encryptedBytes(hosts, file), file)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    const why = error instanceof DamagedFile ? error.message : 'The media host could not be reached, or broke off.'
    throw new GatewayError('MEDIA_UNAVAILABLE', { details: [{ field: 'id', why }], cause: error })
  }
}

async function* encryptedBytes(
  hosts: MediaHosts,
  { url, directPath, fileLength }: NetworkFile,
): AsyncGenerator<Uint8Array> {
  const host = URL.canParse(url) ? new URL(url).host : HOST
  const address = hosts.admit(directPath === '' ? url : `https://${host}${directPath}`)
  const { statusCode, body } = await request(address, {
    dispatcher: hosts.dispatcher,
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
      if (received > fileLength + OVERHEAD_MAX_BYTES) throw new DamagedFile('It is longer than the message says.')
      yield chunk
    }
  } finally {
    body.destroy()
    body.on('error', () => {})
  }
}
