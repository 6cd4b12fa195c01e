import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { ToolResult } from '../../schemas/agents/tools.js'
import { GatewayError } from '../../schemas/errors.js'
import { aMessage, findShard, openTestStore, received, testLog } from '../../test/support/store.js'
import { createJournal } from './journal.js'
import { createReader } from './reader.js'

const isNotOwner = (error: unknown) => error instanceof GatewayError && error.code === 'NOT_OWNER'

describe('the fence', () => {
  it('drops the writes of a former owner and lets the others of the same batch through', async (t) => {
    const store = await openTestStore(t)
    const deposed = await store.newInstance()
    let other = await store.newInstance()
    while (findShard(other) === findShard(deposed)) other = await store.newInstance()
    const journal = store.journal.forInstance(deposed, store.findEpoch(deposed))
    await store.rows('UPDATE shard_owner SET epoch = epoch + 1 WHERE shard = $1', [findShard(deposed)])

    const lost = journal.write([received(aMessage())])
    const kept = store.journal.forInstance(other, store.findEpoch(other)).write([received(aMessage())])

    await assert.rejects(lost, isNotOwner)
    assert.equal((await kept).messages.size, 1)
    await assert.rejects(journal.write([received(aMessage())]), isNotOwner)
    await assert.rejects(journal.settled() ?? Promise.resolve(), isNotOwner)
    const next = store.journal.forInstance(deposed, store.findEpoch(deposed) + 1)
    assert.equal((await next.write([received(aMessage())])).messages.size, 1)
    assert.equal((await store.rows('SELECT FROM message')).length, 2)
  })

  it('drops the writes of a node that has the epoch of a shard, and not the shard', async (t) => {
    const store = await openTestStore(t)
    const [instance, another] = [await store.newInstance(), await store.newInstance()]
    const open = (owner: string) => {
      const journal = createJournal({
        clientConfig: store.database.clientConfig,
        encryption: store.encryption,
        findShard: store.findShard,
        log: testLog,
        owner,
      })
      t.after(() => journal.close())
      return journal
    }
    const [stranger, owner] = [open('another node'), open('test')]
    const writeAll = (journal: typeof owner) =>
      [instance, another].map((id) => journal.forInstance(id, store.findEpoch(id)).write([received(aMessage())]))
    // One shard, and two in a batch.
    await assert.rejects(
      stranger.forInstance(instance, store.findEpoch(instance)).write([received(aMessage())]),
      isNotOwner,
    )
    for (const refused of writeAll(stranger)) await assert.rejects(refused, isNotOwner)
    assert.equal(stranger.lastCommit, null)
    await Promise.all(writeAll(owner))
    await owner.forInstance(instance, store.findEpoch(instance)).write([received(aMessage())])
    assert.equal((await store.rows('SELECT FROM message')).length, 3)
    assert.equal(owner.lastCommit?.epoch, store.findEpoch(instance))
  })

  it('lets nothing of a former owner land after a takeover, whatever is in flight', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const second = createJournal({
      clientConfig: store.database.clientConfig,
      encryption: store.encryption,
      findShard: store.findShard,
      log: testLog,
    })
    t.after(() => second.close())
    // A takeover in the middle of a commit must be likely.
    await store.rows(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END $$`)
    await store.rows('CREATE TRIGGER dawdle AFTER INSERT ON event FOR EACH STATEMENT EXECUTE FUNCTION dawdle()')
    for (let round = 0; round < 15; round++) {
      const [shard] = await store.rows<{ epoch: number }>('SELECT epoch FROM shard_owner WHERE shard = $1', [
        findShard(instance),
      ])
      const old = store.journal.forInstance(instance, shard?.epoch ?? 0)
      const writing = flood(old, 40)
      await pause(5 * round)
      const takeover = await store.rows<{ epoch: number }>(
        'UPDATE shard_owner SET epoch = epoch + 1 WHERE shard = $1 RETURNING epoch',
        [findShard(instance)],
      )
      const [atTakeover] = await store.rows<{ count: number }>('SELECT count(*) FROM message')
      await writing
      const [later] = await store.rows<{ count: number }>('SELECT count(*) FROM message')
      assert.equal(later?.count, atTakeover?.count)
      await second.forInstance(instance, takeover[0]?.epoch ?? 0).write([received(aMessage())])
    }
  })

  it('keeps a call of an agent with its result, and stops one whose start a former owner would store', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const { agentCalls } = createReader(store.database.pool, store.encryption)
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const first = { turn: 't1', generation: 1, step: 0, call: 0, name: 'find\0order' }
    const result: ToolResult = {
      text: 'a\0b \ud800',
      isError: false,
      isEffect: true,
      record: { name: 'find', arguments: '{}' },
    }
    await journal.write([{ type: 'agent.call', row: { ...first, result: null } }])
    const [started] = await agentCalls(instance, 't1', 1)
    assert.deepEqual(started, { ...first, name: 'findorder', result: null })
    // The start of a repeated call does not hide a result.
    await journal.write([{ type: 'agent.call', row: { ...first, result } }])
    await journal.write([{ type: 'agent.call', row: { ...first, result: null } }])
    assert.deepEqual((await agentCalls(instance, 't1', 1))[0]?.result, result)
    assert.deepEqual(await agentCalls(instance, 't1', 2), [])
    await store.rows('UPDATE shard_owner SET epoch = epoch + 1 WHERE shard = $1', [findShard(instance)])
    const late = journal.write([{ type: 'agent.call', row: { ...first, call: 1, result: null } }])
    await assert.rejects(late, isNotOwner)
    assert.equal((await agentCalls(instance, 't1', 1)).length, 1)
  })

  it('drops the writes of an instance that was deleted', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([received(aMessage()), { type: 'credentials', data: Buffer.from('secret') }])
    const writing = flood(journal, 40)
    await store.instances.delete(instance)
    await writing
    await assert.rejects(journal.write([received(aMessage())]), isNotOwner)
    for (const table of ['message', 'chat', 'event', 'instance_credentials', 'instance', 'event_sequence']) {
      assert.equal((await store.rows(`SELECT FROM ${table}`)).length, 0, table)
    }
  })
})

/** Writes one after the other until refused. */
async function flood(
  journal: ReturnType<ReturnType<typeof createJournal>['forInstance']>,
  count: number,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    try {
      await journal.write([received(aMessage())])
    } catch (error) {
      if (!isNotOwner(error)) throw error
      return
    }
  }
}
