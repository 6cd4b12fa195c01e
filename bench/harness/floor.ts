/**
 * The least that a gateway does which loses nothing, as a process. A text that is sent: a call over HTTP, a row that is committed before the library
 * sends the message, and its status that is committed with the network's answer. One that is received: a row, with all that came meanwhile in one
 * statement, a POST, and the end of the row with the next statement. One table with one index, no checks, no events; keys in memory, unless
 * `BENCH_KEEPS` is `keys`, which are stored with the row, or `records`: then all records of a message are stored too (`floor-records.ts`).
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type BinaryNode, BufferJSON, generateMessageIDV2 } from '@whiskeysockets/baileys'
import pg from 'pg'
import { request } from 'undici'
import type { Sandbox } from '../../sandbox/index.js'
import { BareClient } from '../../test/sandbox/bare-client.js'
import { type FloorMessage, type FloorRecords, openFloorRecords } from './floor-records.js'

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

/** Rows and keys that wait for the next statement, which stores all of them. */
let ahead: { rows: string[][]; keys: Map<string, string>; stored: Promise<void> } | undefined

const PUT_WITH_KEYS = {
  name: 'put with keys',
  text: `WITH kept AS (
      INSERT INTO bench_floor_key SELECT * FROM unnest($4::text[], $5::text[]) ON CONFLICT (id) DO UPDATE SET data = EXCLUDED.data)
    INSERT INTO bench_floor SELECT *, 'pending' FROM unnest($1::text[], $2::text[], $3::text[])`,
}

function next(): NonNullable<typeof ahead> {
  if (ahead !== undefined) return ahead
  const gathering = { rows: [] as string[][], keys: new Map<string, string>(), stored: Promise.resolve() }
  ahead = gathering
  gathering.stored = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
    ahead = undefined
    const { rows, keys } = gathering
    const columns = [0, 1, 2].map((column) => rows.map((row) => row[column]))
    await database.query({ ...PUT_WITH_KEYS, values: [...columns, [...keys.keys()], [...keys.values()]] })
  })
  return gathering
}

const keepsKeys = process.env.BENCH_KEEPS === 'keys'
if (keepsKeys) {
  await database.query('CREATE TABLE IF NOT EXISTS bench_floor_key (id text PRIMARY KEY, data text NOT NULL)')
  const { keys } = client.credentials
  const setInMemory = keys.set
  // The library waits for it before it sends what it has encrypted.
  keys.set = async (data) => {
    setInMemory(data)
    const { keys: waiting, stored } = next()
    for (const [type, entries] of Object.entries(data))
      for (const [id, value] of Object.entries(entries ?? {}))
        waiting.set(`${type} ${id}`, JSON.stringify(value, BufferJSON.replacer))
    await stored
  }
}

const records = process.env.BENCH_KEEPS === 'records' ? await openFloorRecords(database) : undefined
if (records !== undefined) {
  const { keys } = client.credentials
  const setInMemory = keys.set
  keys.set = (data) => {
    setInMemory(data)
    records.keys(data)
    // Of a received message they are stored with its row.
    return process.env.BENCH_WEBHOOK === undefined ? records.write() : undefined
  }
  client.socket.ws.on('CB:receipt', ({ attrs }: BinaryNode) => {
    records.delivered(attrs.id ?? '')
    records.writeSoon()
  })
}

const server = createServer(async (call, response) => {
  const { number, text: body } = JSON.parse(await text(call)) as { number: string; text: string }
  const id = generateMessageIDV2(client.socket.user?.id)
  const jid = `${number}@s.whatsapp.net`
  if (records !== undefined) await records.message({ id, chat: jid, text: body, isOwn: true })
  else if (keepsKeys) next().rows.push([id, number, body])
  else
    await database.query({
      name: 'put',
      text: `INSERT INTO bench_floor VALUES ($1, $2, $3, 'pending')`,
      values: [id, number, body],
    })
  const acknowledged = new Promise<void>((resolve) => waiting.set(id, resolve))
  await client.socket.relayMessage(jid, { extendedTextMessage: { text: body } }, { messageId: id })
  await acknowledged
  // With records, the status is written with the receipt.
  if (records === undefined)
    await database.query({ name: 'sent', text: `UPDATE bench_floor SET status = 'sent' WHERE id = $1`, values: [id] })
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ id, status: 'sent' }))
})
let received: string[][] = []
let taken: string[] = []
let isWriting = false

const STORE = {
  name: 'store',
  text: `WITH done AS (DELETE FROM bench_floor WHERE id = ANY($4::text[]))
    INSERT INTO bench_floor SELECT *, 'received' FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
}

/** Writes what has come, and ends what was taken, until there is nothing. */
async function writeAll(): Promise<void> {
  if (isWriting) return
  isWriting = true
  while (received.length > 0 || taken.length > 0) {
    const [rows, done] = [received, taken]
    received = []
    taken = []
    const values = [0, 1, 2].map((column) => rows.map((row) => row[column]))
    await database.query({ ...STORE, values: [...values, done] })
    for (const [id = '', chat, body] of rows) void postAndEnd(id, JSON.stringify({ chat, message: { id, text: body } }))
  }
  isWriting = false
}

async function postAndEnd(id: string, body: string): Promise<void> {
  await post(body)
  taken.push(id)
  void writeAll()
}

async function post(body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await request(process.env.BENCH_WEBHOOK ?? '', { method: 'POST', headers, body })
  await answer.body.dump()
}

if (process.env.BENCH_WEBHOOK !== undefined)
  client.socket.ev.on('messages.upsert', ({ messages }) => {
    for (const { key, message } of messages) {
      const body = message?.conversation ?? message?.extendedTextMessage?.text
      if (key.fromMe || !body) continue
      const [id, chat] = [key.id ?? '', key.remoteJid ?? '']
      if (records === undefined) received.push([id, chat, body])
      else void keepAndPost(records, { id, chat, text: body, isOwn: false })
    }
    if (records === undefined) void writeAll()
  })

async function keepAndPost(kept: FloorRecords, message: FloorMessage): Promise<void> {
  const delivery = await kept.message(message)
  await kept.write()
  await post(delivery.body)
  kept.taken(delivery)
  kept.writeSoon()
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`))
