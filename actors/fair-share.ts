import type { LoopTimes } from './loop-pace.js'

// Bound: 10,000, instances of a node that did something in the last seconds.

export interface FairShareOptions {
  /** Default: those of this process. */
  readonly loopTimes?: () => LoopTimes
}

/** A call or command that waits. */
interface Waiting {
  readonly sinceMs: number
  readonly isSingle: boolean
  readonly go: () => void
}

/** Calls and commands of one instance that wait, oldest first. */
type Line = Waiting[]

/** Budget of an instance whose calls or commands wait: time of the main thread that it may use now, negative after it used more. */
interface Credit {
  ms: number
  atMs: number
  /** Time used by the calls and commands that were admitted from the line, and their number. Both are halved now and then. */
  spentMs: number
  gone: number
  /** Expected time of the calls and commands that were admitted in this look. */
  promisedMs: number
  /** Time at which one went on because it had waited for too long. */
  lateAtMs: number
}

/** Share of the time of the event loop, of 1, above which it is busy. */
const BUSY = 0.8
/** It is busy, too, above this share while timers are late by more than this on average: then the processors are, and each step of others waits for one. */
const CONTENDED = { share: 0.25, lateMs: 8 }
/** Time over which that is measured. */
const MEASURED_MS = 100
/** The loop counts as busy until none has waited for so long: what waits keeps it from being as busy as without. */
const CALM_MS = 2_000
/** Time of the main thread counts for one to two of these. */
const GENERATION_MS = 2_000
/** Part of the time of all instances, of 1, that an instance may always have: waits of small ones would help nobody. */
const SMALL = 0.1
/** Part of the time, of 1, that instances may have together before the largest of them wait: of a busy loop, and of busy processors. */
const SHARED = { loop: 0.5, processors: 0.15 }
/** How much more than its part of that an instance must have had before something of it waits. */
const MARGIN = 1.5
/**
 * Part of the time, of 1, that those have together that must wait. It shrinks while the loop is used more than `AIM`, or late, and grows again below
 * that: tasks of theirs in the way of others delay those at each of their steps.
 */
const PART = { min: 0.1, few: 0.4, max: 0.8, step: 0.05 }
const AIM = { high: 0.85, low: 0.7, lateHighMs: 8, lateLowMs: 4 }
/** Time that may be saved up for an instance that waits, and that it may take in advance. */
const SAVED_MAX_MS = 20
const OWED_MAX_MS = 500
/** How much the last measurement counts in an average. */
const LATEST = 0.3
/** Time between two looks, and the most that go on after one. */
const LOOK_MS = 5
const AT_ONCE = 16
/** Expected time of one before any was measured, and the number over which the average is taken. */
const UNKNOWN_COST_MS = 5
const AVERAGED = 64
/** Maximum wait, and number of those of an instance that wait. Then the first one goes on, and the next that is late so long after it. */
const WAIT_MAX_MS = 2_000
const LATE_EVERY_MS = 100
const WAITING_MAX = 1_000
/**
 * An instance that has at most so many others under way cannot take much: its next one comes when one of them has ended. So a single one waits no
 * longer than this.
 */
const SINGLE = { othersMax: 1, waitMaxMs: 20 }

/**
 * Lets calls and commands of an instance wait that had more than its fair share of the main thread, while the event loop is busy. Those
 * of other instances do not wait. The order within an instance stays, the wait is bounded, and nothing is refused. What waits goes on by and
 * by, in the part of the time that others leave: all at once would block the loop again. A single call waits for a moment only. No timer runs while
 * none waits.
 */
export class FairShare {
  readonly #loopTimes: () => LoopTimes
  readonly #lines = new Map<string, Line>()
  /** Instances of which something waits, or has waited lately. */
  readonly #credits = new Map<string, Credit>()
  #measured: LoopTimes
  #isBusy = false
  /** True while it is busy because the processors are. */
  #isContended = false
  /** Average delay of timers. */
  #lateMs = 0
  /** Part of the time, of 1, for which the loop was used, as of the last measurement. */
  #used = 0
  /** Time at which one had to wait the last time. */
  #waitedAtMs = 0
  #part = PART.max
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

