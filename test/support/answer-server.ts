import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface AnswerServer {
  readonly url: string
  /** Gives every request this answer from now on; `body` is compressed with gzip. */
  answer(status: number, body: Buffer): Promise<void>
}

/** Starts a server in a thread of its own, so that what it costs is not in the time of the main thread. */
export async function startAnswerServer(t: { after(end: () => Promise<unknown>): void }): Promise<AnswerServer> {
  const worker = new Worker(SERVER, { eval: true })
  t.after(() => worker.terminate())
  const [port] = (await once(worker, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    async answer(status, body) {
      worker.postMessage({ status, body })
      await once(worker, 'message')
    },
  }
}

const SERVER = `
  const { createServer } = require('node:http')
  const { parentPort } = require('node:worker_threads')
  let status = 200
  let body = Buffer.alloc(0)
  parentPort.on('message', (given) => {
    ({ status, body } = given)
    parentPort.postMessage('set')
  })
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`
