/** Sends files of chance bytes through REST, as base64 in a JSON body. */
import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { BenchGateway } from './gateway.js'

const PIECE_BYTES = 48 * 1024

/** Writes the file in pieces: a bench has no room for twenty large ones either. */
export function upload(
  gateway: BenchGateway,
  token: string,
  { to, sizeBytes }: { readonly to: string; readonly sizeBytes: number },
): Promise<void> {
  const piece = randomBytes(PIECE_BYTES).toString('base64')
  const pieces = Math.ceil(sizeBytes / PIECE_BYTES)
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${gateway.url}/send/media`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      response.resume()
      if (response.statusCode === 200) response.once('end', resolve)
      else reject(new Error(`An upload was answered ${response.statusCode}.`))
    })
    void (async () => {
      request.write(`{"number":"${to}","type":"document","file":"`)
      for (let index = 0; index < pieces; index += 1)
        if (!request.write(piece)) await new Promise((go) => request.once('drain', go))
      request.end('"}')
    })()
  })
}
