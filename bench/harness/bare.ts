/** A bare Baileys client with keys in memory, as a process: told by lines of JSON what to do. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { createInterface } from 'node:readline'
import { type GroupMetadata, generateWAMessageFromContent } from '@whiskeysockets/baileys'
import type { Sandbox } from '../../sandbox/index.js'
import { BareClient } from '../../test/sandbox/bare-client.js'
import { atPace } from './pace.js'

const sandbox = JSON.parse(process.env.BENCH_SANDBOX ?? '{}') as Sandbox
const fetchAgent = new Agent({ ca: readFileSync(sandbox.mediaCaFile), keepAlive: true })
const groups = new Map<string, Promise<GroupMetadata>>()
// As its documentation recommends for accounts that write to groups, and for those that run beside a phone.
const config = {
  fetchAgent,
  markOnlineOnConnect: false,
  cachedGroupMetadata: (jid: string) => {
    const known = groups.get(jid) ?? client.socket.groupMetadata(jid)
    groups.set(jid, known)
    return known
  },
}
const client: BareClient = new BareClient(sandbox, { config })
await client.pairByQr(process.env.BENCH_PHONE ?? '', false)
process.stdout.write('ready\n')

createInterface({ input: process.stdin }).on('line', (line) => {
  const order = JSON.parse(line) as { send?: Sending; received?: number; answered?: number }
  const done = (answer: unknown): void => void process.stdout.write(`${JSON.stringify({ answer })}\n`)
  if (order.send !== undefined) void sendAll(order.send).then(done)
  if (order.received !== undefined) void untilReceived(order.received).then(done)
  if (order.answered !== undefined) void answerUntil(order.answered).then(done)
})

interface Sending {
  /** One after the other, and again from the first. */
  readonly to: string | readonly string[]
  readonly count: number
  readonly atOnce: number
  /** Begins so many in a second, whatever becomes of those before; then `atOnce` does not count. */
  readonly perSecond?: number
  /** Buttons to send instead of texts: `label|id`. */
  readonly menu?: readonly string[]
  /** A picture on disk, to be sent instead of texts. */
  readonly picture?: string
}

/** Each send counts when the network has acknowledged it, as it does for the gateway. */
async function sendAll({ to, count, atOnce, perSecond, menu, picture }: Sending): Promise<number> {
  const target = client.acks.length + count
  const jids = [to].flat().map((one) => (one.includes('@') ? one : `${one}@s.whatsapp.net`))
  let next = 0
  const sendNext = async (): Promise<void> => {
    const jid = jids[next % jids.length] ?? ''
    const text = `text ${next++}`
    if (picture !== undefined) await client.socket.sendMessage(jid, { image: { url: picture } })
    else await (menu === undefined ? client.sendText(jid, text) : sendMenu(jid, text, menu))
  }
  const lane = async (): Promise<void> => {
    while (next < count) await sendNext()
  }
  if (perSecond === undefined) await Promise.all(Array.from({ length: atOnce }, lane))
  else await atPace(count, perSecond, sendNext)
  while (client.acks.length < target) await new Promise((resolve) => setTimeout(resolve, 2))
  return count
}

/** As programs on Baileys do it, which has no content of that kind: with the nodes without which no client draws it. */
async function sendMenu(jid: string, text: string, choices: readonly string[]): Promise<void> {
  const buttons = choices.map((choice) => {
    const [display_text, id] = choice.split('|')
    return { name: 'quick_reply', buttonParamsJson: JSON.stringify({ display_text, id }) }
  })
  const message = {
    messageContextInfo: { messageSecret: randomBytes(32) },
    interactiveMessage: {
      header: { title: '', hasMediaAttachment: false },
      body: { text },
      footer: { text: 'Choose' },
      nativeFlowMessage: { buttons, messageParamsJson: '{}', messageVersion: 1 },
    },
  }
  const flow = { tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }
  const quality = {
    tag: 'quality_control',
    attrs: { decision_id: randomBytes(20).toString('hex'), source_type: 'third_party' },
    content: [{ tag: 'decision_source', attrs: { value: 'df' } }],
  }
  const biz = {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(Math.floor(Date.now() / 1000)) },
    content: [{ tag: 'interactive', attrs: { type: 'native_flow', v: '1' }, content: [flow] }, quality],
  }
  const { key, message: whole } = generateWAMessageFromContent(jid, message, { userJid: client.socket.user?.id ?? '' })
  await client.socket.relayMessage(jid, whole ?? message, { messageId: key.id ?? '', additionalNodes: [biz] })
}

let looked = 0
let texts = 0

async function untilReceived(count: number): Promise<number> {
  for (;;) {
    // Skips what it has seen: this is the measured process.
    for (const { message } of client.messages.slice(looked)) {
      if (message?.conversation || message?.extendedTextMessage) texts += 1
    }
    looked = client.messages.length
    if (texts >= count) return texts
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

let answers = 0

/** Answers the texts of people as they come, until so many in all have their answer at the network. */
async function answerUntil(count: number): Promise<number> {
  const target = client.acks.length + count - answers
  while (answers < count) {
    for (const { key, message } of client.messages.slice(looked)) {
      looked += 1
      const text = message?.conversation ?? message?.extendedTextMessage?.text
      if (key.fromMe || !text) continue
      answers += 1
      await client.sendText(key.remoteJid ?? '', `to ${text}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  while (client.acks.length < target) await new Promise((resolve) => setTimeout(resolve, 2))
  return answers
}
