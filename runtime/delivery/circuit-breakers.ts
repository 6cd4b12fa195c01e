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

export interface CircuitBreakers {
  /** May the lane attempt now? If not, it is called when it may. To be asked before each attempt. */
  admit(receiver: string, lane: string): boolean
  /**
   * Takes the outcome of an attempt. `isWell`: the receiver answered, whatever it thinks of the delivery.
   * `waitMs`: how long it asked to be left alone.
   */
  report(receiver: string, lane: string, isWell: boolean, waitMs?: number): void
  /** The lane will not attempt anything now; if it was to be the probe, another is. To be called at the end of each run. */
  pass(lane: string): void
  /** As `pass`, when it was hindered by trouble of ours: the next lane would be too, so the breaker stays open for a while. */
  postpone(lane: string): void
  isClosed(receiver: string): boolean
  /** Whether the breaker was open at some time since then (of `performance.now()`), and closed after it. */
  hasClosedSince(receiver: string, sinceMs: number): boolean
  isProbe(lane: string): boolean
  /** Whether it is called by itself when its receiver answers. */
  isWaiting(lane: string): boolean
  /** Someone has reason to think that the receiver answers again: the probe is due now, before those of others. */
  probeNow(receiver: string): void
  /** Takes those lanes out, since they may have got another receiver. */
  release(isWanted: (lane: string) => boolean): readonly string[]
  /** `halfOpen` have a probe under way; `openings` since the start. */
  counts(): { readonly open: number; readonly halfOpen: number; readonly openings: number }
  close(): void
}

export interface CircuitBreakerOptions {
  /** The wait for the first probe is about this. */
  readonly delayMinMs: number
  /** Longest wait between two probes, unless the receiver asked for more; default 10000. */
  readonly probeMaxMs?: number
  /** Probes of all receivers together; default 50. */
  readonly probesPerSecond?: number
  /** The lane may attempt now, as the probe. */
  readonly call: (lane: string) => void
  /** A lane that waits elsewhere for this receiver, when none waits here. It is attempted whether it is due or not. */
  readonly borrow: (receiver: string) => string | undefined
  readonly onOpened?: (receiver: string, probeInMs: number) => void
  /** `lanes` waited for it. `isAll` is false when there were more than can be remembered. */
  readonly onClosed: (receiver: string, lanes: readonly string[], isAll: boolean) => void
  /** An open breaker has no lane left that could probe; it counts as closed. */
  readonly onForgotten?: (receiver: string) => void
  /** 0 to 1; a test gives its own. */
  readonly random?: () => number
}

interface Tripped {
  readonly receiver: string
  /** In a row. */
  openings: number
  /** Lanes that may attempt now. */
  readonly probes: Set<string>
  /** In the order in which they came. */
  readonly waiting: Set<string>
  isOverfull: boolean
  /** Grows with each probe of any receiver; 0 puts the receiver before all others. */
  probed: number
  /** Until the next probe is due. */
  timer: NodeJS.Timeout | undefined
}

/** So many failures in a row open a breaker. */
const OPEN_AFTER = 5
/** A receiver that is back for 15 s has got what waited, an attempt and its transfer included. */
const PROBE_MAX_MS = 10_000
const PROBES_PER_SECOND = 50
/** Probes of one receiver that have no answer yet. */
const UNANSWERED_MAX = 3
/** Lanes that are remembered, of all receivers together; the sweep finds the others. */
const WAITING_MAX = 50_000
const FAILING_MAX = 10_000

