import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { Logger } from 'pino'
import { migratedDatabase } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { startDatabaseProxy } from '../../test/support/proxy.js'
import { testLog } from '../../test/support/store.js'
import { openDatabase } from './database.js'
import { lockStorage, type StorageLock } from './storage-lock.js'

const REFUSED = /another node runs on this database|stores files on its own disk/

class Scene {
  readonly #t: TestContext
  readonly #connectionString: string
  readonly #watch: ReturnType<typeof openDatabase>

  constructor(t: TestContext, connectionString: string) {
    this.#t = t
    this.#connectionString = connectionString
    this.#watch = openDatabase({ connectionString }, testLog)
    t.after(() => this.#watch.close())
  }

  /** Starts a node with its own way to PostgreSQL, whose row says that it lives from then on. */
  async start(name: string, kind: 'one' | 'several' = 'one') {
    const way = await startDatabaseProxy(this.#t, this.#connectionString)
    const database = openDatabase({ connectionString: way.connectionString }, testLog)
    this.#t.after(() => database.close())
    const errors: string[] = []
    const log = { error: (message: string) => errors.push(message), info() {} } as unknown as Logger
    const { locks, pool } = database
    const lock = await lockStorage({ locks, pool, kind, nodeIds: [name], waitMs: 0, log })
    this.#t.after(() => lock.close())
    await this.rows(
      "INSERT INTO node (incarnation, node_id, address, version) VALUES ($1, $1, '127.0.0.1:1', '1') ON CONFLICT DO NOTHING",
      name,
    )
    return { way, lock, errors }
  }

  async rows(text: string, ...values: unknown[]) {
    return (await this.#watch.pool.query(text, values)).rows as { pid: number }[]
  }

  async holders(): Promise<readonly number[]> {
    const found = await this.rows(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${0x6469736b} AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    return found.map(({ pid }) => pid)
  }

  async endHolder(): Promise<number> {
    const [pid] = await this.holders()
    assert.ok(pid)
    await this.rows('SELECT pg_terminate_backend($1)', pid)
    return pid
  }
}

async function openScene(t: TestContext): Promise<Scene> {
  const scene = new Scene(t, (await migratedDatabase(t)).connectionString)
  await scene.rows('INSERT INTO cluster_shards (shards) VALUES (256)')
  return scene
}

const isHeldAgain = (scene: Scene, former: number) =>
  eventually(
    () => scene.holders(),
    (pids) => pids.length === 1 && pids[0] !== former,
  )

it('takes the lock again when its connection broke, although another node starts in the same moment', async (t) => {
  const scene = await openScene(t)
  const one = await scene.start('one')
  for (const kind of ['one', 'several'] as const) {
    const former = await scene.endHolder()
    await assert.rejects(scene.start(`two-${kind}`, kind), REFUSED)
    await isHeldAgain(scene, former)
  }
  assert.equal(one.lock.isTaken, false)
  assert.deepEqual(one.errors, [])
})

it('takes the lock again when it reaches PostgreSQL again, before a node that starts meanwhile', async (t) => {
  const scene = await openScene(t)
  const one = await scene.start('one')
  const [former = 0] = await scene.holders()
  one.way.cut()
  await eventually(
    () => scene.holders(),
    (pids) => pids.length === 0,
  )
  const two = assert.rejects(scene.start('two'), REFUSED)
  // It has looked for other nodes, and the lock is free.
  await eventually(
    () =>
      scene.rows("SELECT pid FROM pg_stat_activity WHERE query LIKE '%node_id <> ALL%' AND pid <> pg_backend_pid()"),
    (rows) => rows.length > 0,
  )
  one.way.mend()
  await two
  await isHeldAgain(scene, former)
  assert.equal(one.lock.isTaken, false)
})

it('says that another node has the lock when its connection was away for too long, and takes it again after the other', async (t) => {
  const scene = await openScene(t)
  const one = await scene.start('one')
  one.way.cut()
  await eventually(
    () => scene.holders(),
    (pids) => pids.length === 0,
  )
  const two = await scene.start('two')
  assert.equal(one.lock.isTaken, false, 'it cannot know yet')
  one.way.mend()
  await eventually(() => one.lock.isTaken)
  assert.equal(one.errors.length, 1)
  assert.match(one.errors[0] ?? '', REFUSED)
  await two.lock.close()
  await eventually(
    () => scene.holders(),
    (pids) => pids.length === 1,
  )
  assert.equal(one.lock.isTaken, true, 'the other may have files of its own, with the lock or without')
  await scene.rows("UPDATE node SET dead = true WHERE node_id = 'two'")
  await eventually(() => !one.lock.isTaken)
})

it('lets nodes that share their files start beside each other, and one alone after a crash of the others', async (t) => {
  const scene = await openScene(t)
  const locks: StorageLock[] = []
  for (const name of ['one', 'two', 'three']) locks.push((await scene.start(name, 'several')).lock)
  assert.equal((await scene.holders()).length, 3)
  await assert.rejects(scene.start('four'), REFUSED)
  for (const lock of locks) await lock.close()
  // The rows of the others still say that they live.
  await scene.start('five')
  assert.equal((await scene.holders()).length, 1)
})
