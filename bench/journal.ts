/**
 * Measures what the journal costs this process per inbound message: row, two Signal keys, chat, event and one delivery, in bursts of
 * several sizes. Prints a table; the CPU figure is the steady one. `npm run bench -- journal`
 */
import { PerformanceObserver } from 'node:perf_hooks'
import { createWebhookRows } from '../runtime/store/webhooks.js'
import type { InstanceId } from '../schemas/ids.js'
import { openTestStore } from '../test/support/store.js'
import { writeBurst } from './harness/journal-burst.js'

const sizes = [1, 20, 200, 2_000]
const countRounds = (size: number) => Math.max(3, Math.min(200, Math.round(6_000 / size)))

const after: (() => Promise<void> | void)[] = []
const store = await openTestStore({ after: (work) => after.push(work) })
const instances: InstanceId[] = []
for (let index = 0; index < 50; index++) instances.push(await store.newInstance(`bench ${index}`))
await createWebhookRows(store.database, store.encryption).insert({
  instance: null,
  enabled: true,
  url: 'https://receiver.example',
  events: ['messages'],
  excludeMessages: [],
  addUrlEvents: false,
  addUrlTypesMessages: false,
  secret: 'whsec_bench',
})

let collecting = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collecting += entry.duration
}).observe({ entryTypes: ['gc'] })

process.stdout.write('burst  instances  ms per message  CPU ms per message (of it collecting)\n')
for (const spread of [1, 50]) {
  for (const size of sizes) await measure(size, spread)
}
for (const work of after) await work()

async function measure(size: number, spread: number): Promise<void> {
  const journals = instances
    .slice(0, spread)
    .map((instance) => store.journal.forInstance(instance, store.findEpoch(instance)))
  const rounds = countRounds(size)
  for (let round = 0; round < 3; round++) await writeBurst(journals, size)
  collecting = 0
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (let round = 0; round < rounds; round++) await writeBurst(journals, size)
  const wallMs = performance.now() - started
  const used = process.cpuUsage(cpu)
  const cpuMs = (used.user + used.system) / 1_000
  const count = rounds * size
  process.stdout.write(
    `${String(size).padStart(5)}  ${String(spread).padStart(9)}  ${(wallMs / count).toFixed(3).padStart(14)}  ${(cpuMs / count).toFixed(3)} (${(collecting / count).toFixed(3)})\n`,
  )
}
