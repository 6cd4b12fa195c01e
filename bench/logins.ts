/**
 * How long accounts wait for their own status while all of them log in at once: after a start of the gateway, and after the network has
 * dropped every connection. Nothing limits the rate of logins. `npm run bench -- logins [instances]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench } from './harness/processes.js'
import { phoneNumbers, say, table } from './harness/report.js'

const count = Number(process.argv[2] ?? 200)
const PAIRINGS_AT_ONCE = 8
/** Status calls under way at any time. */
const AT_ONCE = 4
const ROUNDS = 3
const UNLIMITED = { LOGIN_RATE_PER_SECOND: '10000' }

await runBench(async () => {
  const network = await startNetwork()
  const folder = dataFolder()
  const phones = phoneNumbers(1, 0, count)
  await forEach(phones, 8, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  const tokens: string[] = []
  const first = await startGateway(folder, network)
  await forEach(phones, PAIRINGS_AT_ONCE, async (phone) => void tokens.push(await first.pair(phone)))
  await first.stop()

  const rows: string[][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const gateway = await startGateway(folder, network, { env: UNLIMITED })
    rows.push(['start of the gateway', ...(await watch(gateway, tokens))])
    await wait(5_000)
    rows.push(['nothing', ...(await watch(gateway, tokens))])
    await network.control('POST', '/faults/close', { abrupt: true })
    rows.push(['all connections dropped', ...(await watch(gateway, tokens))])
    await gateway.stop()
  }
  const head = ['while all log in after', 'seconds', 'calls', 'p50, ms', 'p99', 'worst', 'event loop, longest delay']
  say(table(head, rows), '', `${count} instances, ${AT_ONCE} calls at once. Node.js ${process.version}.`)
})

/** Asks each instance in turn until all of them say that they are connected, each at least once. */
async function watch(gateway: BenchGateway, tokens: readonly string[]): Promise<string[]> {
  await longestDelay(gateway)
  const times: number[] = []
  const left = new Set(tokens)
  const startedMs = performance.now()
  let next = 0
  const lane = async (): Promise<void> => {
    while (left.size > 0 || next < tokens.length) {
      const token = tokens[next % tokens.length] ?? ''
      next += 1
      const calledMs = performance.now()
      const { status } = await gateway.call<{ status: { connected: boolean } }>('GET', '/instance/status', token)
      times.push(performance.now() - calledMs)
      if (status.connected) left.delete(token)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1) ?? ''
  return [seconds, String(times.length), at(0.5), at(0.99), at(1), (await longestDelay(gateway)).toFixed(0)]
}

/** Since it was asked last, in milliseconds. */
async function longestDelay(gateway: BenchGateway): Promise<number> {
  const { body } = await request(`${gateway.url}/metrics`)
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await body.text())?.[1] ?? 0) * 1_000
}
