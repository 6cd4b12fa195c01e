import type { Logger } from 'pino'
import type { DeliveryBacklog, WaitingLane } from '../store/deliveries.js'
import type { CircuitBreakers } from './circuit-breakers.js'
import { awaitedReceiver, remainingWaitMs } from './lane-head.js'
import { formatLaneKey } from './lane-key.js'
import type { DeliveryStore } from './ports.js'
import type { RetryTimer } from './retry-timer.js'

export interface BacklogSweepOptions {
  readonly store: Pick<DeliveryStore, 'backlogs' | 'listLanes' | 'oldestAgeMs' | 'giveUpOlder'>
  readonly breakers: Pick<CircuitBreakers, 'isClosed' | 'isWaiting'>
  readonly timer: Pick<RetryTimer, 'add'>
  /** Lanes that one sweep finds. The next sweep finds those beyond them. */
  readonly lanesAtOnce: number
  /** Longest delay that the retry policy gives. */
  readonly ceilingMs: number
  /** Age above which deliveries become dead letters. */
  readonly ageMaxMs: number
  /** Returns the number of lanes that were found and have not begun to run. */
  readonly lanesAhead: () => number
  readonly sweepNow: () => void
  readonly log: Logger
}

const NEXT_LANES_MS = 250
/** Time until the next sweep when none of the lanes that were found was due. */
const WAITING_LANES_MS = 5_000
/** Time between two looks at the age of the oldest delivery. */
const AGE_EVERY_MS = 30_000
const GIVEN_UP_AT_ONCE = 1_000
const HOUR_MS = 3_600_000

/** Finds the lanes in SQL that have something due, and gives up deliveries that are too old. */
export class BacklogSweep {
  readonly #options: BacklogSweepOptions
  /** The last lane that was found, of each backlog that has more of them. */
  readonly #cursors = new Map<string, number>()
  /** Receivers that were away when their backlogs were to be read. */
  readonly #skipped = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #oldest = { ageMs: 0, atMs: Number.NEGATIVE_INFINITY }
  #givenUp = 0
  #isClosed = false

  constructor(options: BacklogSweepOptions) {
    this.#options = options
  }

  /** Number of deliveries that became dead letters by their age. */
  get givenUp(): number {
    return this.#givenUp
  }

  /** Returns the age of the oldest delivery of the whole cluster, as of the last look. */
  oldestAgeMs(): number {
    const { ageMs, atMs } = this.#oldest
    return ageMs === 0 ? 0 : ageMs + performance.now() - atMs
  }

  /** Forgets that backlogs of the receiver were skipped. Returns true when some were. */
  takeSkipped(receiver: string): boolean {
    return this.#skipped.delete(receiver)
  }

  /** Returns the lanes to wake. Lanes that wait for their next attempt are put into the timer. Receivers that are away are skipped. */
  async run(): Promise<string[]> {
    await this.#watchAge()
    const { store, breakers, lanesAtOnce } = this.#options
    const backlogs = await store.backlogs()
    const readable = backlogs.filter(({ url }) => breakers.isClosed(url))
    for (const { url } of backlogs) if (!breakers.isClosed(url)) this.#skipped.add(url)
    const lanes = await store.listLanes(
      readable.map((backlog) => ({ ...backlog, after: this.#cursors.get(formatBacklogKey(backlog)) })),
      lanesAtOnce,
    )
    const due = this.#selectDue(lanes, new Map(readable.map(({ webhookId, url }) => [webhookId, url])))
    this.#moveCursors(readable, lanes)
    if (this.#cursors.size > 0) this.#sweepAgain(due.length > 0 ? NEXT_LANES_MS : WAITING_LANES_MS)
    return due
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #selectDue(lanes: readonly WaitingLane[], urls: ReadonlyMap<string, string>): string[] {
    const { breakers, timer, ceilingMs } = this.#options
    const keys: string[] = []
    for (const lane of lanes) {
      const key = formatLaneKey(lane)
      if (breakers.isWaiting(key)) continue
      const waitMs = remainingWaitMs(lane, ceilingMs)
      if (waitMs === 0) keys.push(key)
      else timer.add(key, waitMs, awaitedReceiver(lane, urls.get(lane.webhookId)))
    }
    return keys
  }

  /** Lets the next sweep go on after the last lane, if there were more lanes than one sweep reads. After the last it begins again. */
  #moveCursors(read: readonly DeliveryBacklog[], lanes: readonly WaitingLane[]): void {
    if (lanes.length < this.#options.lanesAtOnce) {
      this.#cursors.clear()
      return
    }
    const keys = new Set(read.map(formatBacklogKey))
    for (const key of this.#cursors.keys()) if (!keys.has(key)) this.#cursors.delete(key)
    for (const lane of lanes) this.#cursors.set(formatBacklogKey(lane), lane.lane)
  }

  /** Sweeps again when most of the lanes that were found have begun, so that memory holds a bounded part of a large backlog. */
  #sweepAgain(afterMs: number): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      const { lanesAhead, lanesAtOnce, sweepNow } = this.#options
      if (lanesAhead() > lanesAtOnce / 2) this.#sweepAgain(NEXT_LANES_MS)
      else sweepNow()
    }, afterMs)
  }

  async #watchAge(): Promise<void> {
    const { store, ageMaxMs } = this.#options
    if (performance.now() - this.#oldest.atMs < Math.min(AGE_EVERY_MS, ageMaxMs)) return
    let ageMs = await store.oldestAgeMs()
    if (ageMs > ageMaxMs) {
      await this.#giveUpOld()
      ageMs = await store.oldestAgeMs()
    }
    this.#oldest = { ageMs, atMs: performance.now() }
  }

  async #giveUpOld(): Promise<void> {
    const { store, ageMaxMs, log } = this.#options
    let count = 0
    for (let last = GIVEN_UP_AT_ONCE; last === GIVEN_UP_AT_ONCE && !this.#isClosed; count += last)
      last = await store.giveUpOlder(ageMaxMs, GIVEN_UP_AT_ONCE)
    this.#givenUp += count
    if (count > 0)
      log.warn(
        { count, hours: ageMaxMs / HOUR_MS },
        'Webhook deliveries reached the age limit; they are dead letters now.',
      )
  }
}

function formatBacklogKey({ webhookId, instance }: Pick<DeliveryBacklog, 'webhookId' | 'instance'>): string {
  return `${webhookId}:${instance}`
}
