import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { createFigures } from './figures.js'
import { addUpCounts } from './instance-counts.js'
import { INSTANCE_TABLES, PRESENT_STATUS } from './instance-rows.js'

const given = { name: 'shop', systemName: '', adminField01: '', adminField02: '' }
const chat = { pn: '5511999990001@s.whatsapp.net' as Jid }

it('counts instances, the messages of the last hour by minutes, and what waits, once for all callers', async (t) => {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  await store.newInstance()
  const own = { chat, fromMe: true, wasSentByApi: true }
  await store.journal
    .forInstance(instance, store.findEpoch(instance))
    .write([
      received(aMessage({ chat, text: 'old' })),
      received(aMessage({ chat, text: 'new' })),
      received(aMessage({ ...own, status: 'sent' })),
      received(aMessage({ ...own, status: 'failed' })),
      received(aMessage({ ...own, status: 'queued', queuedRequest: { text: 'x' } })),
    ])
  await store.rows(`UPDATE message SET created = now() - interval '61 minutes' WHERE "text" = 'old'`)
  await store.rows(`UPDATE message SET created = now() - interval '10 minutes' WHERE "text" = 'new'`)
  await store.rows(`UPDATE instance SET status = 'disconnected', desired_connected = (id = $1)`, [instance])
  const webhook = '00000000-0000-4000-8000-000000000001'
  const ofAll = '00000000-0000-4000-8000-000000000002'
  await store.rows(
    `INSERT INTO webhook (id, instance_id, url, events, secret) VALUES ($1, $3, '', '{}', ''), ($2, NULL, '', '{}', '')`,
    [webhook, ofAll, instance],
  )
  await store.rows(`UPDATE instance SET name = 'shop' WHERE id = $1`, [instance])
  await store.rows(
    `INSERT INTO delivery (webhook_id, lane, position, instance_id, created)
     SELECT $1, 0, n, $2, now() - interval '90 seconds' FROM generate_series(1, 3) AS n`,
    [webhook, instance],
  )
  await store.rows(
    `INSERT INTO dead_letter (webhook_id, position, lane, instance_id, attempts, last_error) VALUES ($1, 9, 0, $2, 1, '')`,
    [webhook, instance],
  )
  await store.rows(
    `INSERT INTO dead_letter (webhook_id, position, lane, instance_id, attempts, last_error) VALUES ($1, 10, 0, $2, 1, '')`,
    [ofAll, instance],
  )
  await store.rows(
    `INSERT INTO webhook_error (webhook_id, instance_id, url, event, message_type, status_code, attempts, error, payload, created)
     SELECT $1, $2, '', '', '', 500, 1, '', '', at FROM unnest(ARRAY[now() - interval '2 hours', now()]) AS at`,
    [webhook, instance],
  )

  const figures = createFigures(store.database.pool)
  const [first, second] = await Promise.all([figures.read(), figures.read()])
  assert.equal(first, second)
  // One that should be connected is connecting, as everywhere.
  assert.deepEqual(first.instances, { disconnected: 1, connecting: 1, connected: 0, missing: 1 })
  assert.equal(first.minutes.length, 60)
  const total = (name: 'sent' | 'failed' | 'received') => first.minutes.reduce((sum, minute) => sum + minute[name], 0)
  assert.deepEqual([total('sent'), total('failed'), total('received')], [2, 1, 1])
  const place = first.minutes.findIndex(({ received: count }) => count === 1)
  assert.ok(place === 49 || place === 50, `ten minutes ago is at ${place}`)
  assert.deepEqual([first.webhooks.waiting, first.webhooks.deadLetters, first.webhooks.failedAttempts], [3, 2, 1])
  assert.ok(first.webhooks.oldestWaitingMs >= 90_000 && first.webhooks.oldestWaitingMs < 200_000)
  assert.deepEqual(first.sends, { waiting: 1, scheduled: 0 })
  assert.deepEqual(first.troubled, [
    { id: instance, name: 'shop', deadLetters: 1, waiting: 3, failed: 1 },
    { id: null, name: null, deadLetters: 1, waiting: 0, failed: 0 },
  ])
})

