import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { StreamEvent, StreamStore } from './stream.js'
import { frameOf } from './stream-frame.js'
import type { StreamReader } from './stream-reader.js'

/** The readers of one instance, or of all: those that stand at the same event share one read of SQL. */
export interface StreamFeed {
  add(reader: StreamReader): void
  remove(reader: StreamReader): void
  /** There is something new; or, for one reader, it may take more. */
  wake(reader?: StreamReader): void
  readonly size: number
  close(): void
}

const PAGE_MAX = 100
const FAILURE_PAUSE_MS = 1000
/** How long a missing position may be a transaction that is still under way; events older than that have no such gaps. */
const GAP_PATIENCE_MS = 3000
const GAP_PAUSE_MS = 100

export function createStreamFeed(options: {
  readonly instance: InstanceId | null
  readonly store: StreamStore
  readonly log: Logger
}): StreamFeed {
  const { instance, store, log } = options
  const readers = new Set<StreamReader>()
  let isPumping = false
  let timer: NodeJS.Timeout | undefined

  return {
    add(reader) {
      readers.add(reader)
      pumpSoon()
    },
    remove: (reader) => void readers.delete(reader),
    wake(reader) {
      if (reader === undefined) for (const one of readers) one.isBehind = true
      pumpSoon()
    },
    get size() {
      return readers.size
    },
    close() {
      clearTimeout(timer)
      for (const reader of readers) reader.end('the server is going away; resume with Last-Event-ID')
    },
  }

  function pumpSoon(): void {
    if (isPumping) return
    isPumping = true
    // All wakes of one turn of the event loop are one.
    setImmediate(() => void pump())
  }

  async function pump(): Promise<void> {
    try {
      for (let group = nextGroup(); group.length > 0; group = nextGroup()) await serve(group)
      isPumping = false
    } catch (error) {
      log.warn({ err: error }, 'Events for streams could not be read; tried again soon.')
      for (const reader of readers) reader.isBehind = true
      pause(FAILURE_PAUSE_MS)
    }
  }

  function pause(pauseMs: number): void {
    timer = setTimeout(() => {
      isPumping = false
      if (readers.size > 0) pumpSoon()
    }, pauseMs)
  }

  /** Readers that may have something to read and stand at the same event. */
  function nextGroup(): StreamReader[] {
    const first = [...readers].find(isHungry)
    return first === undefined ? [] : [...readers].filter((one) => isHungry(one) && one.cursor === first.cursor)
  }

  async function serve(group: readonly StreamReader[]): Promise<void> {
    // Before the read: a commit during it makes them hungry again.
    for (const reader of group) reader.isBehind = false
    const after = group[0]?.cursor
    if (after === undefined) {
      const last = await store.last(instance)
      for (const reader of group) reader.startAt(last)
      return
    }
    const page = await store.read(instance, after, PAGE_MAX)
    const events = instance === null ? upToGap(page, after) : page
    for (const event of events) {
      let text: string | undefined
      const frame = () => {
        text ??= frameOf(event)
        return text
      }
      for (const reader of group) reader.tell(event, frame)
    }
    const hasMore = page.length === PAGE_MAX && events.length > 0
    if (hasMore) for (const reader of group) reader.isBehind = true
    if (events.length < page.length) retryGap(group)
    // Back to the end of the line, behind readers at other positions.
    for (const reader of group) {
      if (readers.delete(reader)) readers.add(reader)
    }
  }

  /**
   * Positions over all instances are given out before the commit, and nodes commit side by side: a later one may be seen first.
   * A fresh gap is therefore waited for. An old one was a transaction that failed.
   */
  function upToGap(page: readonly StreamEvent[], after: number): readonly StreamEvent[] {
    const oldBeforeMs = Date.now() - GAP_PATIENCE_MS
    const gap = page.findIndex(
      (event, index) =>
        event.cursor !== (page[index - 1]?.cursor ?? after) + 1 && event.createdAt.getTime() > oldBeforeMs,
    )
    return gap < 0 ? page : page.slice(0, gap)
  }

  function retryGap(group: readonly StreamReader[]): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      for (const reader of group) reader.isBehind = true
      pumpSoon()
    }, GAP_PAUSE_MS)
  }
}

function isHungry(reader: StreamReader): boolean {
  return reader.isBehind && !reader.isFull && !reader.stream.destroyed
}
