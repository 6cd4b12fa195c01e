/**
 * The rate of logins of a node that sets none: as fast as its event loop, PostgreSQL and WhatsApp bear. It grows by a fifth while logins wait for
 * it, connections open and the event loop has room, and falls by a part when one of them shows that it is too much.
 */

import type { LoopTimes } from './loop-pace.js'
import type { DisconnectCause } from './network/port/events.js'
import { createTokenBucket, type TokenBucket, type TokenRate } from './token-bucket.js'

/** Why the rate was lowered. */
export type LoginStrain = 'loop' | 'store' | 'late' | 'network'

export interface LoginRateOptions {
  /** Logins a second of all nodes together. */
  readonly clusterMax: number
  /** Returns the number of living nodes, of which each has an equal share of `clusterMax`. */
  readonly nodes: () => number
  readonly onLowered?: (strain: LoginStrain) => void
  /** Default: those of this process. */
  readonly loopTimes?: () => LoopTimes
}

/** Rate before anything is known. */
export const LOGIN_RATE_START = 50
/** So many logins may begin at once after a time without any. */
const BURST_MAX = 50
const MAX = 500
/** Time between two looks, and the factor of the rate after a good one. */
const LOOK_MS = 100
const GROWTH = 1.2
/** Share of the time of the event loop, of 1, above which the rate does not grow, and delay of its timers above which it is strained. */
const LOOP = { shareMax: 0.92, lateMs: 60 }
/** Mean duration of a commit above which PostgreSQL is strained. Mostly it takes 2 to 20 ms. */
const COMMIT_MS = 200
/** Duration of a login above which it is late. Mostly it takes some tenths of a second. */
const LATE_MS = 2_000
/** Time for which logins that have ended are counted, and the least number and part of them that show strain. One account slows no other. */
const ENDED_MS = 1_000
const LATE = { min: 3, part: 0.5 }
const REFUSED = { min: 3, part: 0.2 }
/**
 * Factor of a fall of the rate, and its floor. A busy event loop or PostgreSQL alone does not take it below where it begins: accounts come
 * back also on a node that other work keeps busy.
 */
const LOWERED = {
  loop: { by: 0.8, min: LOGIN_RATE_START },
  store: { by: 0.7, min: LOGIN_RATE_START },
  late: { by: 0.7, min: 10 },
  network: { by: 0.5, min: 2 },
} as const
const MIN = 2
/** Minimum time between two falls: what began before the first of them still shows. */
const FALLS_MS = 300
/** Time without growth after the network has refused logins. */
const REFUSED_REST_MS = 5_000
/** Ends of a login that mean that the network, or the way to it, takes no more at present. */
const REFUSALS: ReadonlySet<DisconnectCause> = new Set(['unavailable', 'unreachable', 'lost', 'dead'])

/** Changes since the last look. */
interface Tally {
  opened: number
  commits: number
  commitsMs: number
}

/** Logins that have ended in a span of time. */
interface Ended {
  readonly sinceMs: number
  opened: number
  late: number
  refused: number
}

