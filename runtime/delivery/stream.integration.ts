import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import { PATIENCE_MS } from '../../test/support/eventually.js'
import { aMessage, openTestStore, received } from '../../test/support/store.js'
import { streamStore } from '../store/delivery-views.js'
import type { Committed } from '../store/journal.js'
import { createStreams, type Streams } from './stream.js'

async function start(t: TestContext) {
  let streams: Streams | undefined
  const store = await openTestStore(t, {
    onCommitted: ({ events }: Committed) => streams?.wake(new Set(events.map(({ instance }) => instance))),
  })
  streams = createStreams({
    store: streamStore(store.database.pool, { url: () => 'http://gateway.example', fileUrl: () => '' }),
    // Only hints wake a stream here, so a hint that is lost is seen.
    pollEveryMs: 3_600_000,
    logger: pino({ level: 'silent' }),
  })
  t.after(() => streams?.close())
  const newInstance = async () => {
    const id = await store.newInstance()
    const journal = store.journal.forInstance(id, store.findEpoch(id))
    return { id, receive: (text: string) => journal.write([received(aMessage({ text }))]) }
  }
  return { store, streams, newInstance }
}

function collect(stream: Readable) {
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const frames = () =>
    [...text.matchAll(/^id: (\d+)\ndata: (.*)$/gm)].map(([, id, data]) => ({ id: Number(id), data: JSON.parse(data!) }))
  return {
    frames,
    resets: () =>
      [...text.matchAll(/^id: (\d+)\nevent: reset\ndata: (.*)$/gm)].map(([, id, data]) => ({
        id: Number(id),
        ...JSON.parse(data!),
      })),
    texts: () => frames().map(({ data }) => data.message.text as string),
    async until(isThere: () => boolean) {
      const untilMs = performance.now() + PATIENCE_MS
      while (!isThere()) {
        if (performance.now() > untilMs) assert.fail(`Not there: ${text.slice(-300)}`)
        await new Promise((done) => setTimeout(done, 5))
      }
    },
  }
}

