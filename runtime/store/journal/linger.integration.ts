import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Change } from '../../../actors/instance/ports.js'
import { aMessage, openTestStore, received } from '../../../test/support/store.js'

/** Longer than any test. */
const FOR_EVER = 600_000

describe('a write that may wait', () => {
  it('shares the transaction of the next write, is written when somebody waits for it, and is not left behind at the end', async (t) => {
    const batches: number[] = []
    const store = await openTestStore(t, {
      lingerMs: { soon: FOR_EVER, later: FOR_EVER },
      onBatch: ({ writes }) => void batches.push(writes),
    })
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const message = aMessage({ fromMe: true, wasSentByApi: true, status: 'pending' })
    await journal.write([received(message)])
    const answered = (status: 'sent' | 'delivered' | 'read'): Change[] => [
      { type: 'message.update', messageids: [message.messageid], fromMe: true, set: { status } },
    ]
    const stored = async () => (await store.rows<{ status: string }>('SELECT "status" FROM message'))[0]?.status

    const sent = journal.write(answered('sent'), 'soon')
    assert.equal(await stored(), 'pending')
    await Promise.all([sent, journal.write([received(aMessage())])])
    await store.rows('DELETE FROM message WHERE NOT "wasSentByApi"')
    assert.equal(await stored(), 'sent')

    void journal.write(answered('delivered'), 'soon')
    const patient = journal.settled('soon')
    await store.rows('SELECT pg_sleep(0.05)')
    assert.equal(await stored(), 'sent')
    await journal.settled()
    await patient
    assert.equal(await stored(), 'delivered')

    void journal.write(answered('read'), 'soon')
    await store.journal.close()
    assert.equal(await stored(), 'read')
    assert.deepEqual(batches, [1, 2, 1, 1])
  })

  it('is written by itself after a while', async (t) => {
    const store = await openTestStore(t, { lingerMs: { soon: 1, later: FOR_EVER } })
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const { messages } = await journal.write([received(aMessage())], 'soon')
    assert.equal(messages.size, 1)
  })

  it('stores a delivery that was taken with the next write, or with others, and a failed one at once', async (t) => {
    const batches: number[] = []
    const onBatch = ({ writes }: { writes: number }) => void batches.push(writes)
    const store = await openTestStore(t, { deliveredLingerMs: FOR_EVER, onBatch })
    const instance = await store.newInstance()
    const epoch = store.findEpoch(instance)
    const lane = { webhookId: randomUUID(), lane: 1 }
    const taken = (position: number) =>
      store.journal.writeDeliveries(instance, epoch, [{ type: 'delivered', ...lane, positions: [position] }])
    const first = taken(1)
    await store.journal.forInstance(instance, epoch).write([received(aMessage())])
    await first

    // So many writes fill a transaction by themselves.
    await Promise.all(Array.from({ length: 9 }, (_, index) => taken(index)))

    // A shorter wait counts, whichever began first.
    const soon = [taken(10), store.journal.forInstance(instance, epoch).write([received(aMessage())], 'soon')]
    await Promise.all(soon)

    const failure = { url: 'https://x', event: 'messages', messageType: '', statusCode: 500, error: 'no', payload: '' }
    const retry = { type: 'retry', ...lane, position: 11, attempts: 1, waitMs: 1 } as const
    await store.journal.writeDeliveries(instance, epoch, [
      { ...retry, failure: { ...failure, durationMs: 1, headers: {}, answer: '' } },
    ])
    await store.journal.close()
    assert.deepEqual(batches, [2, 9, 2, 1])
  })

  it('waits longer for company when nobody reads it, up to a number of writes, and no shorter wait is lengthened', async (t) => {
    const batches: number[] = []
    const lingerMs = { soon: 1, later: FOR_EVER }
    const store = await openTestStore(t, { lingerMs, onBatch: ({ writes }) => void batches.push(writes) })
    const instance = await store.newInstance()
    const journal = store.journal.forInstance(instance, store.findEpoch(instance))
    const many = (count: number) => Array.from({ length: count }, () => journal.write([received(aMessage())], 'later'))
    const few = many(20)
    await store.rows('SELECT pg_sleep(0.05)')
    assert.deepEqual(batches, [])
    await Promise.all([...few, journal.write([received(aMessage())], 'soon')])
    // Written without anything else: so many fill a transaction.
    await Promise.all(many(65))
    await store.journal.close()
    assert.deepEqual(batches, [21, 65])
  })
})
