/** A receiver of webhooks that answers at once and keeps the texts, in the order in which they came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface TextReceiver {
  readonly url: string
  readonly texts: string[]
  /** Waits for so many texts; gives up after a while, since a lost one never comes. */
  until(count: number): Promise<void>
  /** Calls back once, when this text arrives. */
  onText(text: string, arrived: () => void): void
  close(): void
}

const GIVE_UP_MS = 30_000

export async function startTextReceiver(): Promise<TextReceiver> {
  const texts: string[] = []
  const awaited = new Map<string, () => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const { text } = (JSON.parse(body) as { message: { text: string } }).message
      texts.push(text)
      response.end()
      awaited.get(text)?.()
      awaited.delete(text)
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
    onText: (text, arrived) => void awaited.set(text, arrived),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
