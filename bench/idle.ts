/**
 * Measures what an idle paired instance holds in the gateway process, beside a bare Baileys socket with keys in memory: same run, same
 * simulated network. For each number both processes are started again and log all of them in; asked when everything is quiet and collected.
 * Before that collection it counts what idling costs: RSS as it is, CPU, commands to Redis, and transactions of PostgreSQL (each a statement,
 * mostly) in a second; and once more RSS as it is three minutes after the last login: V8 collects of itself 100 s after its last full collection.
 * `npm run bench -- idle [numbers of instances]`
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectEmbedded } from './harness/embedded-counts.js'
import { dataFolder, startGateway } from './harness/gateway.js'
import type { Memory } from './harness/memory.js'
import { forEach, startBareFleet, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { phoneNumbers, say, table } from './harness/report.js'

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [50, 200, 500]
const PAIRINGS_AT_ONCE = 8
// Queries that a login leaves open are given up after this.
const QUIET_MS = 30_000
/** Time in which idling is counted. */
const IDLE_SECONDS = 20

/** Time from the last login to the second look at RSS. */
const LONG_IDLE_MS = 180_000

/** The cost of the gateway while nobody asks anything of it, in a second. */
interface Idling {
  /** Without a forced collection. */
  readonly rss: number
  /** The same, later. */
  readonly laterRss: number
  readonly cpuMs: number
  readonly commands: number
  readonly transactions: number
}

interface Level {
  readonly count: number
  readonly gateway: Memory
  readonly bare: Memory
  readonly idling: Idling
}

await runBench(async () => {
  const network = await startNetwork()
  const folder = dataFolder()
  const pairing = await startBareFleet(network)
  const saved: string[] = []

  async function pair(first: number, end: number): Promise<void> {
    const [ours, theirs] = [phoneNumbers(1, first, end), phoneNumbers(2, first, end)]
    await forEach([...ours, ...theirs], 8, (phone) =>
      network.control('POST', '/phones', { phone, refreshOnScan: false }),
    )
    const gateway = await startGateway(folder, network)
    await forEach(ours, PAIRINGS_AT_ONCE, (phone) => gateway.pair(phone))
    await gateway.stop()
    // In small files: to read a large one would leave its mark on the memory that is measured.
    for (let from = 0; from < theirs.length; from += 25) {
      const save = path.join(folder, `bare-${first + from}.json`)
      await pairing.tell({ pair: theirs.slice(from, from + 25) })
      await pairing.tell({ save })
      saved.push(save)
    }
  }

  async function measure(count: number): Promise<Level & { slim: Memory }> {
    const env = { LOGIN_RATE_PER_SECOND: '10000' }
    const gateway = await startGateway(folder, network, { env, measuresMemory: true })
    const bare = await startBareFleet(network, { measuresMemory: true })
    await bare.tell({ load: saved })
    await bare.tell({ login: true })
    while ((await gateway.connected()) < count) await wait(100)
    await wait(QUIET_MS)
    const idling = await countIdling(folder, gateway.pid)
    const level = { count, gateway: await gateway.memory(), bare: await bare.memory(), idling }
    await bare.tell({ forgetPreKeys: true })
    const slim = await bare.memory()
    await gateway.stop()
    await bare.stop()
    return { ...level, slim }
  }

  await (await startGateway(folder, network)).stop()
  const levels = [await measure(0)]
  for (const count of counts) {
    await pair(levels.at(-1)?.count ?? 0, count)
    levels.push(await measure(count))
  }
  print(levels, levels.at(-1)?.slim)
})

async function countIdling(folder: string, pid: number): Promise<Idling> {
  const stores = await connectEmbedded(folder)
  const counts = async () => ({
    cpuMs: cpuMs(pid),
    // One of them is ours.
    commands: [...(await stores.commands())].reduce((sum, [name, calls]) => sum + (name === 'info' ? 0 : calls), 0),
    transactions: await stores.transactions(),
  })
  const before = await counts()
  await wait(IDLE_SECONDS * 1000)
  const after = await counts()
  const rss = readRss(pid)
  await stores.close()
  await wait(LONG_IDLE_MS - QUIET_MS - IDLE_SECONDS * 1000)
  const perSecond = (name: keyof typeof before): number => (after[name] - before[name]) / IDLE_SECONDS
  return {
    rss,
    laterRss: readRss(pid),
    cpuMs: perSecond('cpuMs'),
    commands: perSecond('commands'),
    transactions: perSecond('transactions'),
  }
}

function print(levels: readonly Level[], slim: Memory | undefined): void {
  const [empty, ...rest] = levels
  const last = rest.at(-1)
  if (empty === undefined || last === undefined || slim === undefined) return
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
  const idle = levels.map(({ count, idling }) => [
    String(count),
    mib(idling.rss),
    count === 0 ? '' : mib1((idling.rss - empty.idling.rss) / count),
    mib(idling.laterRss),
    count === 0 ? '' : mib1((idling.laterRss - empty.idling.laterRss) / count),
    idling.cpuMs.toFixed(1),
    idling.commands.toFixed(1),
    idling.transactions.toFixed(1),
  ])
  const idleKinds = [
    'RSS, MiB',
    'each, MiB',
    'RSS 3 minutes after the last login',
    'each',
    'CPU ms a second',
    'commands to Redis',
    'transactions',
  ]
  say(
    table(['instances', ...kinds], rows),
    '',
    `The gateway in ${IDLE_SECONDS} s of idling, before any forced collection:`,
    '',
    table(['instances', ...idleKinds], idle),
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

function mib1(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(2)
}

/** Returns the resident memory of a process, in bytes. */
function readRss(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
