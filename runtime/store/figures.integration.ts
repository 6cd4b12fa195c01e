import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Jid } from '../../schemas/ids.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { createFigures } from './figures.js'

const chat = { pn: '5511999990001@s.whatsapp.net' as Jid }

it('counts instances, the messages of the last hour by minutes, and what waits, once for all callers', async (t) => {
  const store = await openTestStore(t)
  const instance = await store.newInstance()
  await store.newInstance()
  const own = { chat, fromMe: true, wasSentByApi: true }
  await store.journal
    .forInstance(instance, store.epochOf(instance))
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
