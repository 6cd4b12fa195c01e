/** The origins and owners between which lanes send, and how many lanes each has. */

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
}

export interface SideLimits {
  /** Maximum of lanes to one origin. */
  readonly lanesMax: number
  readonly ownerLanesMax: (owner: string) => number
}

/** Slow answers in a row after which an origin gets one lane at a time. */
const SLOW_AFTER = 5

export class ReceiverSides {
  readonly #limits: SideLimits
  readonly #receivers = new Map<string, Receiver>()
  readonly #owners = new Map<string, Side>()

  constructor(limits: SideLimits) {
    this.#limits = limits
  }

  receiverOf(origin: string): Receiver {
    const receiver = this.#receivers.get(origin) ?? { active: 0, kept: 0, slow: 0, groups: new Map() }
    this.#receivers.set(origin, receiver)
    return receiver
  }

  ownerOf(name: string): Side {
    const owner = this.#owners.get(name) ?? { active: 0, kept: 0, groups: new Map() }
    this.#owners.set(name, owner)
    return owner
  }

  /** Returns true when a probe may begin. A slow origin has all its places for probes. */
  hasRoomForProbe(origin: string): boolean {
    return this.receiverOf(origin).active < this.#limits.lanesMax
  }

  hasRoom({ origin, owner }: LanePlace): boolean {
    return this.hasOriginRoom(origin) && this.hasOwnerRoom(owner)
  }

  hasOriginRoom(origin: string): boolean {
    const receiver = this.receiverOf(origin)
    return receiver.active + receiver.kept < (this.isSlow(origin) ? 1 : this.#limits.lanesMax)
  }

  hasOwnerRoom(name: string): boolean {
    const { active, kept } = this.ownerOf(name)
    return active + kept < this.#limits.ownerLanesMax(name)
  }

  isSlow(origin: string): boolean {
    return (this.#receivers.get(origin)?.slow ?? 0) >= SLOW_AFTER
  }

  report(origin: string, isSlow: boolean): void {
    const receiver = this.#receivers.get(origin)
    if (receiver !== undefined) receiver.slow = isSlow ? receiver.slow + 1 : 0
  }

  forgetIdle({ origin, owner }: LanePlace): void {
    const receiver = this.#receivers.get(origin)
    // A slow origin is remembered: the next lane would begin with all places otherwise.
    if (receiver !== undefined && isIdle(receiver) && receiver.slow === 0) this.#receivers.delete(origin)
    const side = this.#owners.get(owner)
    if (side !== undefined && isIdle(side)) this.#owners.delete(owner)
  }
}

function isIdle({ active, kept, groups }: Side): boolean {
  return active === 0 && kept === 0 && groups.size === 0
}
