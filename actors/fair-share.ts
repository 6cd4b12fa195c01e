import type { LoopTimes } from './turn-pace.js'

// Bound: 10,000, instances of a node that did something in the last seconds.

export interface FairShareOptions {
  /** Default: those of this process. */
  readonly loopTimes?: () => LoopTimes
}

interface Waiting {
  readonly sinceMs: number
  readonly go: () => void
}

/** Share of the time of the event loop, of 1, above which it is busy. */
const BUSY = 0.8
/** Time over which that is measured. */
const MEASURED_MS = 250
/** Time of the main thread counts for one to two of these. */
const GENERATION_MS = 2_000
/** Part of the time of all instances, of 1, that an instance may always have: waits of small ones would help nobody. */
const SMALL = 0.1
/** Part of the time, of 1, that instances may have together before the largest of them wait. */
const SHARED = 0.5
const LOOK_MS = 50
/** Commands of an instance that go on at once when the loop has room again. All that have waited together would fill it again. */
const AT_ONCE = 4
/** Maximum wait of a command, and number of those of an instance that wait. Then the first one goes on. */
const WAIT_MAX_MS = 1_000
const WAITING_MAX = 1_000

/**
 * Lets calls and commands of an instance wait that had more than its fair share of the main thread, while the event loop is busy. Those of other
 * instances do not wait. The order within an instance stays, the wait is bounded, and nothing is refused. No timer runs while none waits.
 */
export class FairShare {
  readonly #loopTimes: () => LoopTimes
  readonly #waiting = new Map<string, Waiting[]>()
  #measured: LoopTimes
  #isBusy = false
  #current = new Map<string, number>()
  #former = new Map<string, number>()
  #totalMs = { current: 0, former: 0 }
  #turnedAtMs: number
  /** Length of the former generation. */
  #formerMs = 0
  /** Instances that had time of the main thread, as of the last measurement. */
  #sharers = 1
  /** What an instance may have of the time at least, as of then: as much as all have who have less, so that all together have their part. */
  #freeMs = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #waits = 0
  #isStopped = false

  constructor({ loopTimes = timesOfThisProcess }: FairShareOptions = {}) {
    this.#loopTimes = loopTimes
    this.#measured = loopTimes()
    this.#turnedAtMs = this.#measured.atMs
  }

  /** Number of commands that wait, and of those that have waited since the start. */
  counts(): { readonly waiting: number; readonly waited: number } {
    let waiting = 0
    for (const list of this.#waiting.values()) waiting += list.length
    return { waiting, waited: this.#waits }
  }

  /** Notes time of the main thread that an instance took. */
  note(instance: string, ms: number): void {
    if (instance === '') return
    this.#current.set(instance, (this.#current.get(instance) ?? 0) + ms)
    this.#totalMs.current += ms
  }

  /** Returns undefined if a call or command of the instance may go on now, else a promise that resolves when it may. */
  admit(instance: string): Promise<void> | undefined {
    if (this.#isStopped) return undefined
    const queue = this.#waiting.get(instance)
    if (queue === undefined && !(this.#looksBusy() && this.#isAbove(instance))) return undefined
    this.#waits += 1
    return new Promise((go) => {
      const entry = { sinceMs: this.#loopTimes().atMs, go }
      if (queue === undefined) this.#waiting.set(instance, [entry])
      else queue.push(entry)
      if (queue !== undefined && queue.length > WAITING_MAX) queue.shift()?.go()
      this.#timer ??= setInterval(() => this.look(), LOOK_MS)
    })
  }

  /** Lets those go on that may. A timer calls it while commands wait. */
  look(): void {
    const isBusy = this.#looksBusy()
    const { atMs } = this.#loopTimes()
    for (const [instance, queue] of this.#waiting) {
      const isFree = !isBusy || !this.#isAbove(instance)
      // One at a time while the loop is busy: its time is known only afterwards.
      let left = isBusy ? 1 : AT_ONCE
      while (queue.length > 0 && ((isFree && left > 0) || atMs - (queue[0]?.sinceMs ?? 0) >= WAIT_MAX_MS)) {
        queue.shift()?.go()
        left -= 1
      }
      if (queue.length === 0) this.#waiting.delete(instance)
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Lets all go on, now and later. */
  stop(): void {
    this.#isStopped = true
    for (const queue of this.#waiting.values()) for (const { go } of queue) go()
    this.#waiting.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #looksBusy(): boolean {
    const now = this.#loopTimes()
    const { atMs, activeMs, idleMs } = this.#measured
    if (now.atMs - atMs >= MEASURED_MS) {
      const active = now.activeMs - activeMs
      this.#isBusy = active > BUSY * (active + now.idleMs - idleMs)
      this.#measured = now
      this.#turn(now.atMs)
      this.#look(now.atMs)
    }
    return this.#isBusy
  }

  #isAbove(instance: string): boolean {
    const total = this.#totalMs.current + this.#totalMs.former
    const own = (this.#current.get(instance) ?? 0) + (this.#former.get(instance) ?? 0)
    return own > this.#freeMs && own > total * Math.max(SMALL, 1 / this.#sharers)
  }

  #look(nowMs: number): void {
    if (!this.#isBusy) return
    const times = new Map(this.#former)
    for (const [instance, ms] of this.#current) times.set(instance, (times.get(instance) ?? 0) + ms)
    this.#sharers = Math.max(1, times.size)
    this.#freeMs = freeOf([...times.values()], SHARED * (this.#formerMs + nowMs - this.#turnedAtMs))
  }

  #turn(nowMs: number): void {
    const sinceMs = nowMs - this.#turnedAtMs
    if (sinceMs < GENERATION_MS) return
    const isOld = sinceMs >= 2 * GENERATION_MS
    this.#formerMs = isOld ? 0 : sinceMs
    this.#former = isOld ? new Map() : this.#current
    this.#totalMs = { current: 0, former: isOld ? 0 : this.#totalMs.current }
    this.#current = new Map()
    this.#turnedAtMs = nowMs
  }
}

/** Returns the time to which the largest must be cut, so that all together have no more than this. */
function freeOf(times: readonly number[], togetherMs: number): number {
  let left = togetherMs
  const ascending = times.toSorted((one, other) => one - other)
  for (const [index, ms] of ascending.entries()) {
    const share = left / (ascending.length - index)
    if (ms > share) return share
    left -= ms
  }
  return Number.POSITIVE_INFINITY
}

function timesOfThisProcess(): LoopTimes {
  const { active, idle } = performance.eventLoopUtilization()
  return { atMs: performance.now(), activeMs: active, idleMs: idle }
}
