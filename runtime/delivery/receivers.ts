/**
 * Places at receivers: how many lanes may send to one origin at once (`ReceiverPace`), and for one owner (an instance). Lanes without a place
 * wait outside, so that they hold no slot of the node.
 *
 * Lanes wait in groups of one owner and one origin. A place at an origin that comes free goes to the owner that has used places for the least time
 * (`FairShares`): a receiver that answers slowly delays the deliveries of its own owner only. An owner's own place goes to the origin that was served
 * longest ago, and in a group to the lane that came first. The place is kept for that lane until the lane enters.
 */
import { FairShares } from '../work/fair-shares.js'
import {
  type AnsweredPace,
  type Group,
  type LanePlace,
  type PlaceCounts,
  ReceiverSides,
  type Side,
  type SideLimits,
} from './receiver-sides.js'

export interface Receivers {
  /**
   * Takes a place. Returns false when there is none: `onFree` is called when one comes free. A probe finds out whether a receiver is there
   * again, so it counts for no owner, and a slow origin has places for it: attempts that hang must not keep it from that.
   */
  enter(place: LanePlace, lane: string, isProbe?: boolean): boolean
  /** Gives back the place that the lane has taken. */
  leave(lane: string): void
  /** Gives the place that is kept for the lane to another lane. */
  pass(lane: string): void
  isSlow(origin: string): boolean
  /** Takes the outcome of an attempt. An origin that keeps being slow gets one lane at a time until it is not. */
  report(origin: string, answered: AnsweredPace): void
  places(): PlaceCounts
  /** Returns the number of lanes that wait for a place, of all owners. */
  waiting(): number
}

export interface ReceiversOptions extends SideLimits {
  /** Called when a place is kept for this lane. */
  readonly onFree: (lane: string) => void
  /** For tests: another clock. */
  readonly now?: () => number
}

export function createReceivers(options: ReceiversOptions): Receivers {
  return new ReceiverPlaces(options)
}

class ReceiverPlaces implements Receivers {
  readonly #onFree: (lane: string) => void
  readonly #now: () => number
  readonly #sides: ReceiverSides
  readonly #shares = new FairShares()
  readonly #inside = new Map<string, { readonly place: LanePlace; readonly isCounted: boolean }>()
  readonly #kept = new Map<string, LanePlace>()
  readonly #waiting = new Map<string, Group>()
  #served = 0

  constructor(options: ReceiversOptions) {
    this.#onFree = options.onFree
    this.#now = options.now ?? (() => performance.now())
    this.#sides = new ReceiverSides(options, () => this.#inside.size + this.#kept.size)
  }

