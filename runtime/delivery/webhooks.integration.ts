import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import type { WorkKey } from '../../schemas/work.js'
import { aMessage, received } from '../../test/support/store.js'
import {
  deliveryLog,
  eventually,
  fromChat,
  numbers,
  ok,
  startDeliveries,
  startReceiver,
  textsByChat,
} from '../../test/support/webhook-deliveries.js'
import { type BlockedWork, createBlockedWork } from '../store/blocked-work.js'

describe('webhooks', () => {
  it('arrive once, in the order of their chat, and leave nothing behind', async (t) => {
    const { add, receive, waiting } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    await add({ url: receiver.url })
    await Promise.all(
      Array.from({ length: 12 }, async (_, chat) => {
        for (const text of numbers(25)) await receive(chat, text)
      }),
    )
    await eventually(() => receiver.taken.length >= 300, 'all have arrived')
    for (const texts of Object.values(textsByChat(receiver.requests))) assert.deepEqual(texts, numbers(25))
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    assert.equal(receiver.requests.length, 300)
    assert.ok(receiver.mostAtOnce() <= 16)
  })

  it('are signed, and carry the event and the configured suffixes', async (t) => {
    const { add, receive } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    const { secret } = await add({ url: `${receiver.url}?key=1`, addUrlEvents: true, addUrlTypesMessages: true })
    await receive(1, 'Olá 😀')
    await eventually(() => receiver.taken.length === 1, 'it has arrived')
    const { path, headers, body, event } = receiver.taken[0]!
    assert.equal(path, '/hook/messages/text?key=1')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['user-agent'], 'posthorn-test')
    assert.equal(headers['webhook-id'], event.eventId)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${event.eventId}.${headers['webhook-timestamp']}.${body}`
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 60)
    assert.equal(event.sequence, 1)
    assert.equal(event.message.text, 'Olá 😀')
  })

  it('go to every webhook that wants them, the global ones too, with the same event id', async (t) => {
    const { add, receive } = await startDeliveries(t)
    const [own, global, other] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)]
    await add({ url: own.url })
    await add({ url: global.url }, null)
    await add({ url: other.url, events: ['connection'] })
    await add({ url: other.url, excludeMessages: ['fromMeNo'] })
    await receive(1, 'a')
    await eventually(() => own.taken.length === 1 && global.taken.length === 1, 'both have it')
    assert.equal(own.taken[0]!.event.eventId, global.taken[0]!.event.eventId)
    assert.equal(other.requests.length, 0)
  })

  it('are retried before the next one of their chat, while other chats and receivers continue', async (t) => {
    const { add, receive } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    const broken = await startReceiver(t, (_, response) => void response.writeHead(500).end())
    let failures = 3
    receiver.answer = ({ event }, response) => {
      if (event.message.text === 'hard' && failures-- > 0) response.writeHead(503).end()
      else response.end()
    }
    await add({ url: receiver.url })
    await add({ url: broken.url })
    await receive(1, 'before', 'hard', 'after')
    await receive(2, ...numbers(10))
    await eventually(() => receiver.taken.length === 13, 'all have arrived')
    const texts = receiver.taken.map(({ event }) => event.message.text)
    assert.deepEqual(texts.slice(-2), ['hard', 'after'])
    assert.equal(receiver.requests.filter(({ event }) => event.message.text === 'hard').length, 4)
  })

  it('arrive once when a sweep found them before the notice of their commit came', async (t) => {
    const { add, receive, keepCommits, tell, delivery, waiting } = await startDeliveries(t)
    let answer = () => {}
    const receiver = await startReceiver(t, (_, response) => {
      answer = () => void response.end()
    })
    await add({ url: receiver.url })
    keepCommits()
    await receive(1, 'a')
    await delivery.sweepNow()
    await eventually(() => receiver.requests.length === 1, 'the sweep has found it')
    tell()
    answer()
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    await delivery.sweepNow()
    assert.equal(receiver.requests.length, 1)
  })

  it('arrive in order when the notices of two commits come late', async (t) => {
    const { add, receive, keepCommits, tell, waiting } = await startDeliveries(t)
    const receiver = await startReceiver(t)
    await add({ url: receiver.url })
    keepCommits()
    await receive(1, 'a', 'b')
    await receive(1, 'c')
    tell()
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    assert.deepEqual(textsByChat(receiver.requests), { '5511900000001@s.whatsapp.net': ['a', 'b', 'c'] })
  })

  it('become dead letters when their nodes ended themselves twice over them, and the next ones are sent', async (t) => {
    const receiver = await startReceiver(t)
    // A sweep may find the deliveries before the ends are noted: it waits for them.
    let haveNoted: (blocked: BlockedWork) => void = () => {}
    const noting = new Promise<BlockedWork>((resolve) => {
      haveNoted = resolve
    })
    const options = {
      isGivenUp: async (work: WorkKey) => await (await noting).isGivenUp(work),
      forget: (work: WorkKey) => void noting.then((blocked) => blocked.forget(work)),
    }
    const scene = await startDeliveries(t, { blocked: options })
    const { store, instance } = scene
    await scene.add({ url: receiver.url })
    scene.keepCommits()
    await scene.receive(1, 'blocks', 'blocked once', 'fine')
    const rows = await store.rows<{ webhook: string; position: number }>(
      'SELECT webhook_id AS webhook, position FROM delivery ORDER BY position',
    )
    for (const [index, { webhook, position }] of rows.slice(0, 2).entries())
      await store.database.pool.query(
        "INSERT INTO blocked_work (kind, instance_id, id, ends) VALUES ('delivery', $1, $2, $3)",
        [instance, `${webhook} ${position}`, 2 - index],
      )
    haveNoted(createBlockedWork(store.database.pool, deliveryLog))
    scene.tell()
    await eventually(() => receiver.taken.length === 2, 'the others have arrived')
    assert.deepEqual(
      receiver.requests.map(({ event }) => event.message.text),
      ['blocked once', 'fine'],
    )
    const letters = async () => (await scene.webhooks.deadLetters(instance, { limit: 10, offset: 0 })).deadLetters
    await eventually(async () => (await letters()).length === 1, 'the dead letter is stored')
    assert.match((await letters())[0]?.error ?? '', /blocked the gateway until it ended itself, twice/)
    const noted = () => store.rows<{ ends: number }>('SELECT ends FROM blocked_work')
    await eventually(async () => (await noted()).length === 1, 'the end is forgotten')
    assert.deepEqual(await noted(), [{ ends: 1 }])
  })

  it('are given up after enough attempts, kept as dead letters, and listed as errors', async (t) => {
    const { add, receive, store, webhooks, instance } = await startDeliveries(t, {
      retries: { delayMinMs: 20, delayMaxMs: 50, refusedAttemptsMax: 3 },
    })
    const receiver = await startReceiver(t, ({ event }, response) => {
      response.writeHead(event.message.text === 'bad' ? 422 : 200).end()
    })
    await add({ url: receiver.url })
    await receive(1, 'bad', 'good')
    await eventually(() => receiver.taken.length === 1, 'the lane continues')
    assert.deepEqual(
      receiver.requests.map(({ event }) => event.message.text),
      ['bad', 'bad', 'bad', 'good'],
    )
    await eventually(async () => (await store.rows('SELECT 1 FROM dead_letter')).length === 1, 'it is a dead letter')
    const errors = await webhooks.errors(instance, 10)
    assert.equal(errors.length, 3)
    assert.equal(errors[0]!.status_code, 422)
    assert.equal(errors[0]!.attempts, 3)
    assert.equal(errors[0]!.type, 'local')
  })

  it('wait as long as the receiver asks', async (t) => {
    const { add, receive } = await startDeliveries(t)
    const times: number[] = []
    const receiver = await startReceiver(t, (_, response) => {
      times.push(Date.now())
      response.writeHead(times.length === 1 ? 429 : 200, { 'retry-after': '1' }).end()
    })
    await add({ url: receiver.url })
    await receive(1, 'a')
    await eventually(() => times.length === 1, 'it is tried')
    // Something new in the chat is not a reason to try earlier.
    await receive(1, 'b')
    await eventually(() => times.length === 3, 'it is tried again')
    assert.ok(times[1]! - times[0]! >= 1000)
  })

  it('are tried again after their delay, whatever the clocks of the nodes say', async (t) => {
    const { add, receive, run, stop, store, waiting } = await startDeliveries(t)
    const receiver = await startReceiver(t, (_, response) => void response.destroy())
    await add({ url: receiver.url })
    const { now } = Date
    const hasFailed = async () =>
      (await store.rows<{ attempts: number }>('SELECT max(attempts) AS attempts FROM delivery'))[0]!.attempts > 0
    let node = { stop }
    // Of the node that tries first, and of the one that tries again.
    for (const [chat, [first, second]] of [
      [86_400_000, 0],
      [0, -86_400_000],
    ].entries()) {
      const clock = t.mock.method(Date, 'now', () => now() + first!)
      await receive(chat, 'a')
      await eventually(hasFailed, 'it has failed')
      await node.stop()
      clock.mock.mockImplementation(() => now() + second!)
      receiver.answer = ok
      node = await run()
      await eventually(() => receiver.taken.length === chat + 1, 'it has arrived')
      await eventually(async () => (await waiting()) === 0, 'nothing waits')
      receiver.answer = (_, response) => void response.destroy()
      clock.mock.restore()
    }
    // A node of release 0.1.0 whose clock was wrong.
    await receive(3, 'b')
    await eventually(hasFailed, 'it has failed')
    await node.stop()
    await store.rows("UPDATE delivery SET next_attempt_at = now() + interval '20 days'")
    receiver.answer = ok
    await run()
    await eventually(() => receiver.taken.length === 3, 'it has arrived')
  })

  it('end when the receiver is gone for good, and continue when the webhook is enabled again', async (t) => {
    const { add, receive, delivery, webhooks, instance } = await startDeliveries(t)
    const receiver = await startReceiver(t, (_, response) => void response.writeHead(410).end())
    const { id } = await add({ url: receiver.url })
    await receive(1, 'a')
    await eventually(async () => (await webhooks.list(instance))[0]!.enabled === false, 'it is disabled')
    await delivery.sweepNow()
    assert.equal(receiver.requests.length, 1)
    receiver.answer = ok
    await webhooks.update(instance, id, { enabled: true })
    await eventually(() => receiver.taken.length === 1, 'it arrives after all')
  })

  it('cost few attempts while a receiver is away; all arrive, in order and soon, when it comes back', async (t) => {
    const { add, receive, store, delivery } = await startDeliveries(t, {
      retries: { delayMinMs: 600_000, delayMaxMs: 600_000 },
      probeMaxMs: 1000,
    })
    const receiver = await startReceiver(t, (_, response) => void response.destroy())
    await add({ url: receiver.url })
    for (let chat = 0; chat < 100; chat += 1) await receive(chat, ...numbers(5))
    await eventually(() => delivery.counts().breakersOpen === 1, 'the breaker is open')
    const probed = delivery.counts().breakerOpenings + 2
    await eventually(() => delivery.counts().breakerOpenings >= probed, 'two probes have failed')
    // 16 lanes may have been under way when it opened; from then on there is one attempt at a time.
    assert.ok(receiver.requests.length <= 16 + probed, `${receiver.requests.length} attempts`)
    const [{ most } = { most: 0 }] = await store.rows<{ most: number }>('SELECT max(attempts) AS most FROM delivery')
    assert.ok(most <= 2, `${most} attempts of one delivery`)
    receiver.answer = ok
    // The next probe comes within a second and wakes the others.
    await eventually(() => receiver.taken.length >= 500, 'all have arrived')
    for (const texts of Object.values(textsByChat(receiver.taken))) assert.deepEqual(texts, numbers(5))
    assert.equal(delivery.counts().breakersOpen + delivery.counts().breakersHalfOpen, 0)
  })

  it('are tried at once, at the new address too, when their webhook is changed', async (t) => {
    const { add, receive, webhooks, instance, delivery } = await startDeliveries(t, {
      retries: { delayMinMs: 600_000, delayMaxMs: 600_000 },
    })
    const [wrong, right] = [await startReceiver(t, (_, response) => void response.destroy()), await startReceiver(t)]
    const { id } = await add({ url: wrong.url })
    for (let chat = 0; chat < 40; chat += 1) await receive(chat, 'a')
    await eventually(() => delivery.counts().breakersOpen === 1, 'the breaker is open')
    await webhooks.update(instance, id, { url: right.url })
    await eventually(() => right.taken.length === 40, 'all have arrived')
    await webhooks.update(instance, id, { url: wrong.url })
    for (let chat = 0; chat < 40; chat += 1) await receive(chat, 'b')
    await eventually(() => delivery.counts().breakersOpen === 1, 'the breaker is open')
    wrong.answer = ok
    await webhooks.update(instance, id, { enabled: true })
    await eventually(() => wrong.taken.length === 40, 'all have arrived')
  })

  it('are tried at once when they are replayed, although their receiver was away a moment ago', async (t) => {
    const { add, receive, webhooks, instance, delivery, waiting } = await startDeliveries(t, {
      retries: { delayMinMs: 600_000, delayMaxMs: 600_000, attemptsMax: 1 },
    })
    const receiver = await startReceiver(t, (_, response) => void response.writeHead(500).end())
    await add({ url: receiver.url })
    for (let chat = 0; chat < 10; chat += 1) await receive(chat, 'a')
    await eventually(() => delivery.counts().breakersOpen === 1, 'the breaker is open')
    const dead = delivery.counts().dead
    const left = await waiting()
    receiver.answer = ok
    await eventually(async () => (await webhooks.replay(instance, {})).remaining === 0, 'all are put back')
    await eventually(() => receiver.taken.length === dead + left, 'all have arrived')
  })

  it('to one path hold up no other path of the same host', async (t) => {
    const { add, receive } = await startDeliveries(t, { retries: { delayMinMs: 600_000, delayMaxMs: 600_000 } })
    const receiver = await startReceiver(t, ({ path }, response) => {
      response.writeHead(path === '/hook/broken' ? 500 : 200).end()
    })
    await add({ url: `${receiver.url}/broken` })
    await add({ url: `${receiver.url}/good` })
    for (let chat = 0; chat < 30; chat += 1) await receive(chat, 'a')
    await eventually(() => receiver.taken.length === 30, 'the good one has all')
    assert.ok(receiver.requests.length <= 30 + 20)
  })

  it('survive the end of the process: what was not taken is sent by the next one', async (t) => {
    const { add, receive, run, stop } = await startDeliveries(t)
    const receiver = await startReceiver(t, (_, response) => void response.destroy())
    await add({ url: receiver.url })
    await receive(1, ...numbers(5))
    await eventually(() => receiver.requests.length > 0, 'it has been tried')
    await stop()
    receiver.answer = ok
    await receive(1, '5')
    await run()
    await eventually(() => receiver.taken.length === 6, 'all have arrived')
    assert.deepEqual(
      receiver.taken.map(({ event }) => event.message.text),
      numbers(6),
    )
  })

  it('arrive soon after their receiver came back, however long it was away', async (t) => {
    const retries = { delayMinMs: 100, delayMaxMs: 600_000 }
    const { add, receive, delivery } = await startDeliveries(t, { retries, probeMaxMs: 300 })
    const receiver = await startReceiver(t, (_, response) => void response.destroy())
    await add({ url: receiver.url })
    for (let chat = 0; chat < 40; chat += 1) await receive(chat, ...numbers(3))
    await eventually(() => delivery.counts().breakerOpenings >= 12, 'many probes have failed')
    receiver.answer = ok
    await eventually(() => receiver.taken.length >= 120, 'all have arrived')
    for (const texts of Object.values(textsByChat(receiver.taken))) assert.deepEqual(texts, numbers(3))
  })

  it('are not given up by probes: an attempt counts when the delivery itself is due', async (t) => {
    const { add, receive, delivery, store } = await startDeliveries(t, {
      retries: { delayMinMs: 600_000, delayMaxMs: 600_000, attemptsMax: 2 },
      probeMaxMs: 40,
    })
    const receiver = await startReceiver(t, (_, response) => void response.writeHead(500).end())
    await add({ url: receiver.url })
    for (let chat = 0; chat < 5; chat += 1) await receive(chat, 'a')
    await eventually(() => delivery.counts().breakerOpenings >= 15, 'probes have failed')
    assert.equal(delivery.counts().dead, 0)
    receiver.answer = ok
    await eventually(() => receiver.taken.length === 5, 'all have arrived')
    assert.deepEqual(await store.rows('SELECT 1 FROM dead_letter'), [])
  })

  it('of more lanes than are found at once arrive without a wait for the next sweep', async (t) => {
    const { add, receive, run, stop } = await startDeliveries(t, { lanesAtOnce: 8, probeMaxMs: 300 })
    const receiver = await startReceiver(t, (_, response) => void response.destroy())
    await add({ url: receiver.url })
    for (let chat = 0; chat < 100; chat += 1) await receive(chat, 'a')
    await eventually(() => receiver.requests.length >= 5, 'it has been tried')
    await stop()
    const node = await run()
    await eventually(() => node.delivery.counts().breakerOpenings >= 2, 'the new process has found it away')
    receiver.answer = ok
    await eventually(() => receiver.taken.length >= 100, 'all have arrived')
  })

  it('become dead letters at the age limit, can be replayed, and show their age before', async (t) => {
    const { add, receive, delivery, waiting, webhooks, instance } = await startDeliveries(t, { ageMaxMs: 1500 })
    const receiver = await startReceiver(t, (_, response) => void response.destroy())
    await add({ url: receiver.url })
    await receive(1, 'a', 'b')
    await receive(2, 'c')
    await eventually(async () => {
      await delivery.sweepNow()
      return delivery.oldestAgeMs() > 0
    }, 'their age is told')
    assert.equal(await waiting(), 3)
    await eventually(async () => {
      await delivery.sweepNow()
      return (await waiting()) === 0
    }, 'none waits any more')
    const { deadLetters } = await webhooks.deadLetters(instance, { limit: 10, offset: 0 })
    assert.equal(deadLetters.length, 3)
    for (const { error, url } of deadLetters) {
      assert.match(error, /^It was not delivered within 0 hours\./)
      assert.equal(url, receiver.url)
    }
    assert.equal(delivery.counts().dead, 3)
    await delivery.sweepNow()
    receiver.answer = ok
    await webhooks.replay(instance, {})
    await eventually(() => receiver.taken.length === 3, 'all have arrived')
  })

  for (const whose of ['an instance', 'all instances'])
    it(`of ${whose} with many slow receivers take no more than their share of the slots, and lose nothing`, async (t) => {
      const { add, receive, store, instance, delivery, waiting } = await startDeliveries(t, {
        concurrency: 8,
        receiverConcurrency: 2,
        instanceConcurrency: 3,
        timeoutMs: 30_000,
      })
      const held: ServerResponse[] = []
      const slow: Awaited<ReturnType<typeof startReceiver>>[] = []
      for (let count = 0; count < 6; count += 1) {
        const receiver = await startReceiver(t, (_, response) => void held.push(response))
        slow.push(receiver)
        await add({ url: receiver.url }, whose === 'an instance' ? instance : null)
      }
      const other = await store.newInstance()
      const quick = await startReceiver(t)
      await add({ url: quick.url }, other)
      for (let chat = 0; chat < 4; chat += 1) await receive(chat, 'a', 'b')
      const share = whose === 'an instance' ? 3 : 4
      await eventually(() => held.length >= share, 'the slow ones have their share')
      const journal = store.journal.forInstance(other, store.findEpoch(other))
      await journal.write([received(aMessage({ ...fromChat(1), text: 'prompt' }))])
      await eventually(() => quick.taken.length === 1, 'it has arrived')
      assert.equal(held.length, share)
      await eventually(() => delivery.counts().running <= share, 'no slot is taken by what waits')
      for (const receiver of slow) receiver.answer = ok
      for (const response of held) response.end()
      await eventually(async () => (await waiting()) === 0, 'nothing waits')
      for (const { taken } of slow) {
        const texts = Object.values(textsByChat(taken.filter(({ event }) => event.message.text !== 'prompt')))
        assert.deepEqual(texts, [
          ['a', 'b'],
          ['a', 'b'],
          ['a', 'b'],
          ['a', 'b'],
        ])
      }
    })
})

describe('the webhooks of an instance', () => {
  it('are added with a secret that is shown once, listed, changed and deleted', async (t) => {
    const { webhooks, instance } = await startDeliveries(t)
    const url = 'http://127.0.0.1:9/'
    await assert.rejects(webhooks.add(instance, { url }), { code: 'INVALID_REQUEST', message: /events is required/ })
    const { webhook, secret } = await webhooks.add(instance, { url, events: ['messages'] })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(webhook.enabled, false, 'the default of the interface')
    assert.deepEqual(await webhooks.list(instance), [webhook])
    assert.ok(!JSON.stringify(await webhooks.list(instance)).includes('whsec_'))
    assert.deepEqual(await webhooks.list(null), [])
    const changed = await webhooks.update(instance, webhook.id, { url: 'http://127.0.0.1:10/', enabled: false })
    assert.equal(changed.url, 'http://127.0.0.1:10/')
    await assert.rejects(webhooks.update(null, webhook.id, {}), { code: 'WEBHOOK_NOT_FOUND' })
    await assert.rejects(webhooks.delete(instance, 'nonsense'), { code: 'WEBHOOK_NOT_FOUND' })
    await webhooks.delete(instance, webhook.id)
    assert.deepEqual(await webhooks.list(instance), [])
  })

  it('are refused when their URL or secret is none', async (t) => {
    const { webhooks, instance } = await startDeliveries(t)
    for (const url of ['ftp://example.com', 'http://user:pass@', 'nonsense']) {
      await assert.rejects(webhooks.add(instance, { url }), { code: 'URL_NOT_ALLOWED' })
    }
    const add = webhooks.add(instance, { url: 'http://127.0.0.1/', secret: 'short' })
    await assert.rejects(add, { code: 'INVALID_REQUEST' })
  })

  it('can be tested, and tell what the receiver said', async (t) => {
    const { webhooks, instance, add } = await startDeliveries(t)
    const receiver = await startReceiver(t, (_, response) => void response.writeHead(418).end('teapot'))
    const { id } = await add({ url: receiver.url })
    const { statusCode, body } = await webhooks.test(instance, id)
    assert.deepEqual({ statusCode, body }, { statusCode: 418, body: 'teapot' })
    assert.ok(receiver.requests[0]!.headers['webhook-signature'])
    await webhooks.update(instance, id, { url: 'http://127.0.0.1:1/' })
    await assert.rejects(webhooks.test(instance, id), { code: 'FETCH_FAILED' })
  })
})
