/**
 * The least that a gateway does which loses nothing, as a process: a call over HTTP, a row that is committed before the library sends the
 * message, and its status that is committed with the network's answer. One table with one index, keys in memory, no checks, no events.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type BinaryNode, generateMessageIDV2 } from '@whiskeysockets/baileys'
import pg from 'pg'
import type { Sandbox } from '../../sandbox/index.js'
import { BareClient } from '../../test/sandbox/bare-client.js'

const sandbox = JSON.parse(process.env.BENCH_SANDBOX ?? '{}') as Sandbox
const client = new BareClient(sandbox, { config: { markOnlineOnConnect: false } })
await client.pairByQr(process.env.BENCH_PHONE ?? '', false)
const database = new pg.Client({ connectionString: process.env.DATABASE_URL ?? '' })
await database.connect()
await database.query(`
  CREATE TABLE IF NOT EXISTS bench_floor (id text PRIMARY KEY, chat text NOT NULL, body text NOT NULL, status text NOT NULL)`)

const waiting = new Map<string, () => void>()
client.socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => {
  waiting.get(attrs.id ?? '')?.()
  waiting.delete(attrs.id ?? '')
})

const server = createServer(async (request, response) => {
  const { number, text: body } = JSON.parse(await text(request)) as { number: string; text: string }
  const id = generateMessageIDV2(client.socket.user?.id)
  await database.query({
    name: 'put',
    text: `INSERT INTO bench_floor VALUES ($1, $2, $3, 'pending')`,
    values: [id, number, body],
  })
  const acknowledged = new Promise<void>((resolve) => waiting.set(id, resolve))
  const messageId = { messageId: id }
  await client.socket.relayMessage(`${number}@s.whatsapp.net`, { extendedTextMessage: { text: body } }, messageId)
  await acknowledged
  await database.query({ name: 'sent', text: `UPDATE bench_floor SET status = 'sent' WHERE id = $1`, values: [id] })
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ id, status: 'sent' }))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`))
