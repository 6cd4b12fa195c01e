import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import { testDatabase } from '../../test/support/embedded.js'
import { aMessage, findShard, openTestStore, received, type TestStore, testLog } from '../../test/support/store.js'
import { createJournal } from '../store/journal.js'
import { createShardTable, type ShardTable } from './shard-table.js'

const at = { address: '127.0.0.1:1', version: '1.0.0' }
const self = { ...at, shards: 256 }

interface Scene {
  readonly store: TestStore
  readonly openPool: () => pg.Pool
  /** A node that is registered. */
  node(incarnation: string, nodeId?: string): Promise<ShardTable>
}

async function scene(t: TestContext): Promise<Scene> {
  const store = await openTestStore(t)
  await store.rows('UPDATE shard_owner SET owner = NULL, epoch = 0')
  const openPool = () => {
    const pool = new pg.Pool({ ...store.database.clientConfig, max: 2, statement_timeout: 5_000 })
    pool.on('error', () => {})
    t.after(() => pool.end())
    return pool
  }
  return {
    store,
    openPool,
    async node(incarnation, nodeId = incarnation) {
      const table = createShardTable({ pool: openPool(), incarnation })
      assert.equal(await table.register({ nodeId, ...self }, null), true)
      return table
    },
  }
}

const free = (count: number) => Array.from({ length: count }, (_, shard) => ({ shard, owner: null, epoch: 0 }))