export class LoginRate {
  readonly #options: LoginRateOptions
  readonly #loopTimes: () => LoopTimes
  #rate = LOGIN_RATE_START
  #tally: Tally = emptyTally()
  #ended: Ended
  #last: LoopTimes
  #restUntilMs = Number.NEGATIVE_INFINITY
  #nextFallMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(options: LoginRateOptions) {
    this.#options = options
    this.#loopTimes = options.loopTimes ?? ofThisProcess
    this.#last = this.#loopTimes()
    this.#ended = noneEnded(this.#last.atMs)
  }

  /** Logins that may begin in a second. */
  get perSecond(): number {
    const share = this.#options.clusterMax / Math.max(1, this.#options.nodes())
    return Math.max(MIN, Math.min(this.#rate, share))
  }

  get burst(): number {
    return Math.max(1, Math.min(this.perSecond, BURST_MAX))
  }

  /** Looks from time to time as long as logins wait. */
  follow(waiting: () => number): void {
    if (this.#timer !== undefined) return
    this.#last = this.#loopTimes()
    this.#tally = emptyTally()
    this.#ended = noneEnded(this.#last.atMs)
    this.#plan(waiting)
  }

  committed(durationMs: number): void {
    this.#tally.commits += 1
    this.#tally.commitsMs += durationMs
  }

  /** Notes how a login has ended, null when its connection was opened, and its duration, null if it waited for a person. */
  ended(cause: DisconnectCause | null, durationMs: number | null): void {
    if (cause !== null) this.#ended.refused += REFUSALS.has(cause) ? 1 : 0
    else {
      this.#tally.opened += 1
      this.#ended.opened += 1
      this.#ended.late += (durationMs ?? 0) > LATE_MS ? 1 : 0
    }
  }

  #plan(waiting: () => number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#look(waiting() > 0)
      if (waiting() > 0) this.#plan(waiting)
    }, LOOK_MS)
    this.#timer.unref()
  }

  #look(isWaiting: boolean): void {
    const now = this.#loopTimes()
    const strain = this.#strain(now)
    const hasRoom = now.activeMs - this.#last.activeMs <= LOOP.shareMax * (now.atMs - this.#last.atMs)
    const mayGrow = hasRoom || this.#rate < LOGIN_RATE_START
    // A network that answers none refuses none either, for a long time.
    const hasOpened = this.#tally.opened > 0
    this.#last = now
    this.#tally = emptyTally()
    if (now.atMs - this.#ended.sinceMs >= ENDED_MS) this.#ended = noneEnded(now.atMs)
    if (strain !== null) this.#lower(strain, now.atMs)
    else if (isWaiting && mayGrow && hasOpened && now.atMs >= this.#restUntilMs)
      this.#rate = Math.min(MAX, this.perSecond * GROWTH)
  }

  #lower(strain: LoginStrain, nowMs: number): void {
    if (nowMs < this.#nextFallMs) return
    this.#nextFallMs = nowMs + FALLS_MS
    const { by, min } = LOWERED[strain]
    this.#rate = Math.min(this.perSecond, Math.max(min, this.perSecond * by))
    if (strain === 'network') this.#restUntilMs = nowMs + REFUSED_REST_MS
    // One login shows strain once.
    if (strain === 'network' || strain === 'late') this.#ended = noneEnded(nowMs)
    this.#options.onLowered?.(strain)
  }

  #strain(now: LoopTimes): LoginStrain | null {
    const { opened, late, refused } = this.#ended
    if (refused >= REFUSED.min && refused >= REFUSED.part * (opened + refused)) return 'network'
    if (late >= LATE.min && late >= LATE.part * opened) return 'late'
    const { commits, commitsMs } = this.#tally
    if (commits > 0 && commitsMs / commits > COMMIT_MS) return 'store'
    return now.atMs - this.#last.atMs - LOOK_MS > LOOP.lateMs ? 'loop' : null
  }
}

/** Turns of logins. */
export interface Logins extends TokenBucket {
  /** Notes how a login has ended, null when its connection was opened, and its duration, null if it waited for a person. */
  ended(cause: DisconnectCause | null, durationMs: number | null): void
}

export function createLogins(rate: TokenRate | LoginRate): Logins {
  const bucket = createTokenBucket(rate)
  const adaptive = rate instanceof LoginRate ? rate : null
  return {
    take(go, order) {
      const takeBack = bucket.take(go, order)
      if (bucket.waiting > 0) adaptive?.follow(() => bucket.waiting)
      return takeBack
    },
    available: () => bucket.available(),
    ended: (cause, durationMs) => adaptive?.ended(cause, durationMs),
    get taken() {
      return bucket.taken
    },
    get waiting() {
      return bucket.waiting
    },
  }
}

function emptyTally(): Tally {
  return { opened: 0, commits: 0, commitsMs: 0 }
}

function noneEnded(sinceMs: number): Ended {
  return { sinceMs, opened: 0, late: 0, refused: 0 }
}

function ofThisProcess(): LoopTimes {
  const { active, idle } = performance.eventLoopUtilization()
  return { atMs: performance.now(), activeMs: active, idleMs: idle }
}
