/**
 * Places at receivers: how many lanes may send to one origin at once, and for one owner (an instance). Lanes without a place wait
 * outside, so that they hold no slot of the node.
 *
 * Lanes wait in groups of one owner and one origin. A place that comes free goes to the group that can use it and was served longest ago,
 * and in the group to the lane that came first. The place is kept for that lane until the lane enters.
 */
import { type Group, type LanePlace, ReceiverSides, type Side, type SideLimits } from './receiver-sides.js'

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
  /** Takes the speed of an answer. An origin that keeps being slow gets one lane at a time until it is not. */
  report(origin: string, isSlow: boolean): void
  /** Returns the number of lanes that wait for a place, of all owners. */
  waiting(): number
}

export interface ReceiversOptions extends SideLimits {
  /** Called when a place is kept for this lane. */
  readonly onFree: (lane: string) => void
}

export function createReceivers(options: ReceiversOptions): Receivers {
  return new ReceiverPlaces(options)
}

class ReceiverPlaces implements Receivers {
  readonly #onFree: (lane: string) => void
  readonly #sides: ReceiverSides
  readonly #inside = new Map<string, { readonly place: LanePlace; readonly isCounted: boolean }>()
  readonly #kept = new Map<string, LanePlace>()
  readonly #waiting = new Map<string, Group>()
  #served = 0

  constructor(options: ReceiversOptions) {
    this.#onFree = options.onFree
    this.#sides = new ReceiverSides(options)
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
    sides.receiverOf(place.origin).active += 1
    if (!isProbe) sides.ownerOf(place.owner).active += 1
    this.#inside.set(lane, { place, isCounted: !isProbe })
    return true
  }

  leave(lane: string): void {
    const held = this.#inside.get(lane)
    if (held === undefined) return
    this.#inside.delete(lane)
    this.#sides.receiverOf(held.place.origin).active -= 1
    if (held.isCounted) this.#sides.ownerOf(held.place.owner).active -= 1
    this.#offer(held.place)
  }

  pass(lane: string): void {
    const place = this.#unkeep(lane)
    if (place !== undefined) this.#offer(place)
  }

  isSlow(origin: string): boolean {
    return this.#sides.isSlow(origin)
  }

  report(origin: string, isSlow: boolean): void {
    this.#sides.report(origin, isSlow)
  }

  waiting(): number {
    return this.#waiting.size
  }

  /** Keeps free places for lanes that wait: places of the origin for any owner, and places of the owner at any origin. */
  #offer(place: LanePlace): void {
    const { origin, owner } = place
    const sides = this.#sides
    for (;;) {
      const atOrigin = sides.hasOriginRoom(origin) ? this.#firstUsable(sides.receiverOf(origin)) : undefined
      const ofOwner = sides.hasOwnerRoom(owner) ? this.#firstUsable(sides.ownerOf(owner)) : undefined
      const group = ofOwner === undefined || (atOrigin?.servedAt ?? Infinity) < ofOwner.servedAt ? atOrigin : ofOwner
      if (group === undefined) break
      this.#serve(group)
    }
    sides.forgetIdle(place)
  }

  #firstUsable({ groups }: Side): Group | undefined {
    for (const group of groups.values()) if (this.#sides.hasRoom(group.place)) return group
    return undefined
  }

  #serve(group: Group): void {
    const { place, lanes } = group
    const [lane] = lanes
    if (lane === undefined) throw new Error('A group of lanes is empty.')
    const [receiver, owner] = this.#sidesOf(place)
    receiver.groups.delete(place.owner)
    owner.groups.delete(place.origin)
    receiver.groups.set(place.owner, group)
    owner.groups.set(place.origin, group)
    group.servedAt = ++this.#served
    this.#stopWaiting(lane)
    receiver.kept += 1
    owner.kept += 1
    this.#kept.set(lane, place)
    this.#onFree(lane)
  }

  #unkeep(lane: string): LanePlace | undefined {
    const place = this.#kept.get(lane)
    if (place === undefined) return undefined
    this.#kept.delete(lane)
    for (const side of this.#sidesOf(place)) side.kept -= 1
    return place
  }

  #wait(lane: string, place: LanePlace): void {
    if (isSame(this.#waiting.get(lane)?.place, place)) return
    this.#stopWaiting(lane)
    const group = this.#groupOf(place)
    group.lanes.add(lane)
    this.#waiting.set(lane, group)
  }

  #stopWaiting(lane: string): void {
    const group = this.#waiting.get(lane)
    if (group === undefined) return
    this.#waiting.delete(lane)
    group.lanes.delete(lane)
    if (group.lanes.size > 0) return
    const [receiver, owner] = this.#sidesOf(group.place)
    receiver.groups.delete(group.place.owner)
    owner.groups.delete(group.place.origin)
  }

  #groupOf(place: LanePlace): Group {
    const [receiver, owner] = this.#sidesOf(place)
    const group = receiver.groups.get(place.owner) ?? { place, lanes: new Set<string>(), servedAt: ++this.#served }
    receiver.groups.set(place.owner, group)
    owner.groups.set(place.origin, group)
    return group
  }

  #sidesOf({ origin, owner }: LanePlace): readonly [receiver: Side, owner: Side] {
    return [this.#sides.receiverOf(origin), this.#sides.ownerOf(owner)]
  }
}

function isSame(one: LanePlace | undefined, other: LanePlace): boolean {
  return one !== undefined && one.origin === other.origin && one.owner === other.owner
}
