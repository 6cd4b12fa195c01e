import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import { PATIENCE_MS } from '../../test/support/eventually.js'
import { isExcluded } from '../store/event-filter.js'
import { createStreams, type StreamsOptions } from './stream.js'
import type { StreamEvent, StreamStore } from './stream-ports.js'

const instance = 'i000000000000001' as InstanceId
const logger = pino({ level: 'silent' })
/** Also while a test turns the timers. */
const { setTimeout: startTimer } = globalThis

/** A log that may hold back rows, as SQL does with what is not committed. */
function eventLog() {
  const rows: StreamEvent[] = []
  let reads = 0
  const writers = new Set<string>()
  /** Cursors whose events the store has lost, and where their readers continue. */
  const losses = new Map<number, number>()
  /** Newest events and writing transactions that the store has returned. */
  const answered: { last: number[]; writers: string[] } = { last: [], writers: [] }
  const store: StreamStore = {
    async read(_, after, limit) {
      reads += 1
      // The rows are those of the moment of the read; the answer comes later.
      const page = rows.filter(({ cursor }) => cursor > after).slice(0, limit)
      await new Promise((done) => setImmediate(done))
      return page
    },
    async last() {
      const last = rows.at(-1)?.cursor ?? 0
      await new Promise((done) => setImmediate(done))
      answered.last.push(last)
      return last
    },
    async writers() {
      await new Promise((done) => setImmediate(done))
      answered.writers.push(...writers)
      return [...writers]
    },
    lossAt: async (_, cursor) => (losses.has(cursor) ? { era: 2, ...NO_TIMES, cursor: losses.get(cursor) ?? 0 } : null),
    isExcluded,
  }
  const append = (cursor: number, fields: Partial<StreamEvent> = {}) => {
    const body = () => ({ EventType: fields.kind ?? 'messages', sequence: cursor, message: { id: cursor } })
    rows.push({ cursor, kind: 'messages', flags: 0, body, ...fields })
    rows.sort((a, b) => a.cursor - b.cursor)
  }
  return { store, append, writers, answered, losses, reads: () => reads }
}

function streams(t: TestContext, store: StreamStore, options: Partial<StreamsOptions> = {}) {
  const made = createStreams({ store, logger, ...options })
  t.after(() => made.close())
  return made
}

const NO_TIMES = { lostFrom: null, lostUntil: null }
const open = { instance, events: [], excludeMessages: [] }

/** Collects frames; `until` resolves when so many have come. */
function collect(stream: Readable) {
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const frames = () =>
    text
      .split('\n\n')
      .filter((frame) => frame.includes('data: '))
      .map((frame) => ({
        id: Number(/^id: (\d+)$/m.exec(frame)?.[1]),
        data: JSON.parse(/^data: (.*)$/m.exec(frame)![1]!) as Record<string, unknown>,
      }))
  return {
    frames,
    ids: () => frames().map(({ id }) => id),
    text: () => text,
    until: (isThere: () => boolean) => until(isThere, () => text.slice(-300)),
  }
}

async function until(isThere: () => boolean, describe = () => ''): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS
  while (!isThere()) {
    if (performance.now() > untilMs) assert.fail(`Not there: ${describe()}`)
    await new Promise((done) => startTimer(done, 2))
  }
}

