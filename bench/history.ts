/**
 * Measures what the history of a phone does to the node that stores it: how long it takes, how late the event loop runs meanwhile, what another
 * instance's sends wait, and whether memory returns. `npm run bench -- history [chats] [messages of each]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { startNetwork } from './harness/network.js'
import { giveHistory, untilStored } from './harness/phone-history.js'
import { runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'

const chats = Number(process.argv[2] ?? 1_000)
const messagesOfEach = Number(process.argv[3] ?? 20)
const MEBIBYTE = 1024 * 1024

await runBench(async () => {
  const network = await startNetwork()
  const gateway = await startGateway(dataFolder(), network, { measuresMemory: true })
  const [sender, reader, ...old] = phoneNumbers(7, 0, 5) as [string, string, ...string[]]
  for (const phone of [sender, reader, ...old])
    await network.control('POST', '/phones', { phone, refreshOnScan: false })
  const token = await gateway.pair(sender)
  for (let index = 0; index < 50; index++) await send(gateway, token, reader)
  const people = phoneNumbers(8, 0, chats)
  const rows: string[][] = []
  for (const [round, phone] of old.entries()) {
    await giveHistory(network, phone, people, messagesOfEach)
    const quiet = await sends(gateway, token, reader, async () => void (await wait(3_000)))
    const before = await gateway.memory()
    await lag(gateway)
    const started = performance.now()
    const during = await sends(gateway, token, reader, async () => {
      await untilStored(gateway, await gateway.pair(phone), chats)
    })
    const seconds = (performance.now() - started) / 1000
    const late = await lag(gateway)
    await wait(5_000)
    const after = await gateway.memory()
    rows.push([
      String(round + 1),
      seconds.toFixed(1),
      late.p99.toFixed(0),
      late.max.toFixed(0),
      `${median(quiet).toFixed(0)} / ${median(during).toFixed(0)}`,
      `${worst(quiet).toFixed(0)} / ${worst(during).toFixed(0)}`,
      `${(before.heapUsed / MEBIBYTE).toFixed(0)} / ${(after.heapUsed / MEBIBYTE).toFixed(0)}`,
      `${(before.rss / MEBIBYTE).toFixed(0)} / ${(after.rss / MEBIBYTE).toFixed(0)}`,
    ])
  }
  say(
    `${chats} chats, ${chats * messagesOfEach} messages`,
    '',
    table(
      [
        '',
        'seconds',
        'loop late, p99 ms',
        'longest',
        'sends p50, quiet / during',
        'longest',
        'heap, MiB, before / after',
        'RSS',
      ],
      rows,
    ),
  )
  await gateway.stop()
  await network.stop()
})

async function send(gateway: BenchGateway, token: string, number: string): Promise<void> {
  await gateway.call('POST', '/send/text', token, { number, text: 'meanwhile' })
}

/** How long sends take, ten a second, while something is done; milliseconds. */
async function sends(gateway: BenchGateway, token: string, to: string, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  let isDone = false
  const lane = (async () => {
    while (!isDone) {
      const started = performance.now()
      await send(gateway, token, to)
      times.push(performance.now() - started)
      await wait(100)
    }
  })()
  await work()
  isDone = true
  await lane
  return times
}

function worst(times: readonly number[]): number {
  return Math.max(...times)
}

/** How late the gateway's event loop was since the last call, in milliseconds. */
async function lag(gateway: BenchGateway): Promise<{ p99: number; max: number }> {
  const text = await (await request(`${gateway.url}/metrics`)).body.text()
  const value = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([\\d.e-]+)`, 'm').exec(text)?.[1]) * 1000
  return { p99: value('p99'), max: value('max') }
}
