/** A web server of somebody else, from which files are fetched: well-behaved and not. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cleanup } from './cleanup.js'

export interface FileServer {
  readonly url: string
  /** Sets the answer under a path. */
  on(path: string, answer: Buffer | ((response: ServerResponse, request: IncomingMessage) => void)): void
  /** How often a path was asked for. */
  asked(path: string): number
}

export async function startFileServer(t: Cleanup): Promise<FileServer> {
  const answers = new Map<string, Parameters<FileServer['on']>[1]>()
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    counts.set(path, (counts.get(path) ?? 0) + 1)
    const answer = answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else if (Buffer.isBuffer(answer)) response.end(answer)
    else answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    on: (path, answer) => void answers.set(path, answer),
    asked: (path) => counts.get(path) ?? 0,
  }
}
