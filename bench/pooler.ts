/**
 * Cost of a transaction of the journal behind PgBouncer in transaction mode, where no statement is prepared by name, beside one straight to
 * PostgreSQL: CPU of this process, of PostgreSQL and of PgBouncer for an inbound message, alone and 20 at once. Both on one server, in turns,
 * medians. `npm run bench -- pooler [messages] [rounds]`
 */
import { openDatabase } from '../runtime/store/database.js'
import { createJournal } from '../runtime/store/journal.js'
import { type Pgbouncer, startPgbouncer } from '../test/support/pgbouncer.js'
import { openTestStore, type TestStore, testLog } from '../test/support/store.js'
import { type Journal, writeBurst } from './harness/journal-burst.js'
import { cpuMs, runBench } from './harness/processes.js'
import { median, say, table } from './harness/report.js'
import { cpuOfFamily, findParent } from './harness/stores.js'

const [messages = 1_000, rounds = 7] = process.argv.slice(2).map(Number)
const SIZES = [1, 20]
const INSTANCES = 10

interface Way {
  readonly name: string
  readonly journals: readonly Journal[]
}

interface Cost {
  readonly own: number
  readonly postgres: number
  readonly pooler: number
  readonly wall: number
}

await runBench(async () => {
  const after: (() => Promise<void> | void)[] = []
  const cleanup = { after: (work: () => Promise<void> | void) => void after.push(work) }
  const store = await openTestStore(cleanup)
  const place = store.database.place.connectionString
  const pgbouncer = await startPgbouncer(cleanup, place, { poolSize: 4 })
  const { clientConfig } = openDatabase(
    { connectionString: pgbouncer.connectionString, direct: { connectionString: place } },
    testLog,
  )
  const pooled = createJournal({
    clientConfig,
    encryption: store.encryption,
    findShard: store.findShard,
    log: testLog,
    onCommitted: () => {},
  })
  cleanup.after(() => pooled.close())
  const ways = [
    { name: 'straight', journals: await createJournals(store, store.journal) },
    { name: 'by PgBouncer', journals: await createJournals(store, pooled) },
  ]
  const [backend] = await store.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = findParent(backend?.pid ?? 0)
  const measure = (way: Way, size: number) => measureCost(way, size, postmaster, pgbouncer)
  const rows: string[][] = []
  for (const size of SIZES) {
    for (const way of ways) await measure(way, size)
    const costs = ways.map(() => [] as Cost[])
    for (let round = 0; round < rounds; round += 1)
      for (const [index, way] of ways.entries()) costs[index]?.push(await measure(way, size))
    rows.push(...ways.map((way, index) => formatRow(way, size, costs[index] ?? [])))
  }
  say(
    table(
      ['messages at once', 'way', 'this process, CPU ms', 'PostgreSQL', 'PgBouncer', 'all', 'until committed, ms'],
      rows,
    ),
    '',
    `${rounds} rounds of ${messages}, in turns, medians; ${INSTANCES} instances.`,
  )
  for (const work of after.toReversed()) await work()
})

async function createJournals(store: TestStore, journal: TestStore['journal']): Promise<Journal[]> {
  const journals: Journal[] = []
  for (let index = 0; index < INSTANCES; index += 1) {
    const instance = await store.newInstance(`bench ${index}`)
    journals.push(journal.forInstance(instance, store.findEpoch(instance)))
  }
  return journals
}

async function measureCost({ journals }: Way, size: number, postmaster: number, pgbouncer: Pgbouncer): Promise<Cost> {
  const counts = () => ({
    own: cpuMs(process.pid),
    postgres: cpuOfFamily(postmaster),
    pooler: cpuMs(pgbouncer.pid()),
    wall: performance.now(),
  })
  const before = counts()
  for (let sent = 0; sent < messages; sent += size) await writeBurst(journals, size)
  const end = counts()
  const each = (what: keyof Cost) => (end[what] - before[what]) / messages
  return { own: each('own'), postgres: each('postgres'), pooler: each('pooler'), wall: each('wall') * size }
}

function formatRow({ name }: Way, size: number, costs: readonly Cost[]): string[] {
  const of = (pick: (cost: Cost) => number) => median(costs.map(pick)).toFixed(3)
  return [
    String(size),
    name,
    of((cost) => cost.own),
    of((cost) => cost.postgres),
    of((cost) => cost.pooler),
    of((cost) => cost.own + cost.postgres + cost.pooler),
    of((cost) => cost.wall),
  ]
}
