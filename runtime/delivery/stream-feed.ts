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
const GAP_PAUSE_MS = 100
/** An operator hears of a transaction that holds up the stream of all instances for so long. */
const HELD_UP_MS = 60_000

export function createStreamFeed(options: {
  readonly instance: InstanceId | null
  readonly store: StreamStore
  readonly log: Logger
}): StreamFeed {
  const { instance, store, log } = options
  const readers = new Set<StreamReader>()
  /** Where those begin that have read nothing before. */
  const starts = new WeakMap<StreamReader, number>()
  /** No event at this position or before it will appear any more. */
  let settled = 0
  /** Transactions that were under way when positions up to this one were seen: they may fill gaps before it. */
  let awaited: { readonly upTo: number; readonly writers: readonly string[]; warnAtMs: number } | undefined
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
      await start(group)
      return
    }
    const page = await store.read(instance, after, PAGE_MAX)
    const gap = instance === null ? openGap(page, after) : -1
    const events = gap < 0 ? page : page.slice(0, gap)
    for (const event of events) {
      let text: string | undefined
      const frame = () => {
        text ??= frameOf(event)
        return text
      }
      for (const reader of group) reader.tell(event, frame)
    }
    const hasMore = page.length === PAGE_MAX && events.length > 0
    // When its transactions have ended, what they have committed is in the next read.
    const isSettled = gap >= 0 && (await settle(page.at(-1)?.cursor ?? 0))
    if (hasMore || isSettled) for (const reader of group) reader.isBehind = true
    else if (gap >= 0) retryGap()
    // Back to the end of the line, behind readers at other positions.
    for (const reader of group) {
      if (readers.delete(reader)) readers.add(reader)
    }
  }

  /** After the newest event, when nothing can appear before it any more: from its first words on a reader misses nothing. */
  async function start(group: readonly StreamReader[]): Promise<void> {
    const last = await store.last(instance)
    for (const reader of group) if (!starts.has(reader)) starts.set(reader, last)
    if (instance === null && !(await settle(last))) retryGap()
    for (const reader of group) {
      const startsAt = starts.get(reader) ?? last
      if (instance !== null || startsAt <= settled) reader.startAt(startsAt)
    }
  }

  /**
   * Positions over all instances are given out before the commit, and nodes commit side by side: a later one may be seen first.
   * Returns where the first gap ends that may still be filled.
   */
  function openGap(page: readonly StreamEvent[], after: number): number {
    return page.findIndex(
      ({ cursor }, index) => cursor !== (page[index - 1]?.cursor ?? after) + 1 && cursor > settled + 1,
    )
  }

  /**
   * Whether nothing appears any more up to this position, which was seen before. A gap before it can be filled by a transaction only that
   * had begun to write events when the position was given out; so those that write now are waited for, each until it has ended.
   */
  async function settle(upTo: number): Promise<boolean> {
    if (upTo <= settled) return true
    const writers = await store.writers()
    if (awaited !== undefined && !awaited.writers.some((one) => writers.includes(one))) {
      settled = Math.max(settled, awaited.upTo)
      awaited = undefined
    }
    if (upTo <= settled) return true
    if (awaited === undefined && writers.length === 0) {
      settled = upTo
      return true
    }
    const nowMs = performance.now()
    awaited ??= { upTo, writers, warnAtMs: nowMs + HELD_UP_MS }
    if (nowMs >= awaited.warnAtMs) {
      awaited.warnAtMs = nowMs + HELD_UP_MS
      log.warn(
        { transactions: awaited.writers },
        'The stream of all instances waits for a transaction that stays open.',
      )
    }
    return false
  }

  function retryGap(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      for (const reader of readers) reader.isBehind = true
      pumpSoon()
    }, GAP_PAUSE_MS)
  }
}

function isHungry(reader: StreamReader): boolean {
  return reader.isBehind && !reader.isFull && !reader.stream.destroyed
}
