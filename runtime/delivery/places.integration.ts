/** How webhooks use the places at their receivers, on a store of their own. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { aMessage, received } from '../../test/support/store.js'
import {
  eventually,
  fromChat,
  numbers,
  ok,
  startDeliveries,
  startReceiver,
  textsByChat,
} from '../../test/support/webhook-deliveries.js'

describe('the places at a receiver', () => {
  it('grow while it answers late but well, and keep the order of chats', async (t) => {
    const { add, receive, delivery } = await startDeliveries(t)
    const receiver = await startReceiver(t, (_, response) => void setTimeout(() => response.end(), 500))
    await add({ url: receiver.url })
    for (let chat = 0; chat < 60; chat += 1) await receive(chat, ...numbers(3))
    await eventually(() => receiver.taken.length === 180, 'all have arrived')
    assert.ok(receiver.mostAtOnce() > 16, `${receiver.mostAtOnce()} at once`)
    assert.ok(receiver.mostAtOnce() <= 32, `${receiver.mostAtOnce()} at once`)
    for (const texts of Object.values(textsByChat(receiver.taken))) assert.deepEqual(texts, numbers(3))
    assert.equal(delivery.counts().failed, 0)
  })

  it('are shared with others of the same host that are quicker', async (t) => {
    const { add, receive, store } = await startDeliveries(t, { concurrency: 8, receiverConcurrency: 2 })
    const slow = await startReceiver(t, (got, response) => {
      if (got.path.startsWith('/quick')) response.end()
      else setTimeout(() => response.end(), 200)
    })
    await add({ url: slow.url })
    const other = await store.newInstance()
    await add({ url: new URL('/quick', slow.url).href }, other)
    for (let chat = 0; chat < 6; chat += 1) await receive(chat, ...numbers(20))
    await eventually(() => slow.taken.length > 0, 'the slow ones have begun')
    const before = slow.taken.length
    const journal = store.journal.forInstance(other, store.findEpoch(other))
    for (let chat = 0; chat < 5; chat += 1)
      await journal.write([received(aMessage({ ...fromChat(chat), text: 'prompt' }))])
    const quick = () => slow.taken.filter(({ path }) => path.startsWith('/quick')).length
    await eventually(() => quick() === 5, 'the others have arrived')
    const passed = slow.taken.length - 5 - before
    assert.ok(passed < 20, `${passed} slow deliveries came first`)
    slow.answer = ok
    await eventually(() => slow.taken.length === 125, 'all have arrived')
    for (const texts of Object.values(textsByChat(slow.taken.filter(({ path }) => path.startsWith('/hook')))))
      assert.deepEqual(texts, numbers(20))
  })

  it('of one that is silent, or answers for ever, hold up nobody else', async (t) => {
    const { add, receive } = await startDeliveries(t, { concurrency: 8, receiverConcurrency: 2, timeoutMs: 5_000 })
    const silent = await startReceiver(t, () => {})
    const endless = await startReceiver(t, (_, response) => {
      const chunk = Buffer.alloc(100_000)
      const talk = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', talk)
      talk()
    })
    const good = await startReceiver(t)
    for (const { url } of [silent, endless, good]) await add({ url })
    for (let chat = 0; chat < 40; chat += 1) await receive(chat, 'a', 'b')
    await eventually(() => good.taken.length === 80, 'the good one has all')
    // Two at a time, each for 5 s.
    assert.ok(silent.requests.length < 40, `${silent.requests.length} requests`)
    assert.ok(silent.mostAtOnce() <= 2)
    // A 200 that never ends is still a 200.
    await eventually(() => endless.requests.length === 80, 'the endless one has them too')
  })

  it('are free for other chats while outcomes are written, but not for more than there are slots', async (t) => {
    const { add, receive, waiting, store } = await startDeliveries(t, { concurrency: 1 })
    const held: ServerResponse[] = []
    const receiver = await startReceiver(t, (_, response) => void held.push(response))
    await add({ url: receiver.url })
    for (const chat of [1, 2, 3]) await receive(chat, 'a', 'b')
    await eventually(() => held.length === 1, 'the first is under way')
    const locker = await store.database.pool.connect()
    try {
      await locker.query('BEGIN')
      await locker.query('SELECT FROM delivery FOR UPDATE')
      for (const index of [0, 1, 2, 3]) {
        await eventually(() => held.length > index, `delivery ${index} arrives`)
        held[index]?.end()
      }
      await eventually(() => receiver.taken.length === 4, 'two chats have sent all they have')
      assert.equal(await waiting(), 6)
      assert.equal(receiver.requests.length, 4)
      receiver.answer = ok
    } finally {
      await locker.query('ROLLBACK')
      locker.release()
    }
    await eventually(async () => (await waiting()) === 0, 'nothing waits')
    assert.equal(receiver.requests.length, 6)
    for (const texts of Object.values(textsByChat(receiver.requests))) assert.deepEqual(texts, ['a', 'b'])
  })
})