  /** Number of those that wait, and of those that have waited since the start. */
  counts(): { readonly waiting: number; readonly waited: number } {
    let waiting = 0
    for (const line of this.#lines.values()) waiting += line.length
    return { waiting, waited: this.#waits }
  }

  /** Notes time of the main thread that an instance took. */
  note(instance: string, ms: number): void {
    if (instance === '') return
    this.#current.set(instance, (this.#current.get(instance) ?? 0) + ms)
    this.#totalMs.current += ms
    const credit = this.#credits.get(instance)
    if (credit === undefined) return
    credit.ms = Math.max(-OWED_MAX_MS, credit.ms - ms)
    credit.spentMs += ms
  }

  /** Notes how late a timer was. Call it some times a second. */
  lagged(ms: number): void {
    this.#lateMs += LATEST * (ms - this.#lateMs)
  }

  /**
   * Returns undefined if what the instance asks for may go on now, else a promise that resolves when it may.
   * @param others number of those of the instance that are under way, if it is known
   */
  admit(instance: string, others = Number.POSITIVE_INFINITY): Promise<void> | undefined {
    if (this.#isStopped) return undefined
    const known = this.#lines.get(instance)
    if (known === undefined && !(this.#looksBusy() && this.#isAbove(instance))) return undefined
    this.#waits += 1
    return new Promise((go) => {
      const { atMs } = this.#loopTimes()
      const line = known ?? []
      line.push({ sinceMs: atMs, isSingle: others <= SINGLE.othersMax, go })
      if (line.length > WAITING_MAX) line.shift()?.go()
      this.#lines.set(instance, line)
      if (!this.#credits.has(instance))
        this.#credits.set(instance, { ms: 0, atMs, spentMs: UNKNOWN_COST_MS, gone: 1, promisedMs: 0, lateAtMs: 0 })
      this.#waitedAtMs = atMs
      this.#timer ??= setInterval(() => this.look(), LOOK_MS)
    })
  }

  /** Lets those go on that may. A timer calls it while some wait. */
  look(): void {
    this.#looksBusy()
    const { atMs } = this.#loopTimes()
    if (this.#lines.size > 0) this.#waitedAtMs = atMs
    this.#addCredits(atMs)
    for (const [instance, line] of this.#lines) {
      const credit = this.#credits.get(instance)
      const [first] = line
      if (first === undefined) continue
      const waitedMs = atMs - first.sinceMs
      const isLate = waitedMs >= WAIT_MAX_MS && (credit === undefined || atMs - credit.lateAtMs >= LATE_EVERY_MS)
      if (isLate && credit !== undefined) credit.lateAtMs = atMs
      if (isLate || hasWaitingSingle(line, atMs)) this.#letGo(instance)
    }
    for (let gone = 0; gone < AT_ONCE; gone += 1) {
      const next = this.#next()
      if (next === undefined) break
      this.#letGo(next)
    }
    if (this.#lines.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Lets all go on, now and later. */
  stop(): void {
    this.#isStopped = true
    for (const line of this.#lines.values()) for (const { go } of line) go()
    this.#lines.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #letGo(instance: string): void {
    const line = this.#lines.get(instance)
    const credit = this.#credits.get(instance)
    if (credit !== undefined) {
      // Its own time is known only afterwards.
      credit.promisedMs += credit.spentMs / credit.gone
      credit.gone += 1
      if (credit.gone > AVERAGED) {
        credit.gone /= 2
        credit.spentMs /= 2
      }
    }
    line?.shift()?.go()
    if (line?.length === 0) this.#lines.delete(instance)
  }

  /** Gives those that wait equal parts of the time that has passed. */
  #addCredits(nowMs: number): void {
    const part = this.#part / Math.max(1, this.#credits.size)
    for (const [instance, credit] of this.#credits) {
      credit.ms = Math.min(SAVED_MAX_MS, credit.ms + part * (nowMs - credit.atMs))
      credit.atMs = nowMs
      credit.promisedMs = 0
      if (credit.ms === SAVED_MAX_MS && !this.#lines.has(instance)) this.#credits.delete(instance)
    }
  }

  /** Returns an instance that may have time; of several, the one that had the least. */
  #next(): string | undefined {
    let next: string | undefined
    let leastMs = Number.POSITIVE_INFINITY
    for (const instance of this.#lines.keys()) {
      const ms = this.#sumTime(instance)
      const credit = this.#credits.get(instance)
      // On a loop with time to spare nobody is helped when it waits, however late the timers are.
      const isShort = this.#used >= CONTENDED.share && credit !== undefined && credit.ms < credit.promisedMs
      if (ms >= leastMs || isShort) continue
      next = instance
      leastMs = ms
    }
    return next
  }

  #looksBusy(): boolean {
    const now = this.#loopTimes()
    const { atMs, activeMs, idleMs } = this.#measured
    if (now.atMs - atMs >= MEASURED_MS) {
      const active = now.activeMs - activeMs
      const used = active / (active + now.idleMs - idleMs)
      this.#used = used
      const isContended = used > CONTENDED.share && this.#lateMs > CONTENDED.lateMs
      if (isContended) this.#isContended = true
      if (used > BUSY || isContended) this.#isBusy = true
      else if (this.#lines.size === 0 && now.atMs - this.#waitedAtMs >= CALM_MS) this.#calm()
      this.#measured = now
      this.#turn(now.atMs)
      this.#look(now.atMs)
      if (this.#isBusy) this.#adjust(used)
    }
    return this.#isBusy
  }

  #calm(): void {
    this.#isBusy = false
    this.#isContended = false
    this.#credits.clear()
    this.#part = PART.max
  }

  #adjust(used: number): void {
    const { high, low, lateHighMs, lateLowMs } = AIM
    // One of a few tenants may have more than one of many.
    const least = Math.max(PART.min, PART.few / this.#sharers)
    if (used > high || this.#lateMs > lateHighMs) this.#part = Math.max(least, this.#part - PART.step)
    else if (used < low && this.#lateMs < lateLowMs) this.#part = Math.min(PART.max, this.#part + PART.step)
  }

  #isAbove(instance: string): boolean {
    const total = this.#totalMs.current + this.#totalMs.former
    const own = this.#sumTime(instance)
    return own > MARGIN * this.#freeMs && own > total * Math.max(SMALL, 1 / this.#sharers)
  }

  #sumTime(instance: string): number {
    return (this.#current.get(instance) ?? 0) + (this.#former.get(instance) ?? 0)
  }

  #look(nowMs: number): void {
    if (!this.#isBusy) return
    const times = new Map(this.#former)
    for (const [instance, ms] of this.#current) times.set(instance, (times.get(instance) ?? 0) + ms)
    this.#sharers = Math.max(1, times.size)
    const shared = this.#isContended ? SHARED.processors : SHARED.loop
    this.#freeMs = findFreeShare([...times.values()], shared * (this.#formerMs + nowMs - this.#turnedAtMs))
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

/** Returns whether a single call has waited for as long as it may. No more stand before it than were under way. */
function hasWaitingSingle(line: Line, nowMs: number): boolean {
  return line
    .slice(0, SINGLE.othersMax + 1)
    .some(({ isSingle, sinceMs }) => isSingle && nowMs - sinceMs >= SINGLE.waitMaxMs)
}

/** Returns the time to which the largest must be cut, so that all together have no more than this. */
function findFreeShare(times: readonly number[], togetherMs: number): number {
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