export function createCircuitBreakers(options: CircuitBreakerOptions): CircuitBreakers {
  const { delayMinMs, probeMaxMs = PROBE_MAX_MS, probesPerSecond = PROBES_PER_SECOND, random = Math.random } = options
  // Of closed breakers. Forgetting one costs some attempts.
  const failures = new LRUCache<string, number>({ max: FAILING_MAX })
  const closings = new LRUCache<string, number>({ max: FAILING_MAX })
  const tripped = new Map<string, Tripped>()
  const waiting = new Map<string, Tripped>()
  const probes = new Map<string, Tripped>()
  /** Breakers whose probe is due, the least recently probed first. */
  const due: Tripped[] = []
  let dueTimer: NodeJS.Timeout | undefined
  let probed = 0
  let openings = 0
  let isShut = false

  return {
    admit,
    report,
    pass,
    postpone(lane) {
      const breaker = probes.get(lane)
      if (breaker === undefined) return
      endProbe(breaker, lane)
      open(breaker, 0)
    },
    isClosed: (receiver) => !tripped.has(receiver),
    hasClosedSince: (receiver, sinceMs) => (closings.get(receiver) ?? Number.NEGATIVE_INFINITY) >= sinceMs,
    isProbe: (lane) => probes.has(lane),
    isWaiting: (lane) => waiting.has(lane),
    probeNow(receiver) {
      const breaker = tripped.get(receiver)
      if (breaker === undefined || breaker.probes.size > 0) return
      leaveLine(breaker)
      breaker.probed = 0
      standInLine(breaker)
    },
    release(isWanted) {
      const lanes = [...waiting.keys()].filter(isWanted)
      for (const lane of lanes) stopWaiting(lane)
      return lanes
    },
    counts() {
      let open = 0
      for (const breaker of tripped.values()) if (breaker.probes.size === 0) open += 1
      return { open, halfOpen: tripped.size - open, openings }
    },
    close() {
      isShut = true
      clearTimeout(dueTimer)
      for (const { timer } of tripped.values()) clearTimeout(timer)
      tripped.clear()
      waiting.clear()
      probes.clear()
      due.length = 0
    },
  }

  function admit(receiver: string, lane: string): boolean {
    const breaker = tripped.get(receiver)
    // Its webhook may have had another URL when it was called, or began to wait.
    if (probes.size > 0 && probes.get(lane) !== breaker) pass(lane)
    if (waiting.size > 0 && waiting.get(lane) !== breaker) stopWaiting(lane)
    if (breaker === undefined || breaker.probes.has(lane)) return true
    wait(breaker, lane)
    return false
  }

  function report(receiver: string, lane: string, isWell: boolean, waitMs = 0): void {
    const breaker = tripped.get(receiver)
    if (isWell) {
      if (breaker === undefined) failures.delete(receiver)
      else shut(breaker)
      return
    }
    // An attempt that began before the breaker opened says nothing new.
    if (breaker !== undefined) {
      if (!breaker.probes.has(lane)) return
      endProbe(breaker, lane)
      open(breaker, waitMs)
      return
    }
    const count = (failures.get(receiver) ?? 0) + 1
    failures.set(receiver, count)
    if (count < OPEN_AFTER || isShut) return
    failures.delete(receiver)
    const made: Tripped = {
      receiver,
      openings: 0,
      probes: new Set(),
      waiting: new Set(),
      isOverfull: false,
      // The attempts that opened it have probed it.
      probed: ++probed,
      timer: undefined,
    }
    tripped.set(receiver, made)
    open(made, waitMs)
  }

  function open(breaker: Tripped, waitMs: number): void {
    breaker.openings += 1
    openings += 1
    const probeInMs = scheduleProbe(breaker, waitMs)
    options.onOpened?.(breaker.receiver, probeInMs)
  }

  /** @returns how long it waits */
  function scheduleProbe(breaker: Tripped, waitMs: number): number {
    leaveLine(breaker)
    const ceilingMs = Math.min(probeMaxMs, delayMinMs * 2 ** Math.min(breaker.openings, 30))
    const probeInMs = Math.max(waitMs, Math.round((ceilingMs * (1 + random())) / 2))
    breaker.timer = setTimeout(() => standInLine(breaker), probeInMs)
    return probeInMs
  }

  function standInLine(breaker: Tripped): void {
    // Few are due at once, unless very many receivers are away: then each is moved past those that wait longer.
    let at = due.length
    while (at > 0 && (due[at - 1]?.probed ?? 0) > breaker.probed) at -= 1
    due.splice(at, 0, breaker)
    if (dueTimer === undefined) probeNext()
  }

  function leaveLine(breaker: Tripped): void {
    clearTimeout(breaker.timer)
    const at = due.indexOf(breaker)
    if (at >= 0) due.splice(at, 1)
  }

  function probeNext(): void {
    dueTimer = undefined
    const breaker = due.shift()
    if (breaker === undefined) return
    dueTimer = setTimeout(probeNext, 1000 / probesPerSecond)
    breaker.probed = ++probed
    // The next one, should this one get no answer.
    scheduleProbe(breaker, 0)
    if (breaker.probes.size < UNANSWERED_MAX) callNext(breaker)
  }

  function callNext(breaker: Tripped): void {
    const [first] = breaker.waiting
    const lane = first ?? options.borrow(breaker.receiver)
    if (lane === undefined) {
      if (breaker.probes.size === 0) forget(breaker)
      return
    }
    stopWaiting(lane)
    breaker.probes.add(lane)
    probes.set(lane, breaker)
    options.call(lane)
  }

  function forget(breaker: Tripped): void {
    leaveLine(breaker)
    tripped.delete(breaker.receiver)
    options.onForgotten?.(breaker.receiver)
  }

  function pass(lane: string): void {
    const breaker = probes.get(lane)
    if (breaker === undefined) return
    endProbe(breaker, lane)
    callNext(breaker)
  }

  function shut(breaker: Tripped): void {
    leaveLine(breaker)
    for (const lane of breaker.probes) probes.delete(lane)
    tripped.delete(breaker.receiver)
    closings.set(breaker.receiver, performance.now())
    const lanes = [...breaker.waiting]
    for (const lane of lanes) waiting.delete(lane)
    options.onClosed(breaker.receiver, lanes, !breaker.isOverfull)
  }

  function wait(breaker: Tripped, lane: string): void {
    // One at least, which can become the probe.
    if (waiting.size >= WAITING_MAX && breaker.waiting.size > 0 && !breaker.waiting.has(lane)) {
      breaker.isOverfull = true
      return
    }
    breaker.waiting.add(lane)
    waiting.set(lane, breaker)
  }

  function stopWaiting(lane: string): void {
    waiting.get(lane)?.waiting.delete(lane)
    waiting.delete(lane)
  }

  function endProbe(breaker: Tripped, lane: string): void {
    probes.delete(lane)
    breaker.probes.delete(lane)
  }
}
