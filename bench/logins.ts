/**
 * How long accounts wait for their own status while all of them log in at once: after a start of the gateway, and after the network has
 * dropped every connection. Nothing limits the rate of logins. `npm run bench -- logins [instances]`
 *
 * `npm run bench -- logins [instances] rate`: how long all logins take by a fixed rate, by the one that adapts and without a limit, what a login
 * costs, and how long 10,000 would take on 16 cores by that.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { cpuOfGateway } from './harness/gateway-family.js'
import { type BenchNetwork, forEach, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'

const count = Number(process.argv[2] ?? 200)
const isOfRate = process.argv[3] === 'rate'
const PAIRINGS_AT_ONCE = 8
/** Status calls under way at any time. */
const AT_ONCE = 4
const ROUNDS = 3
const UNLIMITED = { LOGIN_RATE_PER_SECOND: '10000' }

const MODES = [
  ['50 a second', { LOGIN_RATE_PER_SECOND: '50' }],
  ['adaptive', {}],
  ['no limit', UNLIMITED],
] as const
/** The model: this many instances, by so many cores, of which logins have so large a part at most. */
const MODEL = { instances: 10_000, cores: 16, part: 0.9 }

await runBench(async () => {
  const network = await startNetwork()
  const folder = dataFolder()
  const phones = phoneNumbers(1, 0, count)
  await forEach(phones, 8, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  const tokens: string[] = []
  const first = await startGateway(folder, network)
  await forEach(phones, PAIRINGS_AT_ONCE, async (phone) => void tokens.push(await first.pair(phone)))
  await first.stop()

  if (isOfRate) await compareRates(network, folder)
  else await watchStatuses(network, folder, tokens)
})

async function watchStatuses(network: BenchNetwork, folder: string, tokens: readonly string[]): Promise<void> {
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
}

/** Compares the rates in turns, so that a change of the machine's speed meets all of them. */
async function compareRates(network: BenchNetwork, folder: string): Promise<void> {
  const figures = new Map<string, LoginFigures[]>(MODES.map(([mode]) => [mode, []]))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [mode, env] of MODES) {
      const gateway = await startGateway(folder, network, { env })
      const startMs = await untilConnected(gateway)
      await wait(3_000)
      const before = { ...cpuOfGateway(gateway.pid), networkMs: cpuMs(network.pid) }
      await network.control('POST', '/faults/close', { abrupt: true })
      await untilSomeLost(gateway)
      const dropMs = await untilConnected(gateway)
      await wait(2_000)
      const after = { ...cpuOfGateway(gateway.pid), networkMs: cpuMs(network.pid) }
      const costMs = (after.gatewayMs - before.gatewayMs) / count
      const storesMs = (after.postgresMs + after.redisMs - before.postgresMs - before.redisMs) / count
      const mainMs = (after.mainThreadsMs - before.mainThreadsMs) / count
      const networkMs = (after.networkMs - before.networkMs) / count
      const delayMs = await longestDelay(gateway)
      figures.get(mode)?.push({ startMs, dropMs, costMs, mainMs, storesMs, networkMs, delayMs })
      await gateway.stop()
    }
  const of = (mode: string, field: keyof LoginFigures) => median((figures.get(mode) ?? []).map((one) => one[field]))
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  const rows = MODES.map(([mode]) => [
    mode,
    ...[seconds(of(mode, 'startMs')), seconds(of(mode, 'dropMs'))],
    ...(['costMs', 'mainMs', 'storesMs', 'networkMs'] as const).map((field) => of(mode, field).toFixed(1)),
    of(mode, 'delayMs').toFixed(0),
  ])
  const head = [
    'rate',
    'all after a start, s',
    'all after a drop, s',
    'CPU ms a login',
    'of its main thread',
    'of the stores',
    'of the simulated network',
    'longest delay, ms',
  ]
  const loginMs = of('adaptive', 'costMs') + of('adaptive', 'storesMs')
  const modelSeconds = (MODEL.instances * loginMs) / (MODEL.cores * MODEL.part * 1_000)
  say(
    table(head, rows),
    '',
    `${count} instances, medians of ${ROUNDS} rounds in turns. Node.js ${process.version}.`,
    `By the model ${MODEL.instances} logins of ${loginMs.toFixed(1)} ms take ${modelSeconds.toFixed(0)} s on ${MODEL.cores} cores, of which they have ${MODEL.part * 100} %.`,
  )
}

interface LoginFigures {
  /** From the moment at which the API listens. */
  readonly startMs: number
  readonly dropMs: number
  readonly costMs: number
  /** Part of that: the main thread. */
  readonly mainMs: number
  readonly storesMs: number
  readonly networkMs: number
  readonly delayMs: number
}

async function untilConnected(gateway: BenchGateway): Promise<number> {
  const startedMs = performance.now()
  while ((await gateway.connected()) < count) await wait(50)
  return performance.now() - startedMs
}

async function untilSomeLost(gateway: BenchGateway): Promise<void> {
  while ((await gateway.connected()) >= count) await wait(10)
}

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
