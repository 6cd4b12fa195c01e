/**
 * A circuit breaker for each receiver (the URL of a webhook), so that one that is away costs few attempts and no places.
 *
 * - Closed: every lane may attempt. Some failures in a row, without a success between them, open it.
 * - Open: one lane may attempt when a probe is due. The wait doubles with each probe that fails, up to `probeMaxMs`, with jitter. Lanes
 *   take turns, so that the attempts are not all one delivery's. A probe without an answer does not hold up the next one.
 * - An answer closes the breaker and calls every lane that waits.
 *
 * All receivers together get a limited number of probes a second, the least recently probed first. A breaker that is open exists only while
 * a lane waits for it: the next lane would find it closed otherwise, and open it again.
 */
import { LRUCache } from 'lru-cache'
import { backOffMs, withHalfJitter } from '../../lib/back-off.js'
import { entriesMax } from '../../lib/entries-max.js'

export interface CircuitBreakers {
  /** Returns true when the lane may attempt now. If not, the lane is called when it may. To be called before each attempt. */
  admit(receiver: string, lane: string): boolean
  /**
   * Takes the outcome of an attempt. `isWell`: the receiver answered, whatever its answer to the delivery was.
   * `waitMs`: time for which the receiver asked to be left alone.
   */
  report(receiver: string, lane: string, isWell: boolean, waitMs?: number): void
  /** Ends the run of a lane. If the lane was to be the probe, another becomes it. To be called at the end of each run. */
  pass(lane: string): void
  /** Ends a run that failed by trouble of ours. The next lane would fail too, so the breaker stays open for a while. */
  postpone(lane: string): void
  isClosed(receiver: string): boolean
  /** Returns true when the breaker was open at some time since then (of `performance.now()`), and closed after it. */
  hasClosedSince(receiver: string, sinceMs: number): boolean
  isProbe(lane: string): boolean
  /** Returns true when the lane is called by itself once its receiver answers. */
  isWaiting(lane: string): boolean
  /** Makes the probe due now, before those of others: the caller has reason to think that the receiver answers again. */
  probeNow(receiver: string): void
  /** Takes those lanes out, since they may have got another receiver. */
  release(isWanted: (lane: string) => boolean): readonly string[]
  /** `halfOpen`: breakers with a probe under way. `openings`: since the start. */
  counts(): { readonly open: number; readonly halfOpen: number; readonly openings: number }
  close(): void
}

/** `half_open`: a probe is under way. Times are of `Date.now()`. */
export type BreakerState =
  | { readonly state: 'closed' }
  | { readonly state: 'open' | 'half_open'; readonly sinceMs: number; readonly nextProbeMs: number }

export interface CircuitBreakerOptions {
  /** Approximate wait for the first probe. */
  readonly delayMinMs: number
  /** Longest wait between two probes, unless the receiver asked for more. Default 10000. */
  readonly probeMaxMs?: number
  /** Maximum of probes of all receivers together. Default 50. */
  readonly probesPerSecond?: number
  /** Called with a lane that may attempt now, as the probe. */
  readonly call: (lane: string) => void
  /** Returns a lane that waits elsewhere for this receiver, when none waits here. It is attempted whether it is due or not. */
  readonly borrow: (receiver: string) => string | undefined
  readonly onOpened?: (receiver: string, probeInMs: number) => void
  /** Called with the lanes that waited. `isAll` is false when there were more than can be remembered. */
  readonly onClosed: (receiver: string, lanes: readonly string[], isAll: boolean) => void
  /** Called when an open breaker has no lane left that could probe. It counts as closed. */
  readonly onForgotten?: (receiver: string) => void
  /** Called with each new state of a breaker. */
  readonly onState?: (receiver: string, state: BreakerState) => void
  /** Returns a number from 0 to 1. For tests. */
  readonly random?: () => number
}

/** The breaker of a receiver, while it is not closed. */
interface OpenBreaker extends ProbedReceiver {
  readonly receiver: string
  /** Openings in a row. */
  openings: number
  /** Lanes that may attempt now. */
  readonly probes: Set<string>
  /** Lanes that wait, in the order in which they came. */
  readonly waiting: Set<string>
  isOverfull: boolean
  /** Time at which it opened, and at which its next probe is due (`Date.now()`). */
  readonly sinceMs: number
  nextProbeMs: number
  /** Runs until the next probe is due. */
  timer: NodeJS.Timeout | undefined
}

/** Failures in a row that open a breaker. */
const OPEN_AFTER = 5
/** A receiver that is back for 15 s has got what waited, an attempt and its transfer included. */
const PROBE_MAX_MS = 10_000
const PROBES_PER_SECOND = 50
/** Maximum of unanswered probes of one receiver. */
const UNANSWERED_MAX = 3
/** Maximum of lanes that are remembered, of all receivers together. The sweep finds the others. */
const WAITING_MAX = 50_000
const FAILING_MAX = 10_000

