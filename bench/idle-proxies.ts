/**
 * Memory that a proxy costs an idle paired instance in the gateway process: the same instances, once without and once with a proxy each, after
 * a restart, when all is quiet and collected.
 * `npm run bench -- idle-proxies [instances]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { dataFolder, startGateway } from './harness/gateway.js'
import type { Memory } from './harness/memory.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench, startPart } from './harness/processes.js'
import { phoneNumbers, say, table } from './harness/report.js'

const count = Number(process.argv[2] ?? 1_000)
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
  const without = await measure()

  const second = await startGateway(folder, network)
  const body = { mode: 'custom', proxy_url: `http://bench:bench@127.0.0.1:${proxy.said[1]}` }
  await forEach(tokens, AT_ONCE, (token) => second.call('POST', '/instance/proxy', token, body))
  await second.stop()
  const through = await measure()

  const kinds = ['rss', 'heapUsed', 'external'] as const
  const each = kinds.map((kind) => ((through[kind] - without[kind]) / 1_024 / count).toFixed(1))
  say(
    table(['', 'RSS', 'heap', 'external'], [['KiB more for each instance with a proxy', ...each]]),
    '',
    `${count} instances. Without a proxy ${mib(without.rss)} MiB RSS, with one ${mib(through.rss)}. Node.js ${process.version}.`,
  )
})

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
