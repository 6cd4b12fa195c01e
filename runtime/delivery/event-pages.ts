/** Reads the stored events of an instance page by page, for clients that were away and hold no stream. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { InstanceId } from '../../schemas/ids.js'
import type { EventStreams } from '../../schemas/ports/webhooks.js'
import { asFrequentWork } from '../../schemas/work.js'
import type { StreamEvent, StreamStore } from './stream-ports.js'

/** Number of events of one read, which are written in one go. */
const CHUNK = 50
/** Maximum of events that one call looks at, with those that its filters leave out. */
const SCANNED_MAX = 2_000
/** A page ends with the event whose text exceeds this. */
const BYTES_MAX = 2 * 2 ** 20
/** When the store goes back, sequences continue at the next multiple, so that a step to it is no gap. */
const SEQUENCES_OF_ERA = 1_000_000_000

export function createEventPages(store: StreamStore): EventStreams['page'] {
  return async ({ instance, since, limit, events, excludeMessages }) => {
    if (since === 'latest')
      return { events: [], cursor: await store.last(instance), hasMore: false, isExpired: false, loss: null }
    const loss = since === undefined ? null : await store.lossAt(instance, since)
    const wanted: ReadonlySet<string> = new Set(events)
    const wants = ({ kind, flags }: StreamEvent) =>
      (wanted.size === 0 || wanted.has(kind)) && !store.isExcluded(kind, flags, excludeMessages)
    const page = await read(store, { instance, wants, limit, after: loss?.cursor ?? since ?? 0 })
    const isExpired = since !== undefined && loss === null && isGap(since, page.first)
    return { events: page.texts, cursor: page.cursor, hasMore: page.hasMore, isExpired, loss }
  }
}

interface Reading {
  readonly instance: InstanceId
  readonly wants: (event: StreamEvent) => boolean
  readonly limit: number
  readonly after: number
}

async function read(store: StreamStore, { instance, wants, limit, after }: Reading) {
  const last = await store.last(instance)
  const work = { kind: 'request', operation: 'listEvents', feature: 'stream', instance, id: '' } as const
  const texts: string[] = []
  let [cursor, scanned, bytes] = [after, 0, 0]
  let first: number | null = null
  while (texts.length < limit && scanned < SCANNED_MAX && bytes < BYTES_MAX) {
    const chunk = await store.read(instance, cursor, CHUNK)
    // Events that were deleted by age leave nothing between the cursor and the end.
    if (chunk.length === 0) return { texts, cursor: Math.max(cursor, last), hasMore: false, first: first ?? last + 1 }
    first ??= chunk[0]?.cursor ?? null
    asFrequentWork(work, () => {
      for (const event of chunk) {
        if (texts.length >= limit || bytes >= BYTES_MAX) return
        cursor = event.cursor
        scanned += 1
        if (!wants(event)) continue
        const text = JSON.stringify(event.body())
        bytes += text.length
        texts.push(text)
      }
    })
    await nextTurn()
  }
  return { texts, cursor, hasMore: cursor < last, first: first ?? last + 1 }
}

/** Returns whether events are missing behind a place. The log of an instance has no gaps but between eras, and where old events were deleted. */
function isGap(since: number, first: number): boolean {
  return first > since + 1 && Math.floor(first / SEQUENCES_OF_ERA) === Math.floor(since / SEQUENCES_OF_ERA)
}
