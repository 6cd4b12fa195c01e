import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Cleanup, lastFirst } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.js'
import { findPgbouncer } from '../support/pgbouncer-program.js'
import { startReceiver } from '../support/receiver.js'
import { connectDatabase } from '../support/statements.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

/** docs/operations/stores.md says so. */
const CONNECTIONS_MAX = 6
const SHARED = 3
const PHONES = ['15550880002', '15550880003', '15550880004', '15550880005']
const LEASE = 'posthorn lease'
const OURS = `application_name LIKE 'posthorn%'`
let missing: string | false = false

before(async () => {
  await findPgbouncer().catch((error: Error) => {
    missing = `There is no PgBouncer: ${error.message.split('\n')[0]}`
  })
})

type Counts = Readonly<Record<string, number>>

/** Counts connections by name, again and again, until it is stopped. Returns the maximum of all together, and of each name. */
function watchConnections(t: Cleanup, count: () => Promise<Counts>) {
  let isStopped = false
  let max = 0
  const maxByLane: Record<string, number> = {}
  const watching = (async () => {
    while (!isStopped) {
      const counts = await count()
      max = Math.max(
        max,
        Object.values(counts).reduce((sum, one) => sum + one, 0),
      )
      for (const [name, one] of Object.entries(counts)) maxByLane[name] = Math.max(maxByLane[name] ?? 0, one)
      await pause(3)
    }
  })()
  const stop = async () => {
    isStopped = true
    await watching
    // While Redis is slow, as on a busy machine.
    const { [LEASE]: _, ...others } = maxByLane
    return { max, maxByLane: others }
  }
  t.after(async () => void (await stop()))
  return stop
}

/** All that takes connections, at once: reads, searches, sends, messages received, webhooks, logins, a campaign, jobs, an export. */
async function load(world: World, receiverUrl: string): Promise<void> {
  const [ana, eve] = [await world.paired('15550880001', 'Ana'), await world.paired('15550880009', 'Eve')]
  for (const phone of PHONES) await world.phone(phone, phone)
  await ana.hook(receiverUrl)
  const many = async (times: number, work: (index: number) => Promise<unknown>) => {
    for (let index = 0; index < times; index += 1) await work(index)
  }
  const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    assert.equal(status, 200, JSON.stringify(body))
  }
  const read = () =>
    Promise.all([
      ok(ana.call('POST', '/chat/find', {})),
      ok(ana.call('POST', '/message/find', {})),
      ok(ana.call('GET', '/instance/status')),
      ok(ana.call('GET', '/webhook')),
    ])
  const write = (index: number) =>
    Promise.all([
      ok(ana.call('POST', '/instance/updateInstanceName', { name: `Ana ${index}` })),
      ok(eve.call('POST', '/instance/updateInstanceName', { name: `Eve ${index}` })),
    ])
  const tag = async (index: number) => {
    const body = { action: 'tag', ids: [ana.id, eve.id], add: [`seen${index}`] }
    const bulk = (more: object) =>
      world.gateway.call('POST', '/admin/instances/bulk', { admin: true, body: { ...body, ...more } })
    const { digest } = (await bulk({ dryRun: true })).body
    assert.equal((await bulk({ digest })).status, 202)
  }
  await ok(ana.call('POST', '/sender/simple', { numbers: PHONES, type: 'text', text: 'x', delayMin: 0, delayMax: 0 }))
  await Promise.all([
    ...Array.from({ length: 4 }, () => many(8, read)),
    ...Array.from({ length: 2 }, () => many(8, write)),
    ...PHONES.map((phone) => many(5, (index) => ana.text(phone, `text ${index}`))),
    ...PHONES.map((phone) => many(5, (index) => world.write(phone, ana.number, `reply ${index}`))),
    many(2, tag),
    runExport(world, eve),
  ])
}

async function runExport({ gateway }: World, { id }: TestInstance): Promise<void> {
  const body = JSON.stringify({ id, passphrase: 'a passphrase that is long enough', stop: true })
  const headers = { admintoken: gateway.adminToken, 'content-type': 'application/json' }
  const answer = await fetch(`${gateway.url}/admin/instance/export`, { method: 'POST', headers, body })
  assert.equal(answer.status, 200)
  assert.ok((await answer.arrayBuffer()).byteLength > 100)
}

describe('a process holds six connections to PostgreSQL at most', () => {
  it('when everything is busy at once', async (t) => {
    const cleanup = lastFirst(t)
    const receiver = await startReceiver(cleanup)
    const world = await startWorld(cleanup, { MEDIA_STORAGE: 'none' }, { between: async (url) => url })
    const database = await connectDatabase(cleanup, world.gateway.databaseUrl)
    const stop = watchConnections(cleanup, async () => {
      const { rows } = await database.query<{ name: string; count: number }>(
        `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND ${OURS} GROUP BY 1`,
      )
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
    })
    await load(world, receiver.url)
    await eventually(() => receiver.of('messages').length >= 20)
    const { max, maxByLane } = await stop()
    assert.ok(max <= CONNECTIONS_MAX, JSON.stringify(maxByLane))
    assert.deepEqual(maxByLane, { posthorn: SHARED, 'posthorn journal': 1, 'posthorn session': 1 })
  })

  it('behind a pooler too, with one past it', async (t) => {
    if (missing) return t.skip(missing)
    const cleanup = lastFirst(t)
    const receiver = await startReceiver(cleanup)
    let pgbouncer: Pgbouncer | undefined
    let direct = ''
    const env: Record<string, string> = { MEDIA_STORAGE: 'none', DATABASE_POOLER: 'transaction' }
    const world = await startWorld(cleanup, env, {
      between: async (url) => {
        direct = url
        env.DATABASE_DIRECT_URL = url
        pgbouncer = await startPgbouncer(cleanup, url, { poolSize: 4 })
        return pgbouncer.connectionString
      },
    })
    const database = await connectDatabase(cleanup, direct)
    const stop = watchConnections(cleanup, async () => {
      const { rows } = await database.query<{ name: string; count: number }>(
        `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND application_name IN ('posthorn session', 'posthorn lease') GROUP BY 1`,
      )
      const clients = (await pgbouncer?.command('SHOW CLIENTS')) ?? []
      const pooled = clients.filter(({ database: name }) => name !== 'pgbouncer').length
      return { ...Object.fromEntries(rows.map(({ name, count }) => [name, count])), pooled }
    })
    await load(world, receiver.url)
    const { max, maxByLane } = await stop()
    assert.ok(max <= CONNECTIONS_MAX, JSON.stringify(maxByLane))
    assert.deepEqual(maxByLane, { 'posthorn session': 1, pooled: SHARED + 1 })
  })
})