describe('an event stream', () => {
  it('tells every event once and in order, from the one after the last that was read, while new ones come', async (t) => {
    const { store, append } = eventLog()
    for (let cursor = 1; cursor <= 350; cursor += 1) append(cursor)
    const made = streams(t, store)
    const reader = collect(made.open({ ...open, after: '20' }))
    for (let cursor = 351; cursor <= 700; cursor += 1) {
      append(cursor)
      made.wake([instance])
      if (cursor % 7 === 0) await new Promise((done) => setImmediate(done))
    }
    await reader.until(() => reader.ids().at(-1) === 700)
    assert.deepEqual(
      reader.ids(),
      Array.from({ length: 680 }, (_, index) => index + 21),
    )
  })

  it('tells what is committed while it reads', async (t) => {
    const { store, append } = eventLog()
    let isCommitted = false
    const made = streams(t, {
      ...store,
      async read(...where) {
        const page = await store.read(...where)
        if (!isCommitted) {
          isCommitted = true
          append(1)
          made.wake([instance])
        }
        return page
      },
    })
    const reader = collect(made.open({ ...open, after: '0' }))
    await reader.until(() => reader.ids().length === 1)
  })

  it('begins with what comes after its first words when nothing was read before', async (t) => {
    const { store, append } = eventLog()
    append(1)
    const made = streams(t, store)
    const reader = collect(made.open(open))
    await reader.until(() => reader.text().includes(': connected'))
    append(2)
    made.wake([instance])
    await reader.until(() => reader.ids().length === 1)
    assert.deepEqual(reader.ids(), [2])
    assert.ok(reader.text().startsWith('id: 1\nretry: 3000\n'))
  })

  it('gives the body of webhooks, with type and data beside it', async (t) => {
    const { store, append } = eventLog()
    append(1)
    append(2, {
      kind: 'messages_update',
      flags: null,
      body: () => ({ EventType: 'messages_update', type: 'ReadReceipt', event: {} }),
    })
    const reader = collect(streams(t, store).open({ ...open, after: '0' }))
    await reader.until(() => reader.ids().length === 2)
    assert.deepEqual(reader.frames()[0]!.data, {
      EventType: 'messages',
      sequence: 1,
      message: { id: 1 },
      type: 'messages',
      data: { id: 1 },
    })
    assert.equal(reader.frames()[1]!.data.type, 'ReadReceipt')
  })

  it('leaves out what its filters name, and still moves the reader on', async (t) => {
    const { store, append } = eventLog()
    append(1, { flags: 2 })
    append(2, { flags: 4 })
    append(3, { kind: 'chats', flags: null })
    append(4, { flags: 2 })
    const made = streams(t, store, { heartbeatMs: 30 })
    const reader = collect(made.open({ ...open, events: ['messages'], excludeMessages: ['fromMeYes'], after: '0' }))
    await reader.until(() => reader.text().includes('id: 4\n: heartbeat\n\n'))
    assert.deepEqual(reader.ids(), [2])
  })

  it('reads once for all readers that stand at the same event', async (t) => {
    const { store, append, reads } = eventLog()
    const made = streams(t, store)
    const readers = Array.from({ length: 50 }, () => collect(made.open({ ...open, after: '0' })))
    await readers[0]!.until(() => reads() > 0)
    const before = reads()
    append(1)
    made.wake([instance])
    for (const reader of readers) await reader.until(() => reader.ids().length === 1)
    assert.ok(reads() - before <= 2, `${reads() - before} reads`)
  })

  it('over all instances waits for a position that somebody may still commit, but not for one that never will be', async (t) => {
    const { store, append, writers, answered } = eventLog()
    append(1)
    append(5)
    append(7)
    const made = streams(t, store)
    const first = collect(made.open({ ...open, instance: null, after: '0' }))
    await first.until(() => first.ids().length === 3)
    assert.deepEqual(first.ids(), [1, 5, 7])

    writers.add('a')
    append(9)
    const reader = collect(made.open({ ...open, instance: null, after: '0' }))
    const newcomer = collect(made.open({ ...open, instance: null }))
    await reader.until(() => reader.ids().length === 3)
    // The newcomer has its start, and both wait for the transaction that may still commit.
    await newcomer.until(() => answered.last.includes(9) && answered.writers.includes('a'))
    // One that has begun since can only write what comes later.
    writers.add('b')
    append(11)
    append(8)
    writers.delete('a')
    made.wake('all')
    for (const one of [first, reader]) {
      await one.until(() => one.ids().includes(9))
      assert.deepEqual(one.ids(), [1, 5, 7, 8, 9])
    }
    await newcomer.until(() => newcomer.text().startsWith('id: 9\nretry'))
    writers.delete('b')
    made.wake('all')
    for (const one of [first, reader, newcomer]) await one.until(() => one.ids().at(-1) === 11)
    assert.deepEqual(newcomer.ids(), [11])
  })

  it('holds little memory for a reader that does not read, continues when it does, and cuts it off when it never does', async (t) => {
    const { store, append } = eventLog()
    const large = () => ({ EventType: 'messages', message: 'x'.repeat(10_000), data: '' })
    for (let cursor = 1; cursor <= 1000; cursor += 1) append(cursor, { body: large })
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
    const made = streams(t, store, { heartbeatMs: 500 })
    const slow = made.open({ ...open, after: '0' })
    const dead = made.open({ ...open, after: '0' })
    // A page is added as a whole.
    await until(() => slow.readableLength > 64 * 1024 && dead.readableLength > 64 * 1024)
    assert.ok(slow.readableLength < 2_500_000, `${slow.readableLength} bytes`)
    const reader = collect(slow)
    await reader.until(() => reader.ids().length === 1000)
    let isClosed = false
    dead.once('close', () => {
      isClosed = true
    })
    // Its last words are pushed when it is cut off.
    t.mock.timers.tick(1_000)
    const rest = collect(dead)
    await rest.until(() => isClosed)
    assert.ok(rest.text().endsWith(': cut off: nothing was read for too long; resume with Last-Event-ID\n\n'))
    assert.ok(rest.ids().length < 1000)
    assert.equal(made.size, 1)
  })

  it('tells readers at a position that the store has lost, once, and continues where the store says', async (t) => {
    const { store, append, losses } = eventLog()
    for (const cursor of [1, 2, 3]) append(cursor)
    const made = streams(t, store)
    const resets = (text: string) => text.split('\n\n').filter((frame) => frame.includes('event: reset'))
    const following = collect(made.open({ ...open, after: '0' }))
    await following.until(() => following.ids().length === 3)
    losses.set(3, 3)
    losses.set(740, 3)
    made.compare()
    await following.until(() => resets(following.text()).length === 1)
    const resumed = collect(made.open({ ...open, after: '740' }))
    await resumed.until(() => resets(resumed.text()).length === 1)
    const [frame = ''] = resets(resumed.text())
    assert.match(frame, /^id: 3\nevent: reset\ndata: \{"era":2,"lostFrom":null,"lostUntil":null,"advice":".+"\}$/)
    const started = collect(made.open(open))
    await started.until(() => started.text().includes('connected'))
    append(1_000_000_001)
    made.wake([instance])
    for (const reader of [following, resumed, started])
      await reader.until(() => reader.text().includes('id: 1000000001\ndata'))
    for (const reader of [following, resumed]) assert.equal(resets(reader.text()).length, 1)
    assert.equal(resets(started.text()).length, 0)
  })

  it('refuses a position that is none, and streams over the limit', async (t) => {
    const made = streams(t, eventLog().store, { clientsMax: 1 })
    assert.throws(() => made.open({ ...open, after: 'abc' }), { code: 'INVALID_REQUEST' })
    made.open(open)
    assert.throws(() => made.open(open), { code: 'RATE_LIMITED' })
  })

  it('lets one instance have some of them, so that others find room', async (t) => {
    const made = streams(t, eventLog().store, { clientsMax: 5, instanceMax: 2, adminMax: 1 })
    const of = (instance: string | null) => made.open({ ...open, instance: instance as never })
    const first = of('i00000000000001')
    of('i00000000000001')
    assert.throws(() => of('i00000000000001'), { code: 'RATE_LIMITED', message: /The instance has 2 event streams/ })
    of('i00000000000002')
    of(null)
    assert.throws(() => of(null), { code: 'RATE_LIMITED', message: /Administrators have 1 event streams/ })
    first.destroy()
    await new Promise((done) => first.once('close', done))
    of('i00000000000001')
  })
})