export function createCircuitBreakers(options: CircuitBreakerOptions): CircuitBreakers {
  return new ReceiverBreakers(options)
}

class ReceiverBreakers implements CircuitBreakers {
  readonly #options: CircuitBreakerOptions
  /** Failures in a row of closed breakers. Forgetting one costs some attempts. */
  readonly #failures = new LRUCache<string, number>(entriesMax(FAILING_MAX))
  readonly #closings = new LRUCache<string, number>(entriesMax(FAILING_MAX))
  readonly #open = new Map<string, OpenBreaker>()
  readonly #waiting = new Map<string, OpenBreaker>()
  readonly #probes = new Map<string, OpenBreaker>()
  readonly #line: ProbeQueue<OpenBreaker>
  #openings = 0
  #isShut = false

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
    this.#line = new ProbeQueue(options.probesPerSecond ?? PROBES_PER_SECOND, (breaker) => this.#probe(breaker))
  }

  admit(receiver: string, lane: string): boolean {
    const breaker = this.#open.get(receiver)
    // Its webhook may have had another URL when it was called, or began to wait.
    if (this.#probes.size > 0 && this.#probes.get(lane) !== breaker) this.pass(lane)
    if (this.#waiting.size > 0 && this.#waiting.get(lane) !== breaker) this.#stopWaiting(lane)
    if (breaker === undefined || breaker.probes.has(lane)) return true
    this.#wait(breaker, lane)
    return false
  }

  report(receiver: string, lane: string, isWell: boolean, waitMs = 0): void {
    const breaker = this.#open.get(receiver)
    if (isWell) {
      if (breaker === undefined) this.#failures.delete(receiver)
      else this.#shut(breaker)
      return
    }
    if (breaker === undefined) {
      this.#countFailure(receiver, waitMs)
      return
    }
    // An attempt that began before the breaker opened says nothing new.
    if (!breaker.probes.has(lane)) return
    this.#endProbe(breaker, lane)
    this.#keepOpen(breaker, waitMs)
  }

  pass(lane: string): void {
    const breaker = this.#probes.get(lane)
    if (breaker === undefined) return
    this.#endProbe(breaker, lane)
    this.#callNext(breaker)
  }

  postpone(lane: string): void {
    const breaker = this.#probes.get(lane)
    if (breaker === undefined) return
    this.#endProbe(breaker, lane)
    this.#keepOpen(breaker, 0)
  }

  isClosed(receiver: string): boolean {
    return !this.#open.has(receiver)
  }

  hasClosedSince(receiver: string, sinceMs: number): boolean {
    return (this.#closings.get(receiver) ?? Number.NEGATIVE_INFINITY) >= sinceMs
  }

  isProbe(lane: string): boolean {
    return this.#probes.has(lane)
  }

  isWaiting(lane: string): boolean {
    return this.#waiting.has(lane)
  }

  probeNow(receiver: string): void {
    const breaker = this.#open.get(receiver)
    if (breaker === undefined || breaker.probes.size > 0) return
    this.#leaveLine(breaker)
    breaker.lastProbe = 0
    this.#line.enter(breaker)
  }

  release(isWanted: (lane: string) => boolean): readonly string[] {
    const lanes = [...this.#waiting.keys()].filter(isWanted)
    for (const lane of lanes) this.#stopWaiting(lane)
    return lanes
  }

  counts(): { readonly open: number; readonly halfOpen: number; readonly openings: number } {
    let open = 0
    for (const breaker of this.#open.values()) if (breaker.probes.size === 0) open += 1
    return { open, halfOpen: this.#open.size - open, openings: this.#openings }
  }

  close(): void {
    this.#isShut = true
    this.#line.close()
    for (const { timer, receiver } of this.#open.values()) {
      clearTimeout(timer)
      this.#options.onState?.(receiver, { state: 'closed' })
    }
    this.#open.clear()
    this.#waiting.clear()
    this.#probes.clear()
  }

  #countFailure(receiver: string, waitMs: number): void {
    const count = (this.#failures.get(receiver) ?? 0) + 1
    this.#failures.set(receiver, count)
    if (count < OPEN_AFTER || this.#isShut) return
    this.#failures.delete(receiver)
    const breaker: OpenBreaker = {
      receiver,
      openings: 0,
      probes: new Set(),
      waiting: new Set(),
      isOverfull: false,
      sinceMs: Date.now(),
      nextProbeMs: 0,
      // The attempts that opened it have probed it.
      lastProbe: this.#line.nextProbe(),
      timer: undefined,
    }
    this.#open.set(receiver, breaker)
    this.#keepOpen(breaker, waitMs)
  }

  /** Opens the breaker, or leaves it open after a probe that failed. */
  #keepOpen(breaker: OpenBreaker, waitMs: number): void {
    breaker.openings += 1
    this.#openings += 1
    const probeInMs = this.#scheduleProbe(breaker, waitMs)
    this.#tellState(breaker)
    this.#options.onOpened?.(breaker.receiver, probeInMs)
  }

  /** Returns the time until the probe is due. */
  #scheduleProbe(breaker: OpenBreaker, waitMs: number): number {
    const { delayMinMs, probeMaxMs = PROBE_MAX_MS, random = Math.random } = this.#options
    this.#leaveLine(breaker)
    const delayMs = withHalfJitter(backOffMs(breaker.openings, delayMinMs, probeMaxMs), random())
    const probeInMs = Math.max(waitMs, Math.round(delayMs))
    breaker.timer = setTimeout(() => this.#line.enter(breaker), probeInMs)
    breaker.nextProbeMs = Date.now() + probeInMs
    return probeInMs
  }

  #leaveLine(breaker: OpenBreaker): void {
    clearTimeout(breaker.timer)
    this.#line.leave(breaker)
  }

  #probe(breaker: OpenBreaker): void {
    // The next probe, should this one get no answer.
    this.#scheduleProbe(breaker, 0)
    if (breaker.probes.size < UNANSWERED_MAX) this.#callNext(breaker)
  }

  #callNext(breaker: OpenBreaker): void {
    const [first] = breaker.waiting
    const lane = first ?? this.#options.borrow(breaker.receiver)
    if (lane === undefined) {
      if (breaker.probes.size === 0) this.#forget(breaker)
      return
    }
    this.#stopWaiting(lane)
    breaker.probes.add(lane)
    this.#probes.set(lane, breaker)
    this.#tellState(breaker)
    this.#options.call(lane)
  }

  #forget(breaker: OpenBreaker): void {
    this.#leaveLine(breaker)
    this.#open.delete(breaker.receiver)
    this.#options.onState?.(breaker.receiver, { state: 'closed' })
    this.#options.onForgotten?.(breaker.receiver)
  }

  #shut(breaker: OpenBreaker): void {
    this.#leaveLine(breaker)
    for (const lane of breaker.probes) this.#probes.delete(lane)
    this.#open.delete(breaker.receiver)
    this.#closings.set(breaker.receiver, performance.now())
    const lanes = [...breaker.waiting]
    for (const lane of lanes) this.#waiting.delete(lane)
    this.#options.onState?.(breaker.receiver, { state: 'closed' })
    this.#options.onClosed(breaker.receiver, lanes, !breaker.isOverfull)
  }

  #tellState({ receiver, probes, sinceMs, nextProbeMs }: OpenBreaker): void {
    this.#options.onState?.(receiver, { state: probes.size > 0 ? 'half_open' : 'open', sinceMs, nextProbeMs })
  }

  #wait(breaker: OpenBreaker, lane: string): void {
    // At least one lane waits, which can become the probe.
    if (this.#waiting.size >= WAITING_MAX && breaker.waiting.size > 0 && !breaker.waiting.has(lane)) {
      breaker.isOverfull = true
      return
    }
    breaker.waiting.add(lane)
    this.#waiting.set(lane, breaker)
  }

  #stopWaiting(lane: string): void {
    this.#waiting.get(lane)?.waiting.delete(lane)
    this.#waiting.delete(lane)
  }

  #endProbe(breaker: OpenBreaker, lane: string): void {
    this.#probes.delete(lane)
    breaker.probes.delete(lane)
  }
}

