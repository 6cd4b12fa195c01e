import type { Logger } from 'pino'
import type { InstanceId } from '../../schemas/ids.js'
import type { StreamEvent, StreamStore } from './stream-ports.js'
import { formatFrame, type StreamReader } from './stream-reader.js'

/** The readers of one instance, or of all instances. Readers at the same event share one read of SQL. */
export interface StreamFeed {
  add(reader: StreamReader): void
  remove(reader: StreamReader): void
  /** Reads on: there are new events, or the given reader can take more. */
  wake(reader?: StreamReader): void
  /** Sends this text to all readers, between two events. */
  announce(frame: string): void
  /** Compares the positions of all readers with the store. */
  compare(): void
  readonly size: number
  close(): void
}

const PAGE_MAX = 100
const FAILURE_PAUSE_MS = 1000
const GAP_PAUSE_MS = 100

export interface StreamFeedOptions {
  readonly instance: InstanceId | null
  readonly store: StreamStore
  readonly log: Logger
}

export function createStreamFeed(options: StreamFeedOptions): StreamFeed {
  return new SharedFeed(options)
}

class SharedFeed implements StreamFeed {
  readonly #options: StreamFeedOptions
  readonly #gaps: GapWatch
  readonly #readers = new Set<StreamReader>()
  /** Positions at which readers begin that have read nothing before. */
  readonly #starts = new WeakMap<StreamReader, number>()
  #isPumping = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: StreamFeedOptions) {
    this.#options = options
    this.#gaps = new GapWatch(options.store, options.log)
  }

  add(reader: StreamReader): void {
    this.#readers.add(reader)
    this.#pumpSoon()
  }

  remove(reader: StreamReader): void {
    this.#readers.delete(reader)
  }

  wake(reader?: StreamReader): void {
    if (reader === undefined) this.#markAllBehind()
    this.#pumpSoon()
  }

  announce(frame: string): void {
    for (const reader of this.#readers) reader.say(frame)
  }

  compare(): void {
    for (const reader of this.#readers) if (reader.cursor !== undefined) reader.isCompared = false
    this.wake()
  }

  get size(): number {
    return this.#readers.size
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const reader of this.#readers) reader.end('the server is going away; resume with Last-Event-ID')
  }

  #markAllBehind(): void {
    for (const reader of this.#readers) reader.isBehind = true
  }

  #pumpSoon(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    // All wakes of one turn of the event loop are one.
    setImmediate(() => void this.#pump())
  }

  async #pump(): Promise<void> {
    try {
      for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup()) await this.#serve(group)
      this.#isPumping = false
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Events for streams could not be read; they are read again soon.')
      this.#markAllBehind()
      this.#pause(FAILURE_PAUSE_MS)
    }
  }

  #pause(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#isPumping = false
      if (this.#readers.size > 0) this.#pumpSoon()
    }, pauseMs)
  }

  /** Returns readers that may have something to read and stand at the same event. */
  #nextGroup(): StreamReader[] {
    const first = [...this.#readers].find(isHungry)
    if (first === undefined) return []
    const { cursor, isCompared } = first
    return [...this.#readers].filter((one) => isHungry(one) && one.cursor === cursor && one.isCompared === isCompared)
  }

  async #serve(group: readonly StreamReader[]): Promise<void> {
    // Before the read: a commit during it makes them hungry again.
    for (const reader of group) reader.isBehind = false
    const after = group[0]?.cursor
    if (after === undefined) {
      await this.#start(group)
      return
    }
    const { instance, store } = this.#options
    if (group[0]?.isCompared === false) {
      await this.#compareAt(after, group)
      return
    }
    const page = await store.read(instance, after, PAGE_MAX)
    const gap = instance === null ? this.#gaps.firstOpen(page, after) : -1
    const events = gap < 0 ? page : page.slice(0, gap)
    tellAll(group, events)
    const hasMore = page.length === PAGE_MAX && events.length > 0
    // When the awaited transactions have ended, their events are in the next read.
    const isSettled = gap >= 0 && (await this.#gaps.settle(page.at(-1)?.cursor ?? 0))
    if (hasMore || isSettled) for (const reader of group) reader.isBehind = true
    else if (gap >= 0) this.#retryGap()
    // Back to the end of the line, behind readers at other positions.
    for (const reader of group) {
      if (this.#readers.delete(reader)) this.#readers.add(reader)
    }
  }

  /** Tells readers if the store has lost what they have read. */
  async #compareAt(cursor: number, group: readonly StreamReader[]): Promise<void> {
    const { instance, store } = this.#options
    for (const reader of group) reader.isCompared = true
    try {
      const loss = await store.lossAt(instance, cursor)
      for (const reader of group) {
        if (loss !== null) reader.reset(loss)
        reader.isBehind = true
      }
    } catch (error) {
      for (const reader of group) reader.isCompared = false
      throw error
    }
  }

  /** Starts readers after the newest event, once nothing can appear before it any more: a started reader misses nothing. */
  async #start(group: readonly StreamReader[]): Promise<void> {
    const { instance, store } = this.#options
    const last = await store.last(instance)
    for (const reader of group) if (!this.#starts.has(reader)) this.#starts.set(reader, last)
    if (instance === null && !(await this.#gaps.settle(last))) this.#retryGap()
    for (const reader of group) {
      const startsAt = this.#starts.get(reader) ?? last
      if (instance !== null || this.#gaps.isSettled(startsAt)) reader.startAt(startsAt)
    }
  }

  #retryGap(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#markAllBehind()
      this.#pumpSoon()
    }, GAP_PAUSE_MS)
  }
}

