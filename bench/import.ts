/**
 * What the import of a list of recipients takes: `POST /sender/import` of a gateway process, with PostgreSQL of its own.
 * `npm run bench -- import [recipients]`
 */
import { readFileSync } from 'node:fs'
import { testDatabase, testRedis } from '../test/support/embedded.js'
import { dataFolder, startGateway } from './harness/gateway.js'
import { cpuMs, runBench } from './harness/processes.js'
import { say, table } from './harness/report.js'

const recipients = Number(process.argv[2] ?? 100_000)

const after: (() => Promise<void> | void)[] = []
const cleanup = { after: (work: () => Promise<void> | void) => after.unshift(work) }

await runBench(async () => {
  try {
    await measure()
  } finally {
    for (const work of after) await work()
  }
})

async function measure(): Promise<void> {
  const { connectionString } = await testDatabase(cleanup)
  const redis = await testRedis(cleanup)
  const env = {
    DATABASE_URL: connectionString,
    REDIS_URL: redis.url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    CLUSTER_SECRET: 'bench-bench-bench-bench',
    REQUEST_TIMEOUT_MS: '600000',
  }
  const gateway = await startGateway(dataFolder(), undefined, { env })
  const token = await gateway.newInstance('imports')
  const content = { type: 'text', text: 'Hello {{name}} of {{city}}', scheduled_for: 60 }
  const importList = (list: string, more: object = {}) =>
    gateway.call<{ count: number }>('POST', '/sender/import', token, { ...content, recipients: list, ...more })
  await importList(listOf(1_000), { folder: 'warm-up' })
  const list = listOf(recipients)

  const rows: string[][] = []
  for (const [name, more] of [
    ['dry run', { dryRun: true }],
    ['import', { folder: 'measured' }],
  ] as const) {
    const before = { rss: memoryOf(gateway.pid, 'VmRSS'), cpu: cpuMs(gateway.pid), at: performance.now() }
    const { count } = await importList(list, more)
    const seconds = (performance.now() - before.at) / 1_000
    rows.push([
      name,
      String(count),
      seconds.toFixed(1),
      (count / seconds).toFixed(0),
      ((cpuMs(gateway.pid) - before.cpu) / 1_000).toFixed(1),
      ((memoryOf(gateway.pid, 'VmHWM') - before.rss) / 1_024).toFixed(0),
    ])
  }
  say(`${recipients} recipients, ${(list.length / 2 ** 20).toFixed(0)} MiB of base64`, '')
  say(table(['', 'recipients', 's', 'a second', 'CPU s', 'peak over RSS before, MiB'], rows), '')
}

function listOf(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `55119${String(10_000_000 + index)},Person ${index},São Paulo,America/Sao_Paulo`,
  )
  return Buffer.from(`number,name,city,timezone\n${lines.join('\n')}\n`).toString('base64')
}

/** In KiB. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib)
}
