/** A bare Baileys client with keys in memory, as a process: told by lines of JSON what to do. */
import { createInterface } from 'node:readline'
import type { Sandbox } from '../../sandbox/index.js'
import { BareClient } from '../../test/sandbox/bare-client.js'

const sandbox = JSON.parse(process.env.BENCH_SANDBOX ?? '{}') as Sandbox
const client = new BareClient(sandbox)
await client.pairByQr(process.env.BENCH_PHONE ?? '', false)
process.stdout.write('ready\n')

createInterface({ input: process.stdin }).on('line', (line) => {
  const order = JSON.parse(line) as { send?: { to: string; count: number; atOnce: number }; received?: number }
  const done = (answer: unknown): void => void process.stdout.write(`${JSON.stringify({ answer })}\n`)
  if (order.send !== undefined) void sendAll(order.send).then(done)
  if (order.received !== undefined) void untilReceived(order.received).then(done)
})

/** Each send counts when the network has acknowledged it, as it does for the gateway. */
async function sendAll({ to, count, atOnce }: { to: string; count: number; atOnce: number }): Promise<number> {
  const target = client.acks.length + count
  const jid = to.includes('@') ? to : `${to}@s.whatsapp.net`
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await client.sendText(jid, `text ${next++}`)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  while (client.acks.length < target) await new Promise((resolve) => setTimeout(resolve, 2))
  return count
}

let looked = 0
let texts = 0

async function untilReceived(count: number): Promise<number> {
  for (;;) {
    // What was looked at is not looked at again: this is the measured process.
    for (const { message } of client.messages.slice(looked)) {
      if (message?.conversation || message?.extendedTextMessage) texts += 1
    }
    looked = client.messages.length
    if (texts >= count) return texts
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
