/** A receiver of webhooks on plain TCP, which answers with whatever bytes a test likes. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Cleanup } from './cleanup.js'

export interface RawRequest {
  /** Method and target. */
  readonly line: string
  readonly body: string
}

/** @param answer called once per complete request */
export async function startRawReceiver(t: Cleanup, answer: (socket: Socket, request: RawRequest) => void) {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.on('data', (part: string) => {
      text += part
      for (let request = takeRequest(text); request !== undefined; request = takeRequest(text)) {
        text = text.slice(request.length)
        requests.push(request)
        answer(socket, request)
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** Reads the first request, if it is complete. Its body has a `Content-Length`. */
function takeRequest(text: string): (RawRequest & { readonly length: number }) | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyLength = Number(/content-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0)
  const length = headEnd + 4 + bodyLength
  if (text.length < length) return undefined
  return { line: text.slice(0, text.indexOf(' HTTP/')), body: text.slice(headEnd + 4, length), length }
}
