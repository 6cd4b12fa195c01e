/**
 * Measures what a node without an instance does when nobody asks anything of it: CPU of its process, commands to Redis and transactions (each a
 * statement, mostly) of PostgreSQL in a second. `npm run bench -- quiet [seconds]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { connectEmbedded } from './harness/embedded-counts.js'
import { dataFolder, startGateway } from './harness/gateway.js'
import { cpuMs, runBench } from './harness/processes.js'
import { say, table } from './harness/report.js'

const SECONDS = Number(process.argv[2] ?? 60)
/** Until V8 has compiled and collected what the start left over: that is three times the cost of idling in the first minute. */
const SETTLED_MS = 120_000

await runBench(async () => {
  const folder = dataFolder()
  const gateway = await startGateway(folder, undefined)
  const stores = await connectEmbedded(folder)

  await wait(SETTLED_MS)
  const before = { cpu: cpuMs(gateway.pid), redis: await stores.commands(), sql: await stores.transactions() }
  await wait(SECONDS * 1000)
  const after = { cpu: cpuMs(gateway.pid), redis: await stores.commands(), sql: await stores.transactions() }
  const perSecond = (count: number) => (count / SECONDS).toFixed(1)
  const byName = [...after.redis]
    .map(([name, calls]) => [name, calls - (before.redis.get(name) ?? 0)] as const)
    // One is ours.
    .filter(([name, calls]) => calls > 0 && name !== 'info')
    .toSorted((a, b) => b[1] - a[1])
  say(
    table(
      ['a second', 'count'],
      [
        ['CPU of the process, ms', perSecond(after.cpu - before.cpu)],
        ['commands to Redis', perSecond(byName.reduce((sum, [, calls]) => sum + calls, 0))],
        ...byName.map(([name, calls]) => [`— ${name}`, perSecond(calls)]),
        ['transactions of PostgreSQL', perSecond(after.sql - before.sql)],
      ],
    ),
  )
  await stores.close()
  await gateway.stop()
})
