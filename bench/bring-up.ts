/**
 * Measures what it costs the gateway process to bring its paired instances up again after a restart, beside bare Baileys sockets that log in with
 * credentials and keys in memory: same run, same simulated network.
 * `npm run bench -- bring-up [instances] [rounds]`
 */
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { type BenchNetwork, forEach, startBareFleet, startNetwork } from './harness/network.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, phoneNumbers, say, table } from './harness/report.js'

const count = Number(process.argv[2] ?? 200)
const rounds = Number(process.argv[3] ?? 3)
const PAIRINGS_AT_ONCE = 8
// Work that a login leaves when it is open (queries that nobody waits for) belongs to it too.
const AFTERWARDS_MS = 4_000

interface BringUp {
  readonly cpuMs: number
  readonly elapsedMs: number
}

await runBench(async () => {
  const network = await startNetwork()
  const [folder, emptyFolder] = [dataFolder(), dataFolder()]
  const saved = path.join(dataFolder(), 'bare.json')
  await pairAll(network, folder, saved)
  // Its first start makes the database, which a restart does not.
  await (await startGateway(emptyFolder, network)).stop()

  const full: BringUp[] = []
  const empty: BringUp[] = []
  const theirs: BringUp[] = []
  for (let round = 0; round < rounds; round += 1) {
    const one = await bringUp(network, folder, async (gateway) => {
      while ((await gateway.connected()) < count) await wait(100)
    })
    full.push(one)
    empty.push(await bringUp(network, emptyFolder, (gateway, startedMs) => untilMs(gateway, startedMs + one.elapsedMs)))
    theirs.push(await bareBringUp(network, saved))
  }
  print(full, empty, theirs)
})

async function pairAll(network: BenchNetwork, folder: string, saved: string): Promise<void> {
  const [ours, theirs] = [phoneNumbers(1, 0, count), phoneNumbers(2, 0, count)]
  await forEach([...ours, ...theirs], 8, (phone) => network.control('POST', '/phones', { phone, refreshOnScan: false }))
  const gateway = await startGateway(folder, network)
  await forEach(ours, PAIRINGS_AT_ONCE, (phone) => gateway.pair(phone))
  await gateway.stop()
  const fleet = await startBareFleet(network)
  await fleet.tell({ pair: theirs })
  await fleet.tell({ save: saved })
  await fleet.stop()
}

/** In a new process too, but from its credentials in memory on. */
async function bareBringUp(network: BenchNetwork, saved: string): Promise<BringUp> {
  const fleet = await startBareFleet(network)
  await fleet.tell({ load: [saved] })
  const [cpuBefore, startedMs] = [cpuMs(fleet.pid), performance.now()]
  await fleet.tell({ login: true })
  const elapsedMs = performance.now() - startedMs
  await wait(AFTERWARDS_MS)
  const used = cpuMs(fleet.pid) - cpuBefore
  await fleet.stop()
  return { cpuMs: used, elapsedMs }
}

/** From the start of the process until `ready`; the CPU of the time after it included. */
async function bringUp(
  network: BenchNetwork,
  folder: string,
  ready: (gateway: BenchGateway, startedMs: number) => Promise<void>,
): Promise<BringUp> {
  const startedMs = performance.now()
  const gateway = await startGateway(folder, network, { env: { LOGIN_RATE_PER_SECOND: '10000' } })
  await ready(gateway, startedMs)
  const elapsedMs = performance.now() - startedMs
  await wait(AFTERWARDS_MS)
  const used = cpuMs(gateway.pid)
  await gateway.stop()
  return { cpuMs: used, elapsedMs }
}

/** As long as the others took, and asked as often. */
async function untilMs(gateway: BenchGateway, endMs: number): Promise<void> {
  while (performance.now() < endMs) {
    await gateway.connected()
    await wait(100)
  }
}

function print(full: readonly BringUp[], empty: readonly BringUp[], theirs: readonly BringUp[]): void {
  const cpu = (figures: readonly BringUp[]) => median(figures.map((figure) => figure.cpuMs))
  const seconds = (figures: readonly BringUp[]) => (median(figures.map((figure) => figure.elapsedMs)) / 1000).toFixed(1)
  const [ours, bare] = [(cpu(full) - cpu(empty)) / count, cpu(theirs) / count]
  say(
    table(
      ['', 'CPU ms each', 'until all are connected, seconds'],
      [
        [`gateway, ${count} instances`, ours.toFixed(1), seconds(full)],
        [`bare, ${count} sockets`, bare.toFixed(1), seconds(theirs)],
        ['ratio', (ours / bare).toFixed(2), ''],
      ],
    ),
    '',
    `${rounds} rounds, medians. The gateway: ${cpu(full)} ms of CPU from the start of the process, less ${cpu(empty)} of one without instances. Node.js ${process.version}.`,
  )
}