/** A receiver that stands in the line while its probe is due. */
interface ProbedReceiver {
  /** Grows with each probe of any receiver. 0 puts the receiver before all others. */
  lastProbe: number
}

/** Receivers whose probe is due, the least recently probed first. They get a limited number of probes a second. */
class ProbeQueue<Receiver extends ProbedReceiver> {
  readonly #probe: (receiver: Receiver) => void
  readonly #intervalMs: number
  readonly #due: Receiver[] = []
  #timer: NodeJS.Timeout | undefined
  #lastProbe = 0

  constructor(probesPerSecond: number, probe: (receiver: Receiver) => void) {
    this.#probe = probe
    this.#intervalMs = 1000 / probesPerSecond
  }

  /** Returns the number of a probe that happens now. */
  nextProbe(): number {
    this.#lastProbe += 1
    return this.#lastProbe
  }

  enter(receiver: Receiver): void {
    const due = this.#due
    // Few are due at once, unless very many receivers are away: then each is moved past those that wait longer.
    let at = due.length
    while (at > 0 && (due[at - 1]?.lastProbe ?? 0) > receiver.lastProbe) at -= 1
    due.splice(at, 0, receiver)
    if (this.#timer === undefined) this.#probeFirst()
  }

  leave(receiver: Receiver): void {
    const at = this.#due.indexOf(receiver)
    if (at >= 0) this.#due.splice(at, 1)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#due.length = 0
  }

  #probeFirst(): void {
    this.#timer = undefined
    const receiver = this.#due.shift()
    if (receiver === undefined) return
    this.#timer = setTimeout(() => this.#probeFirst(), this.#intervalMs)
    receiver.lastProbe = this.nextProbe()
    this.#probe(receiver)
  }
}
