/** A receiver of webhooks that answers at once and keeps the texts, in the order in which they came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface TextReceiver {
  readonly url: string
  readonly texts: string[]
  /** Waits for so many texts; gives up after a while, since a lost one never comes. */
  until(count: number): Promise<void>
  close(): void
}

const GIVE_UP_MS = 30_000

export async function startTextReceiver(): Promise<TextReceiver> {
  const texts: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      texts.push((JSON.parse(body) as { message: { text: string } }).message.text)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    texts,
    async until(count) {
      const deadline = performance.now() + GIVE_UP_MS
      while (texts.length < count && performance.now() < deadline) await wait(5)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