describe('the shard table', () => {
  it('shows all shards and nodes, with numbers as numbers', async (t) => {
    const { node } = await scene(t)
    const table = await node('one', 'a')
    await table.claim(free(2))
    await table.setDraining()
    const { shards, nodes } = await table.read()
    assert.equal(shards.length, 256)
    assert.deepEqual(shards.slice(0, 3), [
      { owner: 'one', epoch: 1 },
      { owner: 'one', epoch: 1 },
      { owner: null, epoch: 0 },
    ])
    assert.deepEqual(nodes, [{ incarnation: 'one', nodeId: 'a', ...at, isDraining: true, isDead: false, revision: 1 }])
  })

  it('reads the rows of shards again only after a change, and then each of them', async (t) => {
    const { node, store } = await scene(t)
    const table = await node('one', 'a')
    const { shards } = await table.read()
    await table.hold()
    assert.equal((await table.read()).shards, shards)
    await table.claim(free(1))
    assert.deepEqual((await table.read()).shards, [{ owner: 'one', epoch: 1 }, ...shards.slice(1)])
    // The store goes back to where it was: the counter is another one, in whichever direction.
    await store.rows('UPDATE shard_owner SET owner = NULL, epoch = 0')
    await store.rows('UPDATE store_history SET counter = 0')
    assert.deepEqual((await table.read()).shards, shards)
  })

  it('takes a node id once, again after the death of its holder, and a repeated registration as a sign of life', async (t) => {
    const { node, openPool } = await scene(t)
    const first = await node('one', 'a')
    const second = createShardTable({ pool: openPool(), incarnation: 'two' })
    assert.equal(await second.register({ nodeId: 'a', ...self }, null), false)
    assert.equal(await first.register({ nodeId: 'a', ...self }, null), true)
    assert.equal((await first.read()).nodes[0]?.revision, 2)
    await first.leave()
    assert.equal(await first.hold(), false)
    assert.equal(await first.register({ nodeId: 'a', ...self }, null), false)
    assert.equal(await second.register({ nodeId: 'a', ...self }, null), true)
  })

  it('a node takes the place of its former life, dead under the revision that was seen, and nobody finds neither of them', async (t) => {
    const { store, node, openPool } = await scene(t)
    const former = await node('one', 'a')
    const again = createShardTable({ pool: openPool(), incarnation: 'two' })
    assert.equal(await former.hold(), true)
    assert.equal(await again.register({ nodeId: 'a', ...self }, { incarnation: 'one', revision: 1 }), false)
    assert.equal(await former.hold(), true)
    assert.equal(await again.register({ nodeId: 'a', ...self }, { incarnation: 'one', revision: 3 }), true)
    assert.equal(await former.hold(), false)
    // Repeated, since its answer was lost.
    assert.equal(await again.register({ nodeId: 'a', ...self }, { incarnation: 'one', revision: 3 }), true)
    assert.deepEqual(await store.rows('SELECT incarnation, dead FROM node ORDER BY incarnation'), [
      { incarnation: 'one', dead: true },
      { incarnation: 'two', dead: false },
    ])
  })

  it('a node is declared dead only under the revision that was seen, and for good', async (t) => {
    const { node } = await scene(t)
    const [victim, taker] = [await node('one'), await node('two')]
    assert.equal(await victim.hold(), true)
    assert.equal(await taker.declareDead('one', 1), 'moved')
    assert.equal(await taker.declareDead('one', 2), 'dead')
    assert.equal(await taker.declareDead('one', 1), 'dead')
    assert.equal(await victim.hold(), false)
  })

  it('a hold of a node whose row the store has lost is neither a proof nor a death', async (t) => {
    const { store, node } = await scene(t)
    const lost = await node('one')
    await store.rows("DELETE FROM node WHERE incarnation = 'one'")
    await assert.rejects(lost.hold())
    assert.equal(await lost.register({ nodeId: 'one', ...self }, null), true)
    assert.equal(await lost.hold(), true)
  })

  it('a hold and a death at the same moment: one of them wins, never both', async (t) => {
    const { node } = await scene(t)
    const taker = await node('taker')
    let deaths = 0
    for (let round = 0; round < 60; round += 1) {
      const victim = await node(`victim ${round}`)
      const [held, declared] = await Promise.all([victim.hold(), taker.declareDead(`victim ${round}`, 1)])
      assert.equal(held, declared === 'moved', `held ${held}, ${declared}`)
      if (declared === 'dead') deaths += 1
    }
    assert.ok(deaths > 0, 'it never won')
  })

  it('nodes that died long ago are forgotten, after what they have left; those that own or have come back leave it', async (t) => {
    const { store, node } = await scene(t)
    const own = await node('own')
    for (const dead of ['gone', 'owner', 'former', 'yesterday']) await (await node(dead)).leave()
    await node('again', 'former')
    await store.rows("UPDATE node SET registered = now() - interval '2 days' WHERE incarnation <> 'yesterday'")
    await store.rows("UPDATE shard_owner SET owner = 'owner' WHERE shard = 9")
    await assert.rejects(
      own.forgetDead(() => Promise.reject(new Error('Redis is away'))),
      /away/,
    )
    const removed: string[] = []
    await own.forgetDead(async (nodeId) => void removed.push(nodeId))
    assert.deepEqual(removed, ['gone'])
    const left = await store.rows<{ incarnation: string }>('SELECT incarnation FROM node ORDER BY 1')
    assert.deepEqual(
      left.map(({ incarnation }) => incarnation),
      ['again', 'own', 'owner', 'yesterday'],
    )
  })

  it('shards of the living, under another epoch or for a dead claimer are not granted', async (t) => {
    const { node } = await scene(t)
    const [owner, taker] = [await node('one'), await node('two')]
    assert.equal((await owner.claim(free(3))).length, 3)
    const seen = [
      { shard: 0, owner: 'one', epoch: 1 },
      { shard: 1, owner: 'one', epoch: 0 },
    ]
    assert.deepEqual(await taker.claim(seen), [])
    await owner.leave()
    assert.deepEqual(await taker.claim(seen), [{ shard: 0, epoch: 2 }])
    await taker.leave()
    assert.deepEqual(await taker.claim([{ shard: 2, owner: 'one', epoch: 1 }]), [])
  })

  it('many who claim the same at once: each shard is granted to one', async (t) => {
    const { node } = await scene(t)
    const tables = await Promise.all(['one', 'two', 'three', 'four'].map((name) => node(name)))
    const granted = await Promise.all(tables.map((table) => table.claim(free(256))))
    assert.equal(granted.flat().length, 256)
    assert.equal(new Set(granted.flat().map(({ shard }) => shard)).size, 256)
  })

  it('a claim and the death of the claimer at the same moment leave no shard with an owner who never learns of it', async (t) => {
    const { node } = await scene(t)
    const observer = await node('observer')
    for (let round = 0; round < 30; round += 1) {
      const claimer = await node(`claimer ${round}`)
      const before = (await observer.read()).shards[0]
      assert.ok(before !== undefined)
      const [granted] = await Promise.all([
        claimer.claim([{ shard: 0, ...before }]),
        observer.declareDead(`claimer ${round}`, 1),
      ])
      const after = (await observer.read()).shards[0]
      assert.equal(after?.owner === `claimer ${round}`, granted.length === 1)
    }
  })

  it('hands a shard over only from its owner, only to a living node, and returns the row', async (t) => {
    const { node } = await scene(t)
    const [owner, target] = [await node('one'), await node('two')]
    await owner.claim(free(2))
    assert.deepEqual(await target.handOver(0, 1, 'two'), { type: 'row', row: { owner: 'one', epoch: 1 } })
    assert.deepEqual(await owner.handOver(0, 1, 'two'), { type: 'row', row: { owner: 'two', epoch: 2 } })
    assert.deepEqual(await owner.raise(0, 1), { type: 'row', row: { owner: 'two', epoch: 2 } })
    assert.deepEqual(await owner.raise(1, 1), { type: 'row', row: { owner: 'one', epoch: 2 } })
    await target.leave()
    assert.deepEqual(await owner.handOver(1, 2, 'two'), { type: 'row', row: { owner: 'one', epoch: 2 } })
  })

  it('says whether a write can have happened when there is no answer', async (t) => {
    const { store, node } = await scene(t)
    const owner = await node('one')
    await owner.claim(free(1))
    const blocker = new pg.Client(store.database.clientConfig)
    await blocker.connect()
    await blocker.query('BEGIN; SELECT FROM shard_owner WHERE shard = 0 FOR SHARE')
    const raising = owner.raise(0, 1)
    await pause(100)
    await store.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
    assert.deepEqual(await raising, { type: 'unknown' })
    await blocker.end()
    const { connectionString } = await testDatabase(t)
    const gone = new pg.Pool({ connectionString: connectionString.replace(/test_\w+/, 'nowhere') })
    t.after(() => gone.end())
    assert.deepEqual(await createShardTable({ pool: gone, incarnation: 'one' }).raise(0, 1), { type: 'untouched' })
  })

  it('a takeover waits for the writes of the former owner, and those that come later find it', async (t) => {
    const { store, node } = await scene(t)
    const instance = await store.newInstance()
    const shard = findShard(instance)
    await store.rows(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END $$`)
    await store.rows('CREATE TRIGGER dawdle AFTER INSERT ON event FOR EACH STATEMENT EXECUTE FUNCTION dawdle()')
    const journal = createJournal({
      clientConfig: store.database.clientConfig,
      encryption: store.encryption,
      findShard: store.findShard,
      log: testLog,
    })
    t.after(() => journal.close())
    const taker = await node('taker')
    for (let round = 0; round < 10; round += 1) {
      const owner = await node(`owner ${round}`)
      const before = (await owner.read()).shards[shard]
      assert.ok(before !== undefined)
      const [mine] = await owner.claim([{ shard, ...before }])
      assert.ok(mine !== undefined)
      const writing = flood(journal.forInstance(instance, mine.epoch), 40)
      await pause(5 * round)
      await taker.declareDead(`owner ${round}`, 1)
      const granted = await taker.claim([{ shard, owner: `owner ${round}`, epoch: mine.epoch }])
      assert.equal(granted.length, 1)
      const [atTakeover] = await store.rows<{ count: number }>('SELECT count(*) FROM message')
      await writing
      const [later] = await store.rows<{ count: number }>('SELECT count(*) FROM message')
      assert.equal(later?.count, atTakeover?.count)
      // The taker gives it up again, for the next round.
      await store.rows('UPDATE shard_owner SET owner = NULL WHERE shard = $1', [shard])
    }
  })
})

async function flood(
  journal: ReturnType<ReturnType<typeof createJournal>['forInstance']>,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    try {
      await journal.write([received(aMessage())])
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'NOT_OWNER') return
      throw error
    }
  }
}
