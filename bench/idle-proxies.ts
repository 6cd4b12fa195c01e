/**
 * Memory that a proxy costs an idle paired instance in the gateway process: the same instances, in turns without and with a proxy each, after a
 * restart, when all is quiet and collected.
 * `npm run bench -- idle-proxies [instances] [rounds]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import type { Memory } from './harness/memory.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench, startPart } from './harness/processes.js'
import { phoneNumbers, say, table } from './harness/report.js'

const count = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 2)
const AT_ONCE = 4
const QUIET_MS = 20_000

await runBench(async () => {
  const network = await startNetwork()
  const proxy = await startPart('bench/harness/forward-proxy.js', {}, /^ready (\d+)$/)
  const folder = dataFolder()
  const tokens: string[] = []

  async function measure(): Promise<Memory> {
    const env = { LOGIN_RATE_PER_SECOND: '10000' }
    const gateway = await startGateway(folder, network, { env, measuresMemory: true })
    while ((await gateway.connected()) < count) await wait(100)
    await wait(QUIET_MS)
    const memory = await gateway.memory()
    await gateway.stop()
    return memory
  }

  const first = await startGateway(folder, network)
  const phones = phoneNumbers(1, 0, count)
  await forEach(phones, AT_ONCE, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  // A loaded machine may take longer for a code than a call waits.
  await forEach(phones, AT_ONCE, async (phone) => tokens.push(await first.pair(phone).catch(() => first.pair(phone))))
  await first.stop()
  // The first start after a pairing still has work of the pairing to do.
  await measure()

  const url = `http://bench:bench@127.0.0.1:${proxy.said[1]}`
  const each: { readonly without: Memory; readonly through: Memory }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const without = await measure()
    await change((gateway, token) => gateway.call('POST', '/instance/proxy', token, { mode: 'custom', proxy_url: url }))
    const through = await measure()
    await change((gateway, token) => gateway.call('DELETE', '/instance/proxy', token))
    each.push({ without, through })
  }

  async function change(one: (gateway: BenchGateway, token: string) => Promise<unknown>): Promise<void> {
    const gateway = await startGateway(folder, network)
    await forEach(tokens, AT_ONCE, (token) => one(gateway, token))
    await gateway.stop()
  }

  const kinds = ['rss', 'heapUsed', 'external'] as const
  const lines = each.map(({ without, through }, round) => [
    `round ${round + 1}`,
    ...kinds.map((kind) => ((through[kind] - without[kind]) / 1_024 / count).toFixed(1)),
    mib(without.rss),
    mib(through.rss),
  ])
  say(
    table(
      ['KiB more for each instance with a proxy', 'RSS', 'heap', 'external', 'RSS without, MiB', 'RSS with, MiB'],
      lines,
    ),
    '',
    `${count} instances. Node.js ${process.version}.`,
  )
})

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