it('keeps the numbers of instances right, whatever changes them, and while they are added up', async (t) => {
  const store = await openTestStore(t)
  const ids: InstanceId[] = []
  for (let index = 0; index < 30; index += 1) ids.push((await store.instances.create(given)).instance.id)
  const figures = createFigures(store.database.pool, 10_000, 0)
  const counted = async () => {
    const rows = await store.rows<Record<string, number>>(`
      SELECT count(*) FILTER (WHERE status = 'disconnected')::int AS disconnected, count(*) FILTER (WHERE status = 'connecting')::int AS connecting,
        count(*) FILTER (WHERE status = 'connected')::int AS connected, count(*) FILTER (WHERE status <> 'connected' AND desired_connected)::int AS missing
      FROM (SELECT ${PRESENT_STATUS} AS status, i.desired_connected FROM ${INSTANCE_TABLES}) AS one`)
    return rows[0]
  }
  const isRight = async () => assert.deepEqual((await figures.read()).instances, await counted())
  const write = (id: InstanceId, status: 'connected' | 'connecting') =>
    store.journal.forInstance(id, store.findEpoch(id)).write([{ type: 'instance', set: { status } }])
  await isRight()
  const adding = { isOver: false }
  const added = (async () => {
    while (!adding.isOver) await Promise.all([addUpCounts(store.database.pool), addUpCounts(store.database.pool)])
  })()
  const change = async (id: InstanceId, index: number): Promise<void> => {
    await store.instances.setDesired(id, true)
    await write(id, 'connecting')
    if (index % 2 === 0) await write(id, 'connected')
    if (index % 5 === 0) await store.instances.setDesired(id, false)
    if (index % 7 === 0) await store.instances.delete(id)
  }
  // Few at once: on a busy machine a connection is refused to the one that waits for long.
  for (let from = 0; from < ids.length; from += 3)
    await Promise.all(ids.slice(from, from + 3).map((id, index) => change(id, from + index)))
  adding.isOver = true
  await added
  await isRight()
  // A status of a former owner says little.
  await store.rows('UPDATE shard_owner SET epoch = epoch + 1 WHERE shard % 2 = 0')
  await isRight()
  const client = await store.database.pool.connect()
  await client.query("BEGIN; UPDATE instance SET status = 'connected', status_epoch = 99; ROLLBACK")
  client.release()
  await isRight()
  await addUpCounts(store.database.pool)
  const rows = await store.rows('SELECT FROM instance_count')
  assert.ok(rows.length <= 30 && rows.length > 0, `${rows.length} rows`)
  await isRight()
})

it('keeps the numbers of dead letters right, whatever changes them, and while they are added up', async (t) => {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  const [webhook, other] = ['00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000004']
  await store.rows(
    `INSERT INTO webhook (id, instance_id, url, events, secret) SELECT id, $2, '', '{}', '' FROM unnest($1::uuid[]) AS id`,
    [[webhook, other], instance],
  )
  const figures = createFigures(store.database.pool, 10_000, 0)
  const isRight = async (expected: number) => {
    const { webhooks, troubled } = await figures.read()
    assert.equal(webhooks.deadLetters, expected)
    assert.deepEqual(
      troubled.map(({ id, deadLetters }) => [id, deadLetters]),
      expected === 0 ? [] : [[instance, expected]],
    )
  }
  const die = (from: number, to: number, id: string) =>
    store.rows(
      `INSERT INTO dead_letter (webhook_id, position, lane, instance_id, attempts, last_error)
       SELECT $1, n, 0, $2, 1, '' FROM generate_series($3::int, $4::int) AS n ON CONFLICT DO NOTHING`,
      [id, instance, from, to],
    )
  await die(1, 500, webhook)
  await die(401, 600, webhook)
  await die(1, 50, other)
  await isRight(650)
  const adding = { isOver: false }
  const added = (async () => {
    while (!adding.isOver) await Promise.all([addUpCounts(store.database.pool), addUpCounts(store.database.pool)])
  })()
  for (let round = 0; round < 10; round += 1) {
    await store.rows('DELETE FROM dead_letter WHERE webhook_id = $1 AND position % 10 = $2', [webhook, round])
    await isRight(650 - 60 * (round + 1))
  }
  const client = await store.database.pool.connect()
  await client.query('BEGIN; DELETE FROM dead_letter; ROLLBACK')
  client.release()
  await isRight(50)
  adding.isOver = true
  await added
  await addUpCounts(store.database.pool)
  assert.equal((await store.rows('SELECT FROM dead_letter_count')).length, 1)
  await store.instances.delete(instance)
  await isRight(0)
})

it('counts deliveries up to a maximum, and estimates above it', async (t) => {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  const figures = createFigures(store.database.pool, 10_000, 0)
  await store.rows(
    `INSERT INTO delivery (webhook_id, lane, position, instance_id)
     SELECT '00000000-0000-4000-8000-000000000005', 0, n, $1 FROM generate_series(1, 14000) AS n`,
    [instance],
  )
  await store.rows('ANALYZE delivery')
  const { waiting } = (await figures.read()).webhooks
  assert.ok(waiting > 12_000 && waiting < 16_000, `${waiting} deliveries`)
  await store.rows('DELETE FROM delivery WHERE position > 9000')
  assert.equal((await figures.read()).webhooks.waiting, 9_000)
})

it('counts later messages of the hour too, and sends that fail later', async (t) => {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  const journal = store.journal.forInstance(instance, store.findEpoch(instance))
  const own = { chat, fromMe: true, wasSentByApi: true, status: 'pending' } as const
  const [first, late] = [aMessage(own), aMessage(own)]
  await journal.write([received(first), received(aMessage({ chat })), received(late)])
  await store.rows(`UPDATE message SET created = now() - interval '20 minutes' WHERE "messageid" = $1`, [
    first.messageid,
  ])
  const figures = createFigures(store.database.pool, 10_000, 0)
  const total = async () => {
    const { minutes } = await figures.read()
    return (['sent', 'failed', 'received'] as const).map((name) =>
      minutes.reduce((sum, minute) => sum + minute[name], 0),
    )
  }
  assert.deepEqual(await total(), [2, 0, 1])
  await journal.write([
    { type: 'message.update', messageids: [first.messageid], set: { status: 'failed' } },
    received(aMessage({ chat })),
    received(aMessage(own)),
  ])
  assert.deepEqual(await total(), [2, 1, 2])
})
