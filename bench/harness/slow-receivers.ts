/** Receivers of webhooks that take a given time for each answer, as a process. Each has a port, and so places, of its own. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

export type SlowReceiversOrder =
  /** Answers with the URL. */
  | { readonly open: { readonly latencyMs: number } }
  /** Answers with what the receiver got since it was asked last. */
  | { readonly take: string }

export interface Taken {
  readonly count: number
  /** Time between the writing of each message, which is its text, and its arrival. */
  readonly agesMs: readonly number[]
}

/** Ages that are kept between two questions. */
const AGES_MAX = 10_000
const receivers = new Map<string, { count: number; agesMs: number[] }>()

async function open(latencyMs: number): Promise<string> {
  const got = { count: 0, agesMs: [] as number[] }
  const server = createServer((request, response) => {
    void readTexts(request).then((texts) => {
      got.count += texts.length
      for (const text of texts) if (got.agesMs.length < AGES_MAX) got.agesMs.push(Date.now() - Number(text))
      setTimeout(() => response.end(), latencyMs)
    })
  })
  await listening(server)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  receivers.set(url, got)
  return url
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}

interface TextEvent {
  readonly message: { readonly text: string }
}

/** Of an event, or of those of a batch. */
async function readTexts(request: IncomingMessage): Promise<readonly string[]> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  return [JSON.parse(body) as TextEvent | TextEvent[]].flat().map(({ message }) => message.text)
}

function take(url: string): Taken {
  const got = receivers.get(url)
  if (got === undefined) throw new Error(`There is no receiver ${url}.`)
  const taken = { ...got }
  got.count = 0
  got.agesMs = []
  return taken
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const order = JSON.parse(line) as SlowReceiversOrder
  const done = (answer: unknown): void => void process.stdout.write(`${JSON.stringify({ answer })}\n`)
  if ('open' in order) void open(order.open.latencyMs).then(done)
  else done(take(order.take))
})
process.stdout.write('ready\n')
