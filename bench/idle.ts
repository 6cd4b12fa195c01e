/**
 * What an idle paired instance holds in the gateway process, beside a bare Baileys socket with keys in memory: same run, same
 * simulated network, each number of them after everything is quiet and collected.
 * `npm run bench -- idle [numbers of instances]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { FleetOrder } from './harness/bare-fleet.js'
import { dataFolder, startGateway } from './harness/gateway.js'
import type { Memory } from './harness/memory.js'
import { forEach, startNetwork } from './harness/network.js'
import { runBench, startPart } from './harness/processes.js'
import { phoneNumbers, say, table } from './harness/report.js'

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [50, 200, 500]
const PAIRINGS_AT_ONCE = 8
// Baileys leaves a timer of 30 s behind each upload of pre-keys, and what it refers to.
const QUIET_MS = 40_000

interface Level {
  readonly count: number
  readonly gateway: Memory
  readonly bare: Memory
}

await runBench(async () => {
  const network = await startNetwork()
  const gateway = await startGateway(dataFolder(), network, { measuresMemory: true })
  const env = { BENCH_NETWORK: JSON.stringify(network.addresses) }
  const bare = await startPart('bench/harness/bare-fleet.js', env, /^ready$/, { measuresMemory: true })
  const tell = (order: FleetOrder) => bare.ask(order)

  async function measure(count: number): Promise<Level> {
    await wait(QUIET_MS)
    const level = { count, gateway: await gateway.memory(), bare: await bare.memory() }
    say(`${count}: ${JSON.stringify(level)}`)
    return level
  }

  const levels = [await measure(0)]
  for (const count of counts) {
    const first = levels.at(-1)?.count ?? 0
    const ours = phoneNumbers(1, first, count)
    const theirs = phoneNumbers(2, first, count)
    await forEach([...ours, ...theirs], 8, (phone) =>
      network.control('POST', '/phones', { phone, refreshOnScan: false }),
    )
    await forEach(ours, PAIRINGS_AT_ONCE, (phone) => gateway.pair(phone))
    await tell({ pair: theirs })
    levels.push(await measure(count))
  }
  await tell({ forgetPreKeys: true })
  const slim = await bare.memory()
  print(levels, slim)
})

function print(levels: readonly Level[], slim: Memory): void {
  const [empty, ...rest] = levels
  const last = rest.at(-1)
  if (empty === undefined || last === undefined) return
  const each = (level: Level, before: Level, whose: 'gateway' | 'bare', what: keyof Memory) =>
    kib(level[whose][what] - before[whose][what]) / (level.count - before.count)
  const rows = rest.map((level, index) => {
    const before = levels[index] ?? empty
    const cells = (['rss', 'heapUsed'] as const).flatMap((what) => {
      const [ours, theirs] = [each(level, empty, 'gateway', what), each(level, empty, 'bare', what)]
      const steeper = `${each(level, before, 'gateway', what).toFixed(0)} / ${each(level, before, 'bare', what).toFixed(0)}`
      return [ours.toFixed(0), theirs.toFixed(0), (ours / theirs).toFixed(2), steeper]
    })
    return [String(level.count), ...cells]
  })
  const kinds = ['RSS', 'heap'].flatMap((what) => [
    `${what} each, gateway`,
    `${what} each, bare`,
    'ratio',
    'since the row above, gateway / bare',
  ])
  say(
    table(['instances', ...kinds], rows),
    '',
    `KiB per instance above the process without any (gateway ${mib(empty.gateway.rss)} MiB RSS, ${mib(empty.gateway.heapUsed)} heap; bare ${mib(empty.bare.rss)}, ${mib(empty.bare.heapUsed)}).`,
    `A bare socket whose 812 pre-keys are not kept in memory: ${(kib(slim.heapUsed - empty.bare.heapUsed) / last.count).toFixed(0)} KiB heap each at ${last.count}. Node.js ${process.version}.`,
  )
}

function kib(bytes: number): number {
  return bytes / 1024
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
