/** The origins and owners between which lanes send, and how many lanes each has. */
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'
import { type PaceSample, type PaceState, ReceiverPace } from './receiver-pace.js'

export interface LanePlace {
  readonly origin: string
  /** Owner of the webhook. */
  readonly owner: string
}

/** Lanes of one owner that wait for one origin. */
export interface Group {
  readonly place: LanePlace
  readonly lanes: Set<string>
  /** Grows with each place that is given to any group. */
  servedAt: number
}

/** An origin or an owner. */
export interface Side {
  /** Lanes that send. */
  active: number
  /** Places that are kept for lanes. */
  kept: number
  /** By owner for an origin, by origin for an owner. The group that was served longest ago is the first. */
  readonly groups: Map<string, Group>
}

interface Receiver extends Side {
  /** Slow answers in a row. */
  slow: number
  readonly pace: ReceiverPace
}

/** An attempt at a receiver, when it has ended. */
export type AnsweredPace = Omit<PaceSample, 'isFull'>

/** Receivers in use and their places. Slow receivers have one place. */
export type PlaceCounts = Readonly<Record<PaceState | 'slow', { receivers: number; places: number; used: number }>>

export interface SideLimits {
  /** Lanes to one origin: at the start, and at most. */
  readonly lanesMin: number
  readonly lanesMax: number
  /** Lanes to all origins above which an origin gets no more than `lanesMin`, so that slots are left for the others. */
  readonly grownLanesMax: number
  readonly ownerLanesMax: (owner: string) => number
}

/** Slow answers in a row after which an origin gets one lane at a time. */
const SLOW_AFTER = 5
/** Idle origins whose places are remembered, and for how long. */
const REMEMBERED_MAX = 2_000
const REMEMBERED_MS = 60_000

export class ReceiverSides {
  readonly #limits: SideLimits
  readonly #receivers = new Map<string, Receiver>()
  readonly #owners = new Map<string, Side>()
  readonly #idle = new LRUCache<string, ReceiverPace>({ ...entriesMax(REMEMBERED_MAX), ttl: REMEMBERED_MS })
  readonly #busy: () => number

  /** @param busy returns the number of lanes of all origins that send, or for which places are kept */
  constructor(limits: SideLimits, busy: () => number) {
    this.#limits = limits
    this.#busy = busy
  }

  takeReceiver(origin: string): Receiver {
    const known = this.#receivers.get(origin)
    if (known !== undefined) return known
    const { lanesMin, lanesMax } = this.#limits
    const pace = this.#idle.get(origin) ?? new ReceiverPace({ start: lanesMin, max: lanesMax })
    this.#idle.delete(origin)
    const receiver = { active: 0, kept: 0, slow: 0, groups: new Map<string, Group>(), pace }
    this.#receivers.set(origin, receiver)
    return receiver
  }

  takeOwner(name: string): Side {
    const owner = this.#owners.get(name) ?? { active: 0, kept: 0, groups: new Map() }
    this.#owners.set(name, owner)
    return owner
  }

  /** Returns true when a probe may begin. A slow origin has all its places for probes. */
  hasRoomForProbe(origin: string): boolean {
    return this.takeReceiver(origin).active < this.#limits.lanesMax
  }

  hasRoom({ origin, owner }: LanePlace): boolean {
    return this.hasOriginRoom(origin) && this.hasOwnerRoom(owner)
  }

  /** Returns true when a lane may begin. No waiting lane is lost here: an origin without room has a lane whose end looks again. */
  hasOriginRoom(origin: string): boolean {
    const { active, kept, pace } = this.takeReceiver(origin)
    const { lanesMin, grownLanesMax } = this.#limits
    const used = active + kept
    if (used >= (this.isSlow(origin) ? 1 : pace.places)) return false
    return used < lanesMin || this.#busy() < grownLanesMax
  }

  hasOwnerRoom(name: string): boolean {
    const { active, kept } = this.takeOwner(name)
    return active + kept < this.#limits.ownerLanesMax(name)
  }

  isSlow(origin: string): boolean {
    return (this.#receivers.get(origin)?.slow ?? 0) >= SLOW_AFTER
  }

  report(origin: string, { isSlow, isWell, durationMs }: AnsweredPace, nowMs: number): void {
    const receiver = this.#receivers.get(origin)
    if (receiver === undefined) return
    const { active, kept, pace, groups } = receiver
    const used = active + kept
    receiver.slow = isSlow ? receiver.slow + 1 : 0
    // Places that have just grown are taken a moment later.
    const isFull = used >= pace.places || (groups.size > 0 && used * 2 >= pace.places)
    pace.take({ isWell, isSlow, durationMs, isFull }, nowMs)
  }

  places(): PlaceCounts {
    const none = () => ({ receivers: 0, places: 0, used: 0 })
    const counts = { start: none(), grown: none(), reduced: none(), slow: none() }
    for (const { active, kept, slow, pace } of this.#receivers.values()) {
      const isSlow = slow >= SLOW_AFTER
      const count = counts[isSlow ? 'slow' : pace.state]
      count.receivers += 1
      count.places += isSlow ? 1 : pace.places
      count.used += active + kept
    }
    return counts
  }

  forgetIdle({ origin, owner }: LanePlace): void {
    const receiver = this.#receivers.get(origin)
    // A slow origin is remembered: the next lane would begin with all places otherwise.
    if (receiver !== undefined && isIdle(receiver) && receiver.slow === 0) {
      this.#receivers.delete(origin)
      this.#idle.set(origin, receiver.pace)
    }
    const side = this.#owners.get(owner)
    if (side !== undefined && isIdle(side)) this.#owners.delete(owner)
  }
}

function isIdle({ active, kept, groups }: Side): boolean {
  return active === 0 && kept === 0 && groups.size === 0
}
