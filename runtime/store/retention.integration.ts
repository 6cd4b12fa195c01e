import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Jid } from '../../schemas/ids.js'
import type { AuditedCall } from '../../schemas/ports/requests.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { createAccessKeys } from './access-keys.js'
import { createAuditLog } from './audit-log.js'
import { createRetention } from './retention.js'
import { createSuppressions } from './suppressions.js'

const call: AuditedCall = {
  actorKind: 'admin',
  actor: 'ADMIN_TOKEN',
  address: '192.0.2.1',
  method: 'POST',
  route: '/x',
  operation: 'x',
  subject: '',
  pass: '',
  requestId: 'r',
}

describe('the retention', () => {
  it('takes administrative calls away after a time of their own, and keys and suppressions that have ended', async (t) => {
    const store = await openTestStore(t)
    const { pool } = store.database
    const log = createAuditLog(pool, 'n1')
    const keys = createAccessKeys({ pool, onWritten: () => {} })
    const instance = await store.newInstance()
    for (const name of ['old', 'older', 'new']) await log.begin({ ...call, subject: name })
    await store.rows("UPDATE audit SET at = at - interval '91 days' WHERE subject LIKE 'old%'")
    const key = { scopes: ['read'], chat: null } as const
    await keys.create(instance, { ...key, name: 'ended', lifeMs: -1 })
    await keys.create(instance, { ...key, name: 'for good', lifeMs: null })
    await keys.create(instance, { ...key, name: 'for a day', lifeMs: 86_400_000 })
    const suppressions = createSuppressions(pool, 3)
    const people = ['1', '2', '3', '4'].map((digit) => ({ pn: `155500000${digit}@s.whatsapp.net` as Jid }))
    const suppress = (some: typeof people, until: Date | null) =>
      suppressions.add(instance, some, { reason: '', until })
    await suppress(people.slice(0, 2), new Date(Date.now() - 1_000))
    await suppress(people.slice(2, 3), null)
    await assert.rejects(suppress(people.slice(3), null), { code: 'RECORD_LIMIT' })

    await createRetention({ pool, auditMs: Number.POSITIVE_INFINITY }).run()
    assert.equal((await log.find({ limit: 10 })).entries.length, 3)
    await createRetention({ pool, batchRows: 1 }).run()
    const { entries } = await log.find({ limit: 10 })
    assert.deepEqual(
      entries.map(({ subject, status }) => [subject, status]),
      [['new', null]],
    )
    const left = await store.rows<{ name: string }>('SELECT name FROM access_key ORDER BY name')
    assert.deepEqual(
      left.map(({ name }) => name),
      ['for a day', 'for good'],
    )
    assert.equal((await store.rows('SELECT FROM suppression')).length, 1)
    assert.equal(await suppress(people.slice(0, 2), null), 2)
  })

  it('forgets people of campaigns a year after their last message, some at a time, and nobody whom a rule may ask for', async (t) => {
    const store = await openTestStore(t)
    const { pool } = store.database
    const instance = await store.newInstance()
    const insert = `INSERT INTO campaign_contact (instance_id, address, last_at)
      SELECT $1, $2 || i || '@s.whatsapp.net', now() - $3::int * interval '1 day' FROM generate_series(1, $4::int) AS i`
    for (const [prefix, days, count] of [
      ['1', 367, 30],
      ['2', 365, 1],
      ['3', 0, 1],
      ['4', 367, 150],
    ] as const)
      await store.rows(insert, [instance, prefix, days, count])
    const kept = async () =>
      (await store.rows<{ address: string }>('SELECT address FROM campaign_contact ORDER BY address')).map(
        ({ address }) => address,
      )
    // A round looks at a hundred batches, and the next one continues behind them.
    const round = () => createRetention({ pool, batchRows: 1 }).run()
    await round()
    const afterOne = await kept()
    assert.deepEqual([afterOne.length, afterOne[0]], [84, '21@s.whatsapp.net'])
    await round()
    assert.deepEqual(await kept(), ['21@s.whatsapp.net', '31@s.whatsapp.net'])
    await store.rows(insert, [instance, '5', 367, 1])
    await round()
    await round()
    assert.equal((await kept()).length, 2)
  })

  it('takes the history of connections away with the events but for the newest entry, and the journal keeps 200 for each instance', async (t) => {
    const store = await openTestStore(t)
    const [flapping, calm] = [await store.newInstance(), await store.newInstance()]
    const entry = {
      type: 'connection',
      status: 'connecting',
      state: 'waiting',
      cause: 'lost',
      code: 0,
      node: 'n1',
    } as const
    const write = (instance: typeof calm, count: number) =>
      store.journal
        .forInstance(instance, store.findEpoch(instance))
        .write(Array.from({ length: count }, (_, index) => ({ ...entry, ageMs: 0, reason: String(index) })))
    await write(calm, 3)
    for (let round = 0; round < 3; round += 1) await write(flapping, 90)
    const kept = (instance: typeof calm) =>
      store.rows<{ reason: string }>(
        'SELECT reason FROM connection_history WHERE instance_id = $1 ORDER BY position DESC',
        [instance],
      )
    assert.deepEqual([(await kept(calm)).length, (await kept(flapping)).length], [3, 200])
    assert.equal((await kept(flapping))[0]?.reason, '89')
    await store.rows("UPDATE connection_history SET at = at - interval '15 days' WHERE instance_id = $1", [flapping])
    await createRetention({ pool: store.database.pool, batchRows: 50 }).run()
    assert.equal((await kept(calm)).length, 3)
    // It says since when the status holds.
    assert.deepEqual(await kept(flapping), [{ reason: '89' }])
  })

  const DAY_MS = 86_400_000

  it('goes by the clock of PostgreSQL, whatever those of the nodes say', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const { pool } = store.database
    const wrongBy = async (days: number, work: () => Promise<unknown>) => {
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + days * DAY_MS })
      await work().finally(() => t.mock.timers.reset())
    }
    const count = async (table: string) => (await store.rows(`SELECT FROM ${table}`)).length
    await journal.write([received(aMessage())])
    await wrongBy(-20, () => journal.write([received(aMessage())]))
    await wrongBy(20, () => journal.write([received(aMessage())]))
    const written = await store.rows<{ ageMs: number }>(
      `SELECT (extract(epoch FROM now() - created) * 1000)::float8 AS "ageMs" FROM message
       UNION ALL SELECT (extract(epoch FROM now() - created) * 1000)::float8 FROM event`,
    )
    for (const { ageMs } of written) assert.ok(Math.abs(ageMs) < 60_000, `written ${ageMs} ms ago`)

    await createAuditLog(pool, 'n1').begin(call)
    await wrongBy(200, () => createRetention({ pool }).run())
    assert.deepEqual([await count('message'), await count('event'), await count('audit')], [3, 3, 1])

    await store.rows("UPDATE message SET created = created - interval '15 days'")
    await store.rows("UPDATE event SET created = created - interval '15 days'")
    await wrongBy(-20, () => createRetention({ pool, batchRows: 2 }).run())
    assert.deepEqual([await count('message'), await count('event')], [0, 0])
  })

  it('forgets old keys of sends in batches, and waits for no row that another transaction holds', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const names = ['a', 'b', 'c', 'd', 'e']
    await journal.write(
      names.map((name) => received({ ...aMessage(), idempotencyKey: name, requestHash: 'h', wasSentByApi: true })),
    )
    await store.rows("UPDATE message SET created = created - interval '25 hours' WHERE idempotency_key <> 'c'")
    await store.rows("UPDATE message SET created = created - interval '15 days' WHERE idempotency_key = 'e'")
    const holder = await store.database.pool.connect()
    await holder.query('BEGIN')
    await holder.query("SELECT FROM message WHERE idempotency_key IN ('b', 'e') FOR UPDATE")
    const keys = async () =>
      (
        await store.rows<{ key: string }>(
          'SELECT idempotency_key AS key FROM message WHERE idempotency_key IS NOT NULL ORDER BY 1',
        )
      ).map(({ key }) => key)
    const retention = createRetention({ pool: store.database.pool, batchRows: 2 })
    await retention.run()
    assert.deepEqual(await keys(), ['b', 'c', 'e'])
    await holder.query('ROLLBACK')
    holder.release()
    await retention.run()
    assert.deepEqual(await keys(), ['c'])
    assert.equal((await store.rows('SELECT FROM message')).length, 4)
  })

  it('touches no more rows in a statement than a batch has', async (t) => {
    const { database, rows, newInstance, journal, findEpoch } = await openTestStore(t)
    const instance = await newInstance()
    const written = Array.from({ length: 7 }, (_, index) =>
      received({ ...aMessage(), idempotencyKey: `k${index}`, requestHash: 'h', wasSentByApi: true }),
    )
    await journal.forInstance(instance, findEpoch(instance)).write(written)
    const touched: number[] = []
    const pool = {
      async query(text: string, values: unknown[]) {
        const result = await database.pool.query(text, values)
        touched.push(result.rowCount ?? 0)
        return result
      },
    } as unknown as typeof database.pool
    for (const age of ['25 hours', '15 days']) {
      await rows(`UPDATE message SET created = created - interval '${age}'`)
      await rows(`UPDATE event SET created = created - interval '${age}'`)
      touched.length = 0
      await createRetention({ pool, batchRows: 2 }).run()
      assert.equal(Math.max(...touched), 2)
    }
    assert.deepEqual(await rows('SELECT FROM message'), [])
  })

  it('is done by one node at a time, and by another when that one does it no more', async (t) => {
    const { database, rows } = await openTestStore(t)
    const nodes = [1, 2, 3].map(() => createRetention({ pool: database.pool }))
    const rounds = await Promise.all(nodes.map((node) => node.runInTurn()))
    assert.equal(rounds.filter((round) => round !== null).length, 1)
    for (const node of nodes) assert.equal(await node.runInTurn(), null)
    // The one that began the last round is gone; or the clock of PostgreSQL was set back.
    for (const change of ['- 3600000', '+ 86400000']) {
      await rows(`UPDATE meta SET value = (value::bigint ${change})::text WHERE key = 'retention'`)
      assert.notEqual(await nodes[1]?.runInTurn(), null)
      assert.equal(await nodes[2]?.runInTurn(), null)
    }
  })
})
