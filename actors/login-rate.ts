/**
 * The rate of logins of a node that sets none: as fast as its event loop, PostgreSQL and WhatsApp bear. It grows by steps while logins wait for it
 * and all is well, and falls by a part when one of them shows that it is too much.
 */

import type { LoopTimes } from './loop-pace.js'
import type { DisconnectCause } from './network/port/events.js'
import { createTokenBucket, type TokenBucket, type TokenRate } from './token-bucket.js'

/** Why the rate was lowered. */
export type LoginStrain = 'loop' | 'store' | 'network'

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
/** Time between two looks, and what the rate grows by after a good one. */
const LOOK_MS = 250
const STEP = 10
/** Share of the time of the event loop, of 1, and delay of its timers above which it is strained. */
const LOOP = { share: 0.92, lateMs: 60 }
/** Mean duration of a commit above which PostgreSQL is strained. Mostly it takes 2 to 20 ms. */
const COMMIT_MS = 200
/** Logins that fail: so many at least, and so large a part of those that ended. One account behind a broken route slows no other. */
const REFUSED = { min: 3, part: 0.2 }
/** Factor of a fall of the rate, and its floor: accounts come back also on a node that other work keeps busy. */
const LOWERED = { loop: { by: 0.8, min: 20 }, store: { by: 0.7, min: 10 }, network: { by: 0.5, min: 2 } } as const
const MIN = 2
/** Time without growth after the network has refused logins. */
const REFUSED_REST_MS = 5_000
/** Ends of a login that mean that the network, or the way to it, takes no more at present. */
const REFUSALS: ReadonlySet<DisconnectCause> = new Set(['unavailable', 'unreachable', 'lost', 'dead'])

/** Changes since the last look. */
interface Tally {
  opened: number
  refused: number
  commits: number
  commitsMs: number
}

export class LoginRate {
  readonly #options: LoginRateOptions
  readonly #loopTimes: () => LoopTimes
  #rate = LOGIN_RATE_START
  #tally: Tally = emptyTally()
  #last: LoopTimes
  #restUntilMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(options: LoginRateOptions) {
    this.#options = options
    this.#loopTimes = options.loopTimes ?? ofThisProcess
    this.#last = this.#loopTimes()
  }

  /** Logins that may begin in a second. */
  get perSecond(): number {
    const share = this.#options.clusterMax / Math.max(1, this.#options.nodes())
    return Math.max(MIN, Math.min(this.#rate, share, MAX))
  }

  get burst(): number {
    return Math.max(1, Math.min(this.perSecond, BURST_MAX))
  }

  /** Looks from time to time as long as logins wait. */
  follow(waiting: () => number): void {
    if (this.#timer !== undefined) return
    this.#last = this.#loopTimes()
    this.#tally = emptyTally()
    this.#plan(waiting)
  }

  committed(durationMs: number): void {
    this.#tally.commits += 1
    this.#tally.commitsMs += durationMs
  }

  /** Notes how a login has ended: null when its connection was opened. */
  ended(cause: DisconnectCause | null): void {
    if (cause === null) this.#tally.opened += 1
    else if (REFUSALS.has(cause)) this.#tally.refused += 1
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
    this.#last = now
    this.#tally = emptyTally()
    if (strain !== null) {
      const { by, min } = LOWERED[strain]
      this.#rate = Math.min(this.perSecond, Math.max(min, this.perSecond * by))
      if (strain === 'network') this.#restUntilMs = now.atMs + REFUSED_REST_MS
      this.#options.onLowered?.(strain)
    } else if (isWaiting && now.atMs >= this.#restUntilMs) this.#rate = Math.min(MAX, this.perSecond + STEP)
  }

  #strain(now: LoopTimes): LoginStrain | null {
    const { opened, refused, commits, commitsMs } = this.#tally
    if (refused >= REFUSED.min && refused >= REFUSED.part * (opened + refused)) return 'network'
    if (commits > 0 && commitsMs / commits > COMMIT_MS) return 'store'
    const [passedMs, activeMs] = [now.atMs - this.#last.atMs, now.activeMs - this.#last.activeMs]
    const isBusy = activeMs > LOOP.share * passedMs || passedMs - LOOK_MS > LOOP.lateMs
    return isBusy ? 'loop' : null
  }
}

/** Turns of logins. */
export interface Logins extends TokenBucket {
  /** Notes how a login has ended: null when its connection was opened. */
  ended(cause: DisconnectCause | null): void
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
    ended: (cause) => adaptive?.ended(cause),
    get taken() {
      return bucket.taken
    },
    get waiting() {
      return bucket.waiting
    },
  }
}

function emptyTally(): Tally {
  return { opened: 0, refused: 0, commits: 0, commitsMs: 0 }
}

function ofThisProcess(): LoopTimes {
  const { active, idle } = performance.eventLoopUtilization()
  return { atMs: performance.now(), activeMs: active, idleMs: idle }
}