const wish = { events: [], excludeMessages: [] }
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe('the stream of an instance', () => {
  it('loses, doubles and reorders nothing, while it catches up and follows, and when it is resumed', async (t) => {
    const { streams, newInstance } = await start(t)
    const { id, receive } = await newInstance()
    for (const text of numbers(150)) void receive(text)
    await receive('150')
    const first = streams.open({ ...wish, instance: id, after: '0' })
    const reader = collect(first)
    const more = (async () => {
      for (const text of numbers(300).slice(151)) await receive(text)
    })()
    await reader.until(() => reader.frames().length > 200)
    first.destroy()
    const resumed = collect(streams.open({ ...wish, instance: id, after: String(reader.frames().at(-1)!.id) }))
    await more
    await resumed.until(() => resumed.texts().at(-1) === '299')
    assert.deepEqual([...reader.texts(), ...resumed.texts()], numbers(300))
    assert.deepEqual(
      [...reader.frames(), ...resumed.frames()].map((frame) => frame.id),
      Array.from({ length: 300 }, (_, index) => index + 1),
    )
  })

  it('uses no number twice after the store went back, and tells who has read what is gone', async (t) => {
    const { store, streams, newInstance } = await start(t)
    const { id, receive } = await newInstance()
    for (const text of numbers(5)) await receive(text)
    const all = collect(streams.open({ ...wish, instance: null, after: '0' }))
    const own = collect(streams.open({ ...wish, instance: id, after: '0' }))
    for (const reader of [all, own]) await reader.until(() => reader.frames().length === 5)
    const lastOfAll = all.frames().at(-1)!.id
    const restoreTo = async (sequence: number) => {
      await store.rows(`DELETE FROM event WHERE sequence > ${sequence}`)
      await store.rows(`UPDATE event_sequence SET last = ${sequence}`)
      await store.rows("SELECT setval('event_position_seq', (SELECT max(position) FROM event))")
    }
    await restoreTo(3)
    // Before the era: a reader beyond the end.
    const beyond = collect(streams.open({ ...wish, instance: id, after: '5' }))
    await beyond.until(() => beyond.resets().length === 1)
    assert.equal(beyond.resets()[0].id, 3)
    await store.rows("UPDATE store_history SET era = era + 1, lost_from = '2027-01-01', lost_until = '2027-01-02'")
    streams.compare()
    for (const reader of [all, own]) await reader.until(() => reader.resets().length === 1)
    assert.deepEqual([own.resets()[0].id, all.resets()[0].id, own.resets()[0].era], [5, lastOfAll, 2])
    const known = collect(streams.open({ ...wish, instance: id, after: '3' }))
    const gone = collect(streams.open({ ...wish, instance: id, after: '4' }))
    const goneOfAll = collect(streams.open({ ...wish, instance: null, after: String(lastOfAll) }))
    await receive('new')
    for (const reader of [all, own, known, gone, goneOfAll, beyond])
      await reader.until(() => reader.texts().at(-1) === 'new')
    assert.equal(own.frames().at(-1)!.id, 1_000_000_001)
    assert.equal(own.frames().at(-1)!.data.sequence, 1_000_000_001)
    assert.equal(all.frames().at(-1)!.id, 100_000_000_001)
    assert.deepEqual(
      [known, gone, goneOfAll, own, all].map((reader) => reader.resets().length),
      [0, 1, 1, 1, 1],
    )

    // A store that is older than the former era, and again one.
    await restoreTo(2)
    await store.rows('UPDATE store_history SET era = 1')
    await store.rows('UPDATE store_history SET era = 3')
    await receive('newest')
    await own.until(() => own.texts().at(-1) === 'newest')
    assert.equal(own.frames().at(-1)!.id, 2_000_000_001)
  })

  it('tells nothing of other instances, and the stream of all tells everything', async (t) => {
    const { streams, newInstance } = await start(t)
    const [one, two] = [await newInstance(), await newInstance()]
    const own = collect(streams.open({ ...wish, instance: one.id, after: '0' }))
    const all = collect(streams.open({ ...wish, instance: null, after: '0' }))
    for (const text of numbers(20)) {
      await one.receive(`one ${text}`)
      await two.receive(`two ${text}`)
    }
    await all.until(() => all.frames().length === 40)
    await own.until(() => own.frames().length === 20)
    assert.ok(own.texts().every((text) => text.startsWith('one')))
    assert.deepEqual(
      all.texts(),
      numbers(20).flatMap((text) => [`one ${text}`, `two ${text}`]),
    )
    const { data } = own.frames()[0]!
    assert.equal(data.EventType, 'messages')
    assert.equal(data.type, 'messages')
    assert.equal(data.BaseUrl, 'http://gateway.example')
    assert.deepEqual(data.data, data.message)
  })

  it('of all skips no event, in whatever order writers commit and whatever their clocks say', async (t) => {
    const { store, streams, newInstance } = await start(t)
    const { id, receive } = await newInstance()
    await receive('first')
    const [first] = await store.rows<{ position: number }>('SELECT position FROM event')
    let sequence = 1_000
    /** A transaction that has written an event, with the time of its node's clock. */
    const writer = async (text: string, created: string) => {
      sequence += 1
      const client = await store.database.pool.connect()
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO event (instance_id, sequence, event_id, kind, body, created) VALUES ($1, $2, gen_random_uuid(), 'messages', $3, $4)`,
        [id, sequence, JSON.stringify({ message: { text } }), created],
      )
      return async (end: 'COMMIT' | 'ROLLBACK') => {
        await client.query(end)
        client.release()
      }
    }
    const [past, future] = ['2001-01-01', '2099-01-01']
    const all = collect(streams.open({ ...wish, instance: null, after: String(first?.position) }))
    // Transactions that write nothing here hold nobody up, be they ever so long.
    const other = await store.database.pool.connect()
    await other.query("BEGIN; INSERT INTO meta VALUES ('a', 'b')")

    for (const [early, late] of [
      [future, past],
      [past, future],
    ] as const) {
      const before = all.texts().length
      const a = await writer('a', early)
      const b = await writer('b', late)
      await b('COMMIT')
      streams.wake('all')
      const newcomer = collect(streams.open({ ...wish, instance: null }))
      const c = await writer('c', past)
      await a('COMMIT')
      await c('COMMIT')
      streams.wake('all')
      await all.until(() => all.texts().length === before + 3)
      assert.deepEqual(all.texts().slice(before), ['a', 'b', 'c'])
      const positions = all.frames().map((frame) => frame.id)
      assert.deepEqual(
        positions,
        positions.toSorted((one, two) => one - two),
      )
      assert.ok(newcomer.texts().every((text) => text === 'c'))
    }

    const before = all.texts().length
    const gone = await writer('gone', past)
    const kept = await writer('kept', future)
    await kept('COMMIT')
    await gone('ROLLBACK')
    streams.wake('all')
    await all.until(() => all.texts().length === before + 1)
    await other.query('ROLLBACK')
    other.release()
    assert.equal(all.texts().at(-1), 'kept')
  })
})
