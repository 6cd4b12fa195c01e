/** Servers of hostile tenants, as a process: providers, files that never end, a slow receiver of webhooks, and a Chatwoot. Prints their addresses. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startChatwoot } from '../../sandbox/chatwoot/index.js'

export interface HostileAddresses {
  readonly url: string
  readonly chatwoot: {
    readonly url: string
    readonly token: string
    readonly account: number
    readonly inbox: number
  }
}

const MIB = 2 ** 20
/** The receiver answers just before it would count as slow. */
const RECEIVER_MS = 2_900
/** Nearly what the patterns for messages of providers look for, again and again. */
const WORDS = 'maximum context length is '.repeat(4 * MIB).slice(0, 2 * MIB)
const wordsAnswer = JSON.stringify({ error: { message: WORDS, type: 'invalid_request_error', code: 'unsupported' } })
/** 4 MB of values in a few kilobytes. */
const bomb = gzipSync(`{"choices":[${'[],'.repeat(1_300_000)}[]]}`)
const longAnswer = JSON.stringify({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'long. word '.repeat(20_000) } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})
const JSON_TYPE = { 'content-type': 'application/json' }

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  words: (response) => response.writeHead(400, JSON_TYPE).end(wordsAnswer),
  bomb: (response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb),
  long: (response) => response.writeHead(200, JSON_TYPE).end(longAnswer),
  slow: (response) => void setTimeout(() => response.end(), RECEIVER_MS),
  // A file of which a byte comes now and then.
  trickle(response) {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(MIB) })
    const drip = setInterval(() => response.write('x'), 500)
    response.once('close', () => clearInterval(drip))
  },
}

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const [, kind = ''] = (request.url ?? '').split('/')
    const answer = answers[kind]
    if (answer === undefined) response.writeHead(404).end()
    else answer(response)
  })
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
// One that does not sign its webhooks, so that the bench can send them itself.
const { url, tokens, account, inbox } = await startChatwoot({ version: '4.3.0' })
const addresses: HostileAddresses = {
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  chatwoot: { url, token: tokens.administrator, account: account.id, inbox: inbox.id },
}
process.stdout.write(`${JSON.stringify(addresses)}\n`)
process.once('SIGTERM', () => process.exit(0))
