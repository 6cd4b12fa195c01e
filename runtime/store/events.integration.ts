import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Change } from '../../actors/instance/ports.js'
import type { EventKind } from '../../schemas/generated.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import { aMessage, findShard, openTestStore, received, type TestStore } from '../../test/support/store.js'
import { createDeadLetters } from './dead-letters.js'
import { createDeliveries, type Deliveries } from './deliveries.js'
import { streamStore } from './delivery-views.js'
import { createEvents, envelope } from './events.js'
import { createWebhookRows, type StoredWebhook } from './webhooks.js'

describe('events', () => {
  it('are numbered without gaps per instance, whatever fails in between', async (t) => {
    const store = await openTestStore(t)
    const instances = await Promise.all([store.newInstance(), store.newInstance(), store.newInstance()])
    const journals = instances.map((instance) => store.journal.forInstance(instance, store.findEpoch(instance)))
    const flood = async (count: number, isBad: (index: number) => boolean) => {
      const writes = Array.from({ length: count }, async (_, index) => {
        // An id that does not fit into an index: the database refuses the whole write.
        const bad = isBad(index) ? [keyWithId(randomBytes(6_000).toString('base64'))] : []
        await journals[index % 3]?.write([received(aMessage()), ...bad])
      })
      await Promise.allSettled(writes)
      await new Promise(setImmediate)
    }
    await flood(30, () => false)
    await flood(60, (index) => index === 7)
    await flood(30, () => false)
    const events = createEvents(store.database.pool)
    for (const instance of instances) {
      const log = await events.eventsAfter(instance, 0, 100)
      assert.deepEqual(
        log.map((event) => event.sequence),
        log.map((_, index) => index + 1),
      )
      assert.equal(await events.lastSequence(instance), log.length)
    }
    const all = await events.eventsAfterPosition(0, 200)
    // Of the instance whose write was refused, those before it are kept.
    assert.equal(all.length, 102)
    assert.deepEqual(
      all.map((event) => event.position),
      all.map((event) => event.position).sort((a, b) => a - b),
    )
    const told = store.commits.flatMap((commit) => commit.events)
    assert.deepEqual(
      told.map(({ instance }) => instance),
      all.map(({ instance }) => instance),
    )
  })

  it('leave in a flat envelope with complete records and without the token', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance('Sales')
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([
      { type: 'instance', set: { ownerJid: '5511888887777@s.whatsapp.net' as Jid, status: 'connected' } },
    ])
    const message = aMessage({ text: 'nul \0 and half \ud800', content: { text: 'nul \0' } })
    const { messages } = await journal.write([received(message)])

    const [event] = await createEvents(store.database.pool).eventsAfter(instance, 0, 10)
    assert.ok(event)
    const body = envelope(event, { url: () => 'https://gateway.example', fileUrl: () => '' })
    assert.equal(body.BaseUrl, 'https://gateway.example')
    assert.equal(body.EventType, 'messages')
    assert.equal(body.instanceName, 'Sales')
    assert.equal(body.owner, '5511888887777')
    assert.equal(body.sequence, 1)
    assert.equal(body.schemaVersion, 1)
    assert.equal('token' in body, false)
    const stored = messages.get(message.messageid)?.record
    assert.deepEqual(body.message, JSON.parse(JSON.stringify(stored)))
    const chat = body.chat as Record<string, unknown>
    assert.equal(Object.keys(chat).length, 74)
    assert.equal(chat.lead_field20, '')
    assert.equal(chat.wa_fastid, `5511888887777:${message.chat.pn?.split('@')[0]}`)
  })

  it('of a kind that this version does not know reach webhooks that name it and streams, with the version of their schema', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const kind = 'kind_of_tomorrow' as 'connection'
    const wanted = await addWebhook(store, { instance, events: [kind] })
    await addWebhook(store, { instance, events: ['messages', 'connection'] })
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([{ type: 'event', kind, body: { event: { new: true } } }])
    assert.deepEqual(
      (await store.rows<{ webhook_id: string }>('SELECT webhook_id FROM delivery')).map((row) => row.webhook_id),
      [wanted.id],
    )
    const streams = streamStore(store.database.pool, { url: () => '', fileUrl: () => '' })
    const [event] = await streams.read(instance, 0, 10)
    assert.ok(event)
    const { EventType, schemaVersion, event: body } = event.body()
    assert.deepEqual([EventType, schemaVersion, body], [kind, 1, { new: true }])
    assert.equal(streams.isExcluded(event.kind, event.flags, ['fromMeYes']), false)
  })

  it('of a chat or contact are emitted only when something changed', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const chat = { pn: '5511999990001@s.whatsapp.net' as Jid }
    const contact = { address: chat, contactName: 'Bia' }
    for (let round = 0; round < 2; round++) {
      await journal.write([
        { type: 'chat', chat, set: { wa_archived: true }, announce: true },
        { type: 'contact', contact, announce: true },
      ])
    }
    await journal.write([{ type: 'chat', chat, set: { wa_archived: false }, announce: true }])
    const rows = await store.rows<{ kind: string }>('SELECT kind FROM event ORDER BY sequence')
    assert.deepEqual(
      rows.map((row) => row.kind),
      ['chats', 'contacts', 'chats'],
    )
    const [named] = await store.rows<{ name: string }>('SELECT name FROM chat')
    assert.equal(named?.name, 'Bia')
  })
})

