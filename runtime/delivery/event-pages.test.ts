import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import type { EventPageOptions } from '../../schemas/ports/webhooks.js'
import { isExcluded } from '../store/event-filter.js'
import { createEventPages } from './event-pages.js'
import type { StreamEvent, StreamStore } from './stream-ports.js'

const instance = 'i000000000000001' as InstanceId
const SENT_BY_API = 1

describe('a page of stored events', () => {
  /** A log with these events; `lastEver`: the newest sequence that was given out. */
  function makeLog(events: readonly (number | Partial<StreamEvent>)[], lastEver?: number) {
    const rows = events.map((given): StreamEvent => {
      const fields = typeof given === 'number' ? { cursor: given } : given
      const { cursor = 0, kind = 'messages' } = fields
      return { cursor, kind, flags: 0, body: () => ({ EventType: kind, sequence: cursor }), ...fields }
    })
    const losses = new Map<number, number>()
    let reads = 0
    const store: StreamStore = {
      async read(_, after, limit) {
        reads += 1
        return rows.filter(({ cursor }) => cursor > after).slice(0, limit)
      },
      last: async () => lastEver ?? rows.at(-1)?.cursor ?? 0,
      writers: async () => [],
      lossAt: async (_, cursor) => {
        const continued = losses.get(cursor)
        return continued === undefined ? null : { era: 2, cursor: continued, lostFrom: new Date(0), lostUntil: null }
      },
      isExcluded,
    }
    const page = createEventPages(store)
    const read = async (options: Partial<EventPageOptions> = {}) => {
      const answer = await page({ instance, limit: 100, events: [], excludeMessages: [], ...options })
      return { ...answer, events: answer.events.map((text) => (JSON.parse(text) as { sequence: number }).sequence) }
    }
    return { read, losses, reads: () => reads }
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const none = { isExpired: false, loss: null }

  it('goes from the cursor of one page to that of the next, until nothing is left', async () => {
    const { read } = makeLog(upTo(130))
    const first = await read({ since: 0, limit: 60 })
    assert.deepEqual(first, { events: upTo(60), cursor: 60, hasMore: true, ...none })
    const second = await read({ since: 60 })
    assert.deepEqual(second, { events: upTo(130).slice(60), cursor: 130, hasMore: false, ...none })
    assert.deepEqual(await read({ since: 130 }), { events: [], cursor: 130, hasMore: false, ...none })
    assert.deepEqual(await read({ since: 'latest' }), { events: [], cursor: 130, hasMore: false, ...none })
    assert.equal((await read()).events[0], 1)
  })

  it('leaves out what is not wanted, and moves the cursor over it', async () => {
    const { read } = makeLog([
      1,
      { cursor: 2, kind: 'presence', flags: null },
      { cursor: 3, flags: SENT_BY_API },
      { cursor: 4, kind: 'presence', flags: null },
    ])
    assert.deepEqual((await read({ events: ['presence'] })).events, [2, 4])
    const page = await read({ excludeMessages: ['wasSentByApi'], events: ['messages'] })
    assert.deepEqual([page.events, page.cursor, page.hasMore], [[1], 4, false])
  })

  it('says that events are missing which were deleted by age', async () => {
    const { read } = makeLog([8, 9])
    assert.deepEqual(await read({ since: 3 }), {
      events: [8, 9],
      cursor: 9,
      hasMore: false,
      isExpired: true,
      loss: null,
    })
    assert.equal((await read({ since: 7 })).isExpired, false)
    assert.equal((await read()).isExpired, false, 'who has read nothing misses nothing')
    const empty = await makeLog([], 9).read({ since: 3 })
    assert.deepEqual([empty.isExpired, empty.cursor], [true, 9])
    assert.equal((await makeLog([], 9).read({ since: 9 })).isExpired, false)
  })

  it('continues where the store says after it went back, and a new era is no gap', async () => {
    const { read, losses } = makeLog([5, 1_000_000_001])
    losses.set(9, 5)
    const page = await read({ since: 9 })
    assert.deepEqual([page.events, page.loss?.lostFrom, page.isExpired], [[1_000_000_001], new Date(0), false])
    assert.equal((await read({ since: 5 })).isExpired, false)
  })

  it('is bounded in size and in what one call looks at, however few events are wanted', async () => {
    const text = 'x'.repeat(500_000)
    const large = upTo(20).map((cursor) => ({ cursor, body: () => ({ sequence: cursor, text }) }))
    const page = await makeLog(large).read()
    assert.deepEqual([page.events.length, page.cursor, page.hasMore], [5, 5, true])
    const { read, reads } = makeLog(upTo(10_000))
    const few = await read({ events: ['presence'] })
    assert.deepEqual([few.events, few.cursor, few.hasMore, reads()], [[], 2_000, true, 40])
  })
})