/** Gives the readers the same events. The text of an event is made once, if a reader wants it. */
function tellAll(group: readonly StreamReader[], events: readonly StreamEvent[]): void {
  for (const event of events) {
    let text: string | undefined
    const frame = () => {
      text ??= formatFrame(event)
      return text
    }
    for (const reader of group) reader.tell(event, frame)
  }
}

function isHungry(reader: StreamReader): boolean {
  return reader.isBehind && !reader.isFull && !reader.stream.destroyed
}

/** Time that a transaction may hold up the stream of all instances before a warning is logged. */
const HELD_UP_MS = 60_000

/** Transactions that were under way when positions up to `upTo` were seen. They may fill gaps before it. */
interface Awaited {
  readonly upTo: number
  readonly writers: readonly string[]
  warnAtMs: number
}

/**
 * Finds gaps in the positions over all instances that may still be filled. Positions are given out before the commit, and nodes commit
 * side by side: a later position may be seen first.
 */
class GapWatch {
  readonly #store: Pick<StreamStore, 'writers'>
  readonly #log: Logger
  /** No further event appears at this position or before it. */
  #settled = 0
  #awaited: Awaited | undefined

  constructor(store: Pick<StreamStore, 'writers'>, log: Logger) {
    this.#store = store
    this.#log = log
  }

  isSettled(position: number): boolean {
    return position <= this.#settled
  }

  /** Returns the index of the event after the first gap that may still be filled, or -1. */
  firstOpen(page: readonly StreamEvent[], after: number): number {
    const settled = this.#settled
    return page.findIndex(
      ({ cursor }, index) => cursor !== (page[index - 1]?.cursor ?? after) + 1 && cursor > settled + 1,
    )
  }

  /**
   * Returns true when nothing further appears up to this position, which was seen before. Only a transaction that had begun to write
   * events when the position was given out can fill a gap before it. So this waits for those that write now, each until it has ended.
   */
  async settle(upTo: number): Promise<boolean> {
    if (upTo <= this.#settled) return true
    const writers = await this.#store.writers()
    if (this.#awaited !== undefined && !this.#awaited.writers.some((writer) => writers.includes(writer))) {
      this.#settled = Math.max(this.#settled, this.#awaited.upTo)
      this.#awaited = undefined
    }
    if (upTo <= this.#settled) return true
    if (this.#awaited === undefined && writers.length === 0) {
      this.#settled = upTo
      return true
    }
    const nowMs = performance.now()
    this.#awaited ??= { upTo, writers, warnAtMs: nowMs + HELD_UP_MS }
    this.#warnWhenLate(this.#awaited, nowMs)
    return false
  }

  #warnWhenLate(awaited: Awaited, nowMs: number): void {
    if (nowMs < awaited.warnAtMs) return
    awaited.warnAtMs = nowMs + HELD_UP_MS
    this.#log.warn(
      { transactions: awaited.writers },
      'The stream of all instances waits for a transaction that stays open.',
    )
  }
}