describe('deliveries', () => {
  it('are made for every webhook that wants the event, and for no other', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const other = await store.newInstance()
    const wanted = await addWebhook(store, { instance, excludeMessages: ['fromMeYes', 'isGroupYes'] })
    const fromApi = await addWebhook(store, { instance, excludeMessages: ['wasNotSentByApi'] })
    const global = await addWebhook(store, { instance: null, excludeMessages: ['IsGroupNo'] })
    await addWebhook(store, { instance, enabled: false })
    await addWebhook(store, { instance: other })
    await addWebhook(store, { instance, events: ['presence'] })
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const group = '123456789@g.us' as Jid
    await journal.write([
      received(aMessage()),
      received(aMessage({ fromMe: true, wasSentByApi: true })),
      received(aMessage({ fromMe: true })),
      received(aMessage({ isGroup: true, chat: { group } })),
    ])
    const rows = await store.rows<{ webhook_id: string; sequence: number }>(
      'SELECT d.webhook_id, e.sequence FROM delivery AS d JOIN event AS e USING (position) ORDER BY e.sequence',
    )
    assert.deepEqual(
      rows.map((row) => [row.webhook_id, row.sequence]),
      [
        [wanted.id, 1],
        [fromApi.id, 2],
        [global.id, 4],
      ],
    )
    assert.deepEqual(
      store.commits[0]?.lanes.map((lane) => lane.webhookId),
      [wanted.id, fromApi.id, global.id],
    )
  })

  it('of one chat come in order, wait behind their head, and end delivered or dead', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const webhook = await addWebhook(store, { instance, events: ['messages', 'connection'] })
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const deliveries = createDeliveries(store.database.pool)
    const chat = { pn: '5511999990002@s.whatsapp.net' as Jid }
    await journal.write(['a', 'b', 'c'].map((text) => received(aMessage({ chat, text }))))
    await journal.write([{ type: 'event', kind: 'connection', body: { instance: { status: 'connected' } } }])
    const lanes = await listLanes(deliveries, store.shards)
    assert.equal(lanes.length, 2)
    const lane = lanes.find((one) => one.lane > 0)?.lane ?? 0
    assert.ok(lanes.some((one) => one.lane < 0))
    const both = lanes.map((one) => one.lane).toSorted((one, other) => one - other)
    const asked = [both[1], 987_654, both[0]].map((one) => ({ webhookId: webhook.id, lane: one ?? 0 }))
    assert.deepEqual(
      (await deliveries.nextOfLanes(asked, 2)).map((found) => found.map(({ event }) => event.sequence)),
      [[1, 2], [], [4]],
    )
    const [a, b, c] = await nextOfLane(deliveries, webhook.id, lane, 10)
    assert.ok(a && b && c)
    assert.deepEqual(
      [a, b, c].map(({ event }) => event.sequence),
      [1, 2, 3],
    )
    const failure = {
      url: 'https://x',
      event: 'messages',
      messageType: 'text',
      statusCode: 500,
      error: 'no',
      payload: 'p',
      durationMs: 5,
      headers: {},
      answer: 'away',
    }
    const epoch = store.findEpoch(instance)
    await store.journal.writeDeliveries(instance, epoch, [
      { type: 'delivered', webhookId: webhook.id, lane, positions: [a.event.position] },
      {
        type: 'retry',
        webhookId: webhook.id,
        lane,
        position: b.event.position,
        attempts: 1,
        waitMs: 60_000,
        failure,
      },
    ])
    const failed = (await listLanes(deliveries, store.shards)).find((one) => one.lane === lane)
    assert.deepEqual([failed?.attempts, failed?.lastError], [1, 'no'])
    assert.ok(failed !== undefined && failed.dueInMs > 30_000 && failed.dueInMs <= 60_000, `${failed?.dueInMs} ms`)
    assert.equal((await nextOfLane(deliveries, webhook.id, lane, 10))[0]?.attempts, 1)
    await store.journal.writeDeliveries(instance, epoch, [
      { type: 'dead', webhookId: webhook.id, lane, position: b.event.position, attempts: 2, failure },
    ])
    assert.equal((await nextOfLane(deliveries, webhook.id, lane, 10))[0]?.event.position, c.event.position)
    const deadLetters = createDeadLetters(store.database.pool)
    const { deadLetters: listed, hasMore, total } = await deadLetters.list([webhook.id], { limit: 10, offset: 0 })
    assert.equal(total, 1)
    assert.deepEqual(
      listed.map(({ event, attempts, url, statusCode, error }) => [event.sequence, attempts, url, statusCode, error]),
      [[2, 2, 'https://x', 500, 'no']],
    )
    assert.equal(hasMore, false)
    assert.deepEqual(await deliveries.counts(), { waiting: 2, dead: 1 })
    const errors = await createWebhookRows(store.database, store.encryption).errors(instance, 10)
    assert.deepEqual(
      errors.map((error) => [error.attempts, error.status_code, error.type]),
      [
        [2, 500, 'local'],
        [1, 500, 'local'],
      ],
    )
    const { lanes: awake, count, remaining } = await deadLetters.replay([webhook.id], {})
    assert.deepEqual([awake, count, remaining], [[{ webhookId: webhook.id, lane, instance }], 1, 0])
    assert.equal((await nextOfLane(deliveries, webhook.id, lane, 10))[0]?.event.sequence, 2)
  })

  it('are listed as dead letters in pages that do not grow with their bodies', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const webhook = await addWebhook(store, { instance, events: ['connection'] })
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const deadLetters = createDeadLetters(store.database.pool)
    for (let count = 0; count < 3; count += 1)
      await journal.write([{ type: 'event', kind: 'connection', body: { large: 'x'.repeat(3_000_000) } }])
    await store.rows(`WITH gone AS (DELETE FROM delivery RETURNING *)
      INSERT INTO dead_letter (webhook_id, position, lane, instance_id, attempts, last_error)
      SELECT webhook_id, position, lane, instance_id, 1, 'no' FROM gone`)
    const sequences: number[] = []
    for (let offset = 0, hasMore = true; hasMore; offset += 1) {
      const page = await deadLetters.list([webhook.id], { limit: 10, offset })
      assert.equal(page.deadLetters.length, 1)
      sequences.push(...page.deadLetters.map(({ event }) => event.sequence))
      hasMore = page.hasMore
    }
    assert.deepEqual(sequences, [3, 2, 1])
    assert.deepEqual(await deadLetters.list([], { limit: 10, offset: 0 }), {
      deadLetters: [],
      hasMore: false,
      total: 0,
    })
    const first = await deadLetters.replay([webhook.id], { limit: 2 })
    assert.deepEqual([first.count, first.remaining, first.lanes.length], [2, 1, 1])
    // Without its event there is nothing to send.
    await store.rows('DELETE FROM event WHERE sequence = 3')
    assert.deepEqual((await deadLetters.list([webhook.id], { limit: 10, offset: 0 })).deadLetters, [])
    const second = await deadLetters.replay([webhook.id], {})
    assert.deepEqual([second.count, second.remaining], [0, 0])
  })

  it('of a webhook with many lanes hide no other from a look that is bounded', async (t) => {
    const store = await openTestStore(t)
    const deliveries = createDeliveries(store.database.pool)
    const webhooks: StoredWebhook[] = []
    for (const chats of [20, 1]) {
      const instance = await store.newInstance()
      webhooks.push(await addWebhook(store, { instance, events: ['messages'] }))
      const journal = store.journal.forInstance(instance, store.findEpoch(instance))
      for (let chat = 0; chat < chats; chat += 1)
        await journal.write([received(aMessage({ chat: { pn: `551190000${1000 + chat}@s.whatsapp.net` as Jid } }))])
    }
    const lanes = await listLanes(deliveries, store.shards, 5)
    assert.equal(lanes.length, 5)
    assert.equal(lanes.filter(({ webhookId }) => webhookId === webhooks[1]?.id).length, 1)
    const first = lanes.filter(({ webhookId }) => webhookId === webhooks[0]?.id)
    const [backlog] = (await deliveries.backlogs(store.shards)).filter(({ webhookId }) => webhookId === webhooks[0]?.id)
    assert.ok(backlog)
    const after = Math.max(...first.map(({ lane }) => lane))
    const others = await deliveries.listLanes([{ ...backlog, after }], 100)
    assert.equal(new Set([...first, ...others].map(({ lane }) => lane)).size, 20, 'the next look continues after them')
  })

  it('of a webhook that is switched off wait without being looked at', async (t) => {
    const store = await openTestStore(t)
    const deliveries = createDeliveries(store.database.pool)
    const instance = await store.newInstance()
    const webhook = await addWebhook(store, { instance, events: ['messages'] })
    await store.journal.forInstance(instance, store.findEpoch(instance)).write([received(aMessage())])
    assert.deepEqual(await deliveries.backlogs(store.shards), [{ webhookId: webhook.id, instance, url: webhook.url }])
    await store.rows('UPDATE webhook SET enabled = false')
    assert.deepEqual(await deliveries.backlogs(store.shards), [])
  })

  it('become dead letters if they wait too long by the clock of the database, and can be replayed', async (t) => {
    const store = await openTestStore(t)
    const deliveries = createDeliveries(store.database.pool)
    const instance = await store.newInstance()
    const webhook = await addWebhook(store, { instance, events: ['messages'] })
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    assert.equal(await deliveries.oldestAgeMs(), 0)
    for (let count = 0; count < 5; count += 1) await journal.write([received(aMessage())])
    await store.rows(`UPDATE delivery SET created = created - interval '2 hours', last_error = 'ECONNREFUSED'
      WHERE position IN (SELECT position FROM delivery ORDER BY position LIMIT 3)`)
    const ageMs = await deliveries.oldestAgeMs()
    assert.ok(ageMs >= 7_200_000 && ageMs < 7_300_000, `${ageMs}`)
    assert.equal(await deliveries.giveUpOlder(3_600_000, 2), 2)
    assert.equal(await deliveries.giveUpOlder(3_600_000, 2), 1)
    assert.equal(await deliveries.giveUpOlder(3_600_000, 2), 0)
    assert.deepEqual(await deliveries.counts(), { waiting: 2, dead: 3 })
    const deadLetters = createDeadLetters(store.database.pool)
    const { deadLetters: listed } = await deadLetters.list([webhook.id], { limit: 10, offset: 0 })
    assert.deepEqual(
      [...new Set(listed.map(({ error, url, statusCode }) => `${error} ${url} ${statusCode}`))],
      [`It was not delivered within 1 hours. ECONNREFUSED ${webhook.url} 0`],
    )
    await deadLetters.replay([webhook.id], {})
    assert.equal(await deliveries.giveUpOlder(3_600_000, 2), 0, 'a replay starts again')
    assert.deepEqual(await deliveries.counts(), { waiting: 5, dead: 0 })
  })

  it('are seen by the node that owns the shard of their instance, and by no other', async (t) => {
    const store = await openTestStore(t)
    const deliveries = createDeliveries(store.database.pool)
    const instance = await store.newInstance()
    await addWebhook(store, { instance, events: ['messages'] })
    await store.journal.forInstance(instance, store.findEpoch(instance)).write([received(aMessage())])
    const others = store.shards.filter((shard) => shard !== findShard(instance))
    assert.equal((await listLanes(deliveries, [findShard(instance)])).length, 1)
    assert.equal((await listLanes(deliveries, others)).length, 0)
  })

  it('continue in one lane when two chats become one', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const webhook = await addWebhook(store, { instance })
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const pn = '5511999990003@s.whatsapp.net' as Jid
    const lid = '223456789012345@lid' as Jid
    await journal.write([received(aMessage({ chat: { lid } })), received(aMessage({ chat: { pn } }))])
    await journal.write([received(aMessage({ chat: { lid, pn } }))])
    const deliveries = createDeliveries(store.database.pool)
    const lanes = await listLanes(deliveries, store.shards)
    assert.equal(lanes.length, 1)
    const waiting = await nextOfLane(deliveries, webhook.id, lanes[0]?.lane ?? 0, 10)
    assert.deepEqual(
      waiting.map(({ event }) => event.sequence),
      [1, 2, 3],
    )
    assert.equal(store.commits.at(-1)?.mergedLanes.length, 1)
  })
})