  enter(place: LanePlace, lane: string, isProbe = false): boolean {
    const sides = this.#sides
    // Its webhook may have got another URL meanwhile.
    const isKept = isSame(this.#kept.get(lane), place)
    if (isKept) this.#unkeep(lane)
    else this.pass(lane)
    const isFree = isProbe ? sides.hasRoomForProbe(place.origin) : sides.hasRoom(place)
    if (!isFree) {
      this.#wait(lane, place)
      if (isKept) this.#offer(place)
      return false
    }
    this.#stopWaiting(lane)
    sides.takeReceiver(place.origin).active += 1
    if (!isProbe) {
      sides.takeOwner(place.owner).active += 1
      this.#shares.begin(place.owner, this.#now())
    }
    this.#inside.set(lane, { place, isCounted: !isProbe })
    return true
  }

  leave(lane: string): void {
    const held = this.#inside.get(lane)
    if (held === undefined) return
    this.#inside.delete(lane)
    this.#sides.takeReceiver(held.place.origin).active -= 1
    if (held.isCounted) {
      this.#sides.takeOwner(held.place.owner).active -= 1
      this.#shares.end(held.place.owner, this.#now())
    }
    if (this.#inside.size === 0 && this.#kept.size === 0 && this.#waiting.size === 0) this.#shares.reset()
    this.#offer(held.place)
  }

  pass(lane: string): void {
    const place = this.#unkeep(lane)
    if (place !== undefined) this.#offer(place)
  }

  isSlow(origin: string): boolean {
    return this.#sides.isSlow(origin)
  }

  report(origin: string, answered: AnsweredPace): void {
    this.#sides.report(origin, answered, this.#now())
  }

  places(): PlaceCounts {
    return this.#sides.places()
  }

  waiting(): number {
    return this.#waiting.size
  }

  /** Keeps free places for lanes that wait: places of the origin for any owner, and places of the owner at any origin. */
  #offer(place: LanePlace): void {
    const { origin, owner } = place
    const sides = this.#sides
    for (;;) {
      const atOrigin = sides.hasOriginRoom(origin) ? this.#fairest(sides.takeReceiver(origin)) : undefined
      const ofOwner = sides.hasOwnerRoom(owner) ? this.#firstUsable(sides.takeOwner(owner)) : undefined
      const group = chooseFirst(atOrigin, ofOwner)
      if (group === undefined) break
      this.#serve(group)
    }
    sides.forgetIdle(place)
  }

  /** Returns the group of an origin with room whose owner has used the least time. */
  #fairest({ groups }: Side): Group | undefined {
    const usable: string[] = []
    for (const owner of groups.keys()) if (this.#sides.hasOwnerRoom(owner)) usable.push(owner)
    const owner = this.#shares.choose(usable, this.#now())
    return owner === undefined ? undefined : groups.get(owner)
  }

  #firstUsable({ groups }: Side): Group | undefined {
    for (const group of groups.values()) if (this.#sides.hasRoom(group.place)) return group
    return undefined
  }

  #serve(group: Group): void {
    const { place, lanes } = group
    const [lane] = lanes
    if (lane === undefined) throw new Error('A group of lanes is empty.')
    const [receiver, owner] = this.#findSides(place)
    receiver.groups.delete(place.owner)
    owner.groups.delete(place.origin)
    receiver.groups.set(place.owner, group)
    owner.groups.set(place.origin, group)
    group.servedAt = ++this.#served
    this.#stopWaiting(lane)
    receiver.kept += 1
    owner.kept += 1
    this.#kept.set(lane, place)
    this.#shares.begin(place.owner, this.#now())
    this.#onFree(lane)
  }

  #unkeep(lane: string): LanePlace | undefined {
    const place = this.#kept.get(lane)
    if (place === undefined) return undefined
    this.#kept.delete(lane)
    this.#shares.end(place.owner, this.#now())
    for (const side of this.#findSides(place)) side.kept -= 1
    return place
  }

  #wait(lane: string, place: LanePlace): void {
    if (isSame(this.#waiting.get(lane)?.place, place)) return
    this.#stopWaiting(lane)
    const group = this.#takeGroup(place)
    group.lanes.add(lane)
    this.#waiting.set(lane, group)
  }

  #stopWaiting(lane: string): void {
    const group = this.#waiting.get(lane)
    if (group === undefined) return
    this.#waiting.delete(lane)
    group.lanes.delete(lane)
    if (group.lanes.size > 0) return
    const [receiver, owner] = this.#findSides(group.place)
    receiver.groups.delete(group.place.owner)
    owner.groups.delete(group.place.origin)
  }

  #takeGroup(place: LanePlace): Group {
    const [receiver, owner] = this.#findSides(place)
    const group = receiver.groups.get(place.owner) ?? { place, lanes: new Set<string>(), servedAt: ++this.#served }
    receiver.groups.set(place.owner, group)
    owner.groups.set(place.origin, group)
    return group
  }

  #findSides({ origin, owner }: LanePlace): readonly [receiver: Side, owner: Side] {
    return [this.#sides.takeReceiver(origin), this.#sides.takeOwner(owner)]
  }
}

/** Returns the group that gets a place. Of two groups of one owner, which may share its only place, it is the one that was served longest ago. */
function chooseFirst(atOrigin: Group | undefined, ofOwner: Group | undefined): Group | undefined {
  if (atOrigin === undefined || ofOwner === undefined) return atOrigin ?? ofOwner
  return atOrigin.place.owner === ofOwner.place.owner && ofOwner.servedAt < atOrigin.servedAt ? ofOwner : atOrigin
}

function isSame(one: LanePlace | undefined, other: LanePlace): boolean {
  return one !== undefined && one.origin === other.origin && one.owner === other.owner
}
