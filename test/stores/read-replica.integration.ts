import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../runtime/store/database.js'
import { createEncryption } from '../../runtime/store/encryption.js'
import { createInstances } from '../../runtime/store/instances.js'
import { migrate } from '../../runtime/store/migrate.js'
import { offerReplica, ReadReplica } from '../../runtime/store/read-replica.js'
import { noteReplicaReads, tellingReplicaReads } from '../../schemas/replica-reads.js'
import type { Cleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.js'
import { testLog } from '../support/store.js'

const LAG_MAX_MS = 3_000
const QUERY = { filter: {}, sort: 'name', isDescending: false, limit: 10 } as const

async function openNode(t: Cleanup, servers: ReplicatedPostgres, readFrom = servers.second.connectionString) {
  noteReplicaReads()
  const database = openDatabase({ connectionString: servers.connectionString }, testLog)
  t.after(() => database.close())
  await migrate(database.pool, createEncryption(Buffer.alloc(32, 1)))
  const reads: string[] = []
  const replica = new ReadReplica({
    pool: database.pool,
    clientConfig: { connectionString: readFrom },
    poolMax: 2,
    node: 'n1',
    lagMaxMs: LAG_MAX_MS,
    log: testLog,
    onRead: (from) => reads.push(from),
  })
  t.after(() => replica.close())
  offerReplica(database.pool, replica)
  const limits = { instancesMax: 100, pairingsMax: 100, pairingMaxMs: 60_000 }
  const instances = createInstances(database, limits)
  /** The names of all instances, and how old the answer may be; null if it is of the primary. */
  async function list(): Promise<{ names: string[]; lagMs: number | null }> {
    let lagMs: number | null = null
    const told = (ms: number): void => {
      lagMs = ms
    }
    const names = await tellingReplicaReads(told, async () => {
      const page = await instances.find(QUERY)
      return page.instances.map(({ instance }) => instance.name)
    })
    return { names, lagMs }
  }
  const create = (name: string) => instances.create({ name, systemName: '', adminField01: '', adminField02: '' })
  return { list, create, reads, replica }
}

it('lists come from a standby that keeps up, and from the primary while it is behind or away', async (t) => {
  const servers = await startReplicatedPostgres(t)
  const { list, create, reads } = await openNode(t, servers)
  await create('a')
  const first = await eventually(list, ({ names, lagMs }) => lagMs !== null && names.length === 1)
  assert.ok((first.lagMs ?? 0) > 0 && (first.lagMs ?? 0) <= LAG_MAX_MS + 1_000, `${first.lagMs} ms`)

  servers.holdBack()
  await create('b')
  const since = performance.now()
  // Never older than allowed: what is missing was written less than the bound ago.
  const behind = await eventually(list, ({ lagMs, names }) => {
    if (lagMs !== null && !names.includes('b')) assert.ok(performance.now() - since < LAG_MAX_MS + 5_000)
    return lagMs === null
  })
  assert.deepEqual(behind.names, ['a', 'b'])
  assert.equal(reads.at(-1), 'primary')

  await servers.follow()
  const again = await eventually(list, ({ lagMs }) => lagMs !== null)
  assert.deepEqual(again.names, ['a', 'b'])

  await servers.second.kill()
  for (const name of ['c', 'd']) {
    await create(name)
    assert.ok((await list()).names.includes(name), `${name} is missing`)
  }
  assert.equal((await list()).lagMs, null)
})

it('another database, and a former standby that was promoted, are never read', async (t) => {
  const servers = await startReplicatedPostgres(t)
  await servers.rows('CREATE DATABASE other')
  const other = servers.first.connectionString.replace(/\/[^/?]*(\?|$)/, '/other$1')
  const node = await openNode(t, servers, other)
  await node.create('a')
  assert.deepEqual(await node.list(), { names: ['a'], lagMs: null })

  const { list, create } = await openNode(t, servers)
  await eventually(list, ({ lagMs }) => lagMs !== null)
  // The standby goes its own way, and the node stays with the primary.
  const client = new pg.Client({ connectionString: servers.second.connectionString })
  await client.connect()
  await client.query('SELECT pg_promote(true, 60)')
  await client.end()
  await create('b')
  const { names } = await eventually(list, ({ lagMs }) => lagMs === null)
  assert.deepEqual(names, ['a', 'b'])
})