async function nextOfLane({ nextOfLanes }: Deliveries, webhookId: string, lane: number, limit: number) {
  return (await nextOfLanes([{ webhookId, lane }], limit))[0] ?? []
}

async function listLanes(deliveries: Deliveries, shards: readonly number[], limit = 10) {
  const backlogs = await deliveries.backlogs(shards)
  return await deliveries.listLanes(
    backlogs.map((one) => ({ ...one, after: undefined })),
    limit,
  )
}

describe('a record id', () => {
  it('is replaced by another if it is in use', async (t) => {
    // The second write is made twice: ahead, and then in steps.
    const twice = ['r0000001', 'r0000001', 'r0000002']
    const ids = ['r0000001', ...twice, ...twice, 'r0000003']
    const store = await openTestStore(t, { makeRecordId: () => ids.shift() ?? 'r0000009' })
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    await journal.write([received(aMessage())])
    const two = await journal.write([received(aMessage()), received(aMessage())])
    assert.deepEqual(
      [...two.messages.values()].map(({ inserted, record }) => [inserted, record.id]),
      [
        [true, 'r0000003'],
        [true, 'r0000002'],
      ],
    )
  })

  it('is replaced by another if a new message of the same write has it, so that both messages are stored', async (t) => {
    const ids = ['r0000001', 'r0000001', 'r0000001', 'r0000002']
    const store = await openTestStore(t, { makeRecordId: () => ids.shift() ?? 'r0000009' })
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const two = await journal.write([received(aMessage()), received(aMessage())])
    const reported = [...two.messages.values()].map(({ record }) => record.id)
    const stored = await store.rows<{ id: string }>('SELECT id FROM message ORDER BY position')
    assert.deepEqual(reported.toSorted(), ['r0000001', 'r0000002'])
    assert.deepEqual(stored.map(({ id }) => id).toSorted(), reported.toSorted())
  })
})

describe('an Idempotency-Key', () => {
  it('leads to the first message for 24 hours, and is free again after that', async (t) => {
    const store = await openTestStore(t)
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const send = (messageid: string) =>
      journal.write([
        received(aMessage({ messageid: messageid as MessageId, fromMe: true, idempotencyKey: 'k', requestHash: 'h' })),
      ])
    await send('A')
    const second = (await send('B')).messages.get('B' as MessageId)
    assert.equal(second?.inserted, false)
    assert.equal(second?.record.messageid, 'A')
    await store.rows("UPDATE message SET created = created - interval '25 hours'")
    assert.equal((await send('C')).messages.get('C' as MessageId)?.inserted, true)
  })
})

function keyWithId(id: string): Change {
  return { type: 'keys', entries: [{ kind: 'session', id, value: Buffer.from('x') }] }
}

function addWebhook(store: TestStore, given: Partial<StoredWebhook> & { instance: InstanceId | null }) {
  return createWebhookRows(store.database, store.encryption).insert({
    enabled: true,
    url: 'https://receiver.example/hook',
    events: ['messages'] as EventKind[],
    excludeMessages: [],
    addUrlEvents: false,
    addUrlTypesMessages: false,
    secret: 'whsec_test',
    ...given,
  })
}
