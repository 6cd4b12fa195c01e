/**
 * How long the accounts of a node wait for one of them: large groups, status posts, histories, hostile bodies and files go through, while status
 * calls of another account and the event loop are watched. `npm run bench -- lag [members] [posts] [sync] [hostile] [files] [sizes of groups…]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type BenchGateway, dataFolder, startGateway } from './harness/gateway.js'
import { files, histories, hostile, type Load, largeGroups, posts, type World } from './harness/loads.js'
import type { Delay } from './harness/loop-delay.js'
import { startNetwork } from './harness/network.js'
import { runBench } from './harness/processes.js'
import { median, say, table } from './harness/report.js'

const SCENES: Readonly<Record<string, (world: World) => Promise<Load[]> | Load[]>> = {
  members: (world) => largeGroups(world, sizes.length > 0 ? sizes : [256, 512, 1_024]),
  posts,
  sync: histories,
  hostile,
  files,
}
const QUIET_MS = 5_000
/** Between two works: what the one before left over is none of the next. */
const PAUSE_MS = 2_000

const words = process.argv.slice(2)
const sizes = words.filter((word) => /^\d+$/.test(word)).map(Number)
const named = words.filter((word) => !/^\d+$/.test(word))
const unknown = named.find((name) => SCENES[name] === undefined)
if (unknown !== undefined) throw new Error(`There is no ${unknown}; there are ${Object.keys(SCENES).join(', ')}.`)
// Sizes alone ask for the groups alone.
const chosen = named.length > 0 ? named : sizes.length > 0 ? ['members'] : Object.keys(SCENES)

await runBench(async () => {
  const network = await startNetwork()
  const [sender, friend] = ['15550910001', '15550910003']
  for (const phone of [sender, friend])
    await network.control('POST', '/phones', { phone, refreshOnScan: false, autoDelivery: false })
  const gateway = await startGateway(dataFolder(), network, { watchesDelay: true })
  const token = await gateway.pair(sender)
  const other = await gateway.newInstance('other')
  const world: World = { network, gateway, token, sender, friend }

  const rows: string[][] = []
  for (const name of chosen) {
    const loads = (await SCENES[name]?.(world)) ?? []
    await wait(PAUSE_MS)
    rows.push(await watch(gateway, other, { what: 'nothing else', work: () => wait(QUIET_MS) }))
    for (const load of loads) {
      rows.push(await watch(gateway, other, load))
      await wait(PAUSE_MS)
    }
  }
  const head = ['meanwhile', 'takes, ms', 'event loop late, p50, ms', 'p99', 'longest']
  say(table([...head, 'status of another account, p50, ms', 'longest'], rows), '')
  say(`One run. Node.js ${process.version}.`)
})

/** Calls one after the other while the work lasts. The bench is another process than the gateway, so that it does not wait itself. */
async function watch(gateway: BenchGateway, other: string, { what, work }: Load): Promise<string[]> {
  const times: number[] = []
  let isDone = false
  await gateway.delay()
  const started = performance.now()
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const called = performance.now()
    await gateway.call('GET', '/instance/status', other)
    times.push(performance.now() - called)
    await wait(1)
  }
  await working
  const took = (performance.now() - started).toFixed(0)
  const delay: Delay = await gateway.delay()
  const loop = [delay.p50.toFixed(1), delay.p99.toFixed(1), delay.max.toFixed(0)]
  return [what, took, ...loop, median(times).toFixed(1), Math.max(...times).toFixed(0)]
}
