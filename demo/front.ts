/**
 * Stands before the gateway of the demo, on this machine only: hands all calls on, and adds `/demo/…`, by which the dashboard shows the two phones
 * and writes on them. The gateway itself has no such path.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorText } from '../lib/error-text.js'
import { createDemoPhones, type DemoPhone } from './demo-phones.js'

export interface Front {
  readonly url: string
  close(): void
}

export interface FrontOptions {
  readonly gatewayUrl: string
  readonly controlUrl: string
  readonly phones: readonly DemoPhone[]
  /** 0 is any free one. Undefined: 3000, or the next free one. */
  readonly port: number | undefined
}

const BODY_MAX_BYTES = 100_000
/** Names of this machine. A page of another name that leads here must not reach the phones. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/
const PAGE = /^\/dashboard(\/(?!assets\/)[^.]*)?(\?.*)?$/

export async function startFront({ gatewayUrl, controlUrl, phones, port }: FrontOptions): Promise<Front> {
  const shown = createDemoPhones(controlUrl, phones)
  const server = createServer((asked, answer) => {
    const { url = '/' } = asked
    if (url.startsWith('/demo/')) void answerPhones(shown, asked, answer)
    else handOn(gatewayUrl, asked, answer, PAGE.test(url))
  })
  await listen(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const USUAL_PORT = 3000
/** Ports after the usual one that are tried. */
const NEXT_PORTS = 50

/** Listens on this machine. The address of a demo is the same each time, unless something else has the port. */
export async function listen(server: Server, port: number | undefined): Promise<void> {
  for (let next = port ?? USUAL_PORT; ; next += 1) {
    try {
      server.listen(next, '127.0.0.1')
      await once(server, 'listening')
      return
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (port !== undefined || !isTaken || next >= USUAL_PORT + NEXT_PORTS) throw error
    }
  }
}

/** Returns the usual port, or the next free one. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await listen(server, undefined)
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Returns the port that the environment asks for; undefined: it does not. */
export function askedPort(environment = process.env): number | undefined {
  const { PORT = '' } = environment
  return PORT === '' ? undefined : Number(PORT)
}

/** Returns a sentence if the address is not the usual one. */
export function otherPortNote(url: string): string[] {
  const port = Number(new URL(url).port)
  return askedPort() === undefined && port !== USUAL_PORT
    ? [`Port ${USUAL_PORT} is in use, so this demo has ${port}.`]
    : []
}

async function answerPhones(
  phones: ReturnType<typeof createDemoPhones>,
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  try {
    const refused = refusal(asked)
    if (refused !== null) return tell(answer, 403, { error: refused })
    if (asked.url === '/demo/scan' && asked.method === 'POST') {
      const { phone, qr, code } = await readJson(asked)
      return tell(answer, 200, await phones.link(String(phone), { qr, code }))
    }
    if (asked.url !== '/demo/phones') return tell(answer, 404, { error: `There is no ${asked.url}.` })
    if (asked.method === 'GET') return tell(answer, 200, await phones.list())
    const { from, to, text } = await readJson(asked)
    tell(answer, 200, await phones.write(String(from), String(to), String(text)))
  } catch (error) {
    tell(answer, 400, { error: errorText(error) })
  }
}

/** Returns why the caller is not a page of this front; null if it may be one. */
function refusal({ method, headers }: IncomingMessage): string | null {
  if (!LOOPBACK.test(headers.host ?? '')) return 'Only this machine may see the phones of the demo.'
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'Another page may not use the phones of the demo.'
  // Other pages cannot send this kind of body without a question first, which nobody answers.
  if (method === 'POST' && headers['content-type'] !== 'application/json') return 'The body must be application/json.'
  return null
}

async function readJson(asked: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of asked as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > BODY_MAX_BYTES) throw new Error('The text is too long.')
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
}

function tell(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  answer.end(JSON.stringify(body))
}

/** Hands a call on to the gateway. The page of the dashboard gets a mark, by which it shows the phones. */
function handOn(gatewayUrl: string, asked: IncomingMessage, answer: ServerResponse, isPage: boolean): void {
  const headers = { ...asked.headers }
  // The page is changed, so that no copy of a browser counts.
  if (isPage) delete headers['if-none-match']
  const call = request(gatewayUrl + (asked.url ?? '/'), { method: asked.method, headers }, (reply) => {
    const isHtml = isPage && (reply.headers['content-type'] ?? '').startsWith('text/html')
    if (!isHtml) {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
      return
    }
    const { etag: _, 'content-length': __, ...rest } = reply.headers
    answer.writeHead(reply.statusCode ?? 502, rest)
    let html = ''
    reply.setEncoding('utf8')
    reply.on('data', (part: string) => (html += part))
    reply.on('end', () => answer.end(html.replace('<html', '<html data-demo')))
  })
  call.on('error', () => {
    if (answer.headersSent) answer.destroy()
    else tell(answer, 502, { error: 'The gateway of the demo does not answer.' })
  })
  answer.on('close', () => call.destroy())
  asked.pipe(call)
}
