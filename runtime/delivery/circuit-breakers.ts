/**
 * A circuit breaker for each receiver (the URL of a webhook), so that one that is away costs no attempts and no places.
 *
 * - Closed: every lane may attempt. Some failures in a row, without a success between them, open it.
 * - Open: no lane may, until a probe is due. The wait doubles with each probe that fails, up to a bound, with jitter.
 * - Half-open: one lane may, the probe. It takes turns, so that the attempts are not all one delivery's. An answer closes the
 *   breaker and calls every lane that waits; a failure opens it again.
 *
 * What is not closed exists only while a lane waits for it: the next lane would find it closed otherwise, and open it again.
 */
import { LRUCache } from 'lru-cache'

export interface CircuitBreakers {
  /** May the lane attempt now? If not, it is called when it may. To be asked before each attempt. */
  admit(receiver: string, lane: string): boolean
  /**
   * What became of an attempt. `isWell`: the receiver answered, whatever it thinks of the delivery.
   * `waitMs`: how long it asked to be left alone.
   */
  report(receiver: string, lane: string, isWell: boolean, waitMs?: number): void
  /** The lane will not attempt anything now; if it was to be the probe, another is. To be called at the end of each run. */
  pass(lane: string): void
  /** As `pass`, when it was hindered by trouble of ours: the next lane would be too, so the breaker stays open for a while. */
  postpone(lane: string): void
  isClosed(receiver: string): boolean
  /** Whether it is called by itself when its receiver answers. */
  isWaiting(lane: string): boolean
  /** Someone has reason to think that the receiver answers again: the probe is due now. */
  probeNow(receiver: string): void
  /** Takes those lanes out, since they may have got another receiver. */
  release(isWanted: (lane: string) => boolean): readonly string[]
  /** `openings` since the start. */
  counts(): { readonly open: number; readonly halfOpen: number; readonly openings: number }
  close(): void
}

export interface CircuitBreakerOptions {
  /** The wait for the first probe is about this, and never longer than `delayMaxMs`. */
  readonly delayMinMs: number
  readonly delayMaxMs: number
  /** The lane may attempt now, as the probe. */
  readonly call: (lane: string) => void
  /** A lane that waits elsewhere for this receiver, when none waits here. It is attempted whether it is due or not. */
  readonly borrow: (receiver: string) => string | undefined
  readonly onOpened?: (receiver: string, probeInMs: number) => void
  /** `lanes` waited for it. `isAll` is false when there were more than can be remembered. */
  readonly onClosed: (receiver: string, lanes: readonly string[], isAll: boolean) => void
  /** 0 to 1; a test gives its own. */
  readonly random?: () => number
}

interface Tripped {
  readonly receiver: string
  state: 'open' | 'half-open'
  /** In a row. */
  openings: number
  probe: string | undefined
  /** In the order in which they came. */
  readonly waiting: Set<string>
  isOverfull: boolean
  timer: NodeJS.Timeout | undefined
}

/** So many failures in a row open a breaker. */
const OPEN_AFTER = 5
/** Lanes that are remembered, of all receivers together; the sweep finds the others. */
const WAITING_MAX = 50_000
const FAILING_MAX = 10_000

export function createCircuitBreakers(options: CircuitBreakerOptions): CircuitBreakers {
  const { delayMinMs, delayMaxMs, random = Math.random } = options
  // Of closed breakers. Forgetting one costs some attempts.
  const failures = new LRUCache<string, number>({ max: FAILING_MAX })
  const tripped = new Map<string, Tripped>()
  const waiting = new Map<string, Tripped>()
  const probes = new Map<string, Tripped>()
  let openings = 0
  let isShut = false

  return {
    admit,
    report,
    pass,
    postpone(lane) {
      const breaker = probes.get(lane)
      if (breaker !== undefined) open(breaker, 0)
    },
    isClosed: (receiver) => !tripped.has(receiver),
    isWaiting: (lane) => waiting.has(lane),
    probeNow(receiver) {
      const breaker = tripped.get(receiver)
      if (breaker?.state === 'open') probe(breaker)
    },
    release(isWanted) {
      const lanes = [...waiting.keys()].filter(isWanted)
      for (const lane of lanes) stopWaiting(lane)
      return lanes
    },
    counts() {
      let open = 0
      for (const { state } of tripped.values()) if (state === 'open') open += 1
      return { open, halfOpen: tripped.size - open, openings }
    },
    close() {
      isShut = true
      for (const { timer } of tripped.values()) clearTimeout(timer)
      tripped.clear()
      waiting.clear()
      probes.clear()
    },
  }

  function admit(receiver: string, lane: string): boolean {
    const breaker = tripped.get(receiver)
    // Its webhook may have had another URL when it was called, or began to wait.
    if (probes.size > 0 && probes.get(lane) !== breaker) pass(lane)
    if (waiting.size > 0 && waiting.get(lane) !== breaker) stopWaiting(lane)
    if (breaker === undefined) return true
    if (breaker.state === 'half-open' && (breaker.probe ?? lane) === lane) {
      stopWaiting(lane)
      makeProbe(breaker, lane)
      return true
    }
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
      if (breaker.probe === lane) open(breaker, waitMs)
      return
    }
    const count = (failures.get(receiver) ?? 0) + 1
    failures.set(receiver, count)
    if (count < OPEN_AFTER || isShut) return
    failures.delete(receiver)
    const made: Tripped = {
      receiver,
      state: 'open',
      openings: 0,
      probe: undefined,
      waiting: new Set(),
      isOverfull: false,
      timer: undefined,
    }
    tripped.set(receiver, made)
    open(made, waitMs)
  }

  function open(breaker: Tripped, waitMs: number): void {
    endProbe(breaker)
    breaker.state = 'open'
    breaker.openings += 1
    openings += 1
    const ceilingMs = Math.min(delayMaxMs, delayMinMs * 2 ** Math.min(breaker.openings, 30))
    const probeInMs = Math.max(waitMs, Math.round((ceilingMs * (1 + random())) / 2))
    breaker.timer = setTimeout(() => probe(breaker), probeInMs)
    options.onOpened?.(breaker.receiver, probeInMs)
  }

  function probe(breaker: Tripped): void {
    clearTimeout(breaker.timer)
    breaker.state = 'half-open'
    callNext(breaker)
  }

  function callNext(breaker: Tripped): void {
    const [first] = breaker.waiting
    const lane = first ?? options.borrow(breaker.receiver)
    if (lane === undefined) {
      tripped.delete(breaker.receiver)
      return
    }
    stopWaiting(lane)
    makeProbe(breaker, lane)
    options.call(lane)
  }

  function pass(lane: string): void {
    const breaker = probes.get(lane)
    if (breaker === undefined) return
    endProbe(breaker)
    callNext(breaker)
  }

  function shut(breaker: Tripped): void {
    clearTimeout(breaker.timer)
    endProbe(breaker)
    tripped.delete(breaker.receiver)
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

  function makeProbe(breaker: Tripped, lane: string): void {
    breaker.probe = lane
    probes.set(lane, breaker)
  }

  function endProbe(breaker: Tripped): void {
    if (breaker.probe !== undefined) probes.delete(breaker.probe)
    breaker.probe = undefined
  }
}
