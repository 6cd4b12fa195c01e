/**
 * Places at receivers: how many lanes may speak to one origin at once, and for one owner (an instance). Lanes without a place wait
 * outside, so that they hold no slot of the node.
 *
 * Lanes wait in groups of one owner and one origin. A place that comes free goes to the group that can use it and was served longest ago,
 * and in the group to the lane that came first. It is kept for that lane until it comes.
 */
export interface Receivers {
  /**
   * Takes a place; false when there is none: `onFree` is called when one comes free. A probe finds out whether a receiver is there again, so
   * it counts for no owner, and a slow origin has places for it: attempts that hang must not keep it from that.
   */
  enter(place: Place, lane: string, isProbe?: boolean): boolean
  /** Gives the place back that the lane has taken. */
  leave(lane: string): void
  /** The lane does not want the place that is kept for it; another gets it. */
  pass(lane: string): void
  isSlow(origin: string): boolean
  /** How an answer came: an origin that keeps being slow gets one lane at a time until it is not. */
  report(origin: string, isSlow: boolean): void
  /** Lanes that wait for a place, of all owners. */
  waiting(): number
}

export interface Place {
  readonly origin: string
  /** Whose webhook it is. */
  readonly owner: string
}

interface Group {
  readonly place: Place
  readonly lanes: Set<string>
  /** Grows with each place that is given to any group. */
  servedAt: number
}

/** An origin or an owner. */
interface Side {
  active: number
  /** Places that are kept for lanes. */
  kept: number
  /** By owner for an origin, by origin for an owner; the one that was served longest ago is the first. */
  readonly groups: Map<string, Group>
}

interface Receiver extends Side {
  /** Slow answers in a row. */
  slow: number
}

const SLOW_AFTER = 5

export function createReceivers(options: {
  /** Of one origin. */
  readonly lanesMax: number
  readonly ownerLanesMax: (owner: string) => number
  /** A place is kept for this lane. */
  readonly onFree: (lane: string) => void
}): Receivers {
  const receivers = new Map<string, Receiver>()
  const owners = new Map<string, Side>()
  const inside = new Map<string, { readonly place: Place; readonly isCounted: boolean }>()
  const kept = new Map<string, Place>()
  const waiting = new Map<string, Group>()
  let served = 0
  return {
    enter,
    leave,
    pass,
    report,
    isSlow: (origin) => isSlow(receivers.get(origin)),
    waiting: () => waiting.size,
  }

  function enter(place: Place, lane: string, isProbe = false): boolean {
    // Its webhook may have got another URL meanwhile.
    const isKept = isSame(kept.get(lane), place)
    if (isKept) unkeep(lane)
    else pass(lane)
    const receiver = receiverOf(place.origin)
    const isFree = isProbe ? receiver.active < options.lanesMax : hasRoom(receiver) && hasOwnerRoom(place.owner)
    if (!isFree) {
      wait(lane, place)
      if (isKept) offer(place)
      return false
    }
    stopWaiting(lane)
    receiver.active += 1
    if (!isProbe) ownerOf(place.owner).active += 1
    inside.set(lane, { place, isCounted: !isProbe })
    return true
  }

  function leave(lane: string): void {
    const held = inside.get(lane)
    if (held === undefined) return
    inside.delete(lane)
    receiverOf(held.place.origin).active -= 1
    if (held.isCounted) ownerOf(held.place.owner).active -= 1
    offer(held.place)
  }

  function pass(lane: string): void {
    const place = unkeep(lane)
    if (place !== undefined) offer(place)
  }

  /** Keeps what is free there for lanes that wait: places of the origin for any owner, and places of the owner at any origin. */
  function offer({ origin, owner }: Place): void {
    for (;;) {
      const atOrigin = hasRoom(receiverOf(origin)) ? firstUsable(receiverOf(origin)) : undefined
      const ofOwner = hasOwnerRoom(owner) ? firstUsable(ownerOf(owner)) : undefined
      const group = ofOwner === undefined || (atOrigin?.servedAt ?? Infinity) < ofOwner.servedAt ? atOrigin : ofOwner
      if (group === undefined) break
      serve(group)
    }
    forgetIdle(origin, owner)
  }

  function firstUsable({ groups }: Side): Group | undefined {
    for (const group of groups.values())
      if (hasRoom(receiverOf(group.place.origin)) && hasOwnerRoom(group.place.owner)) return group
    return undefined
  }

  function serve(group: Group): void {
    const { place, lanes } = group
    const [lane] = lanes
    if (lane === undefined) throw new Error('A group of lanes is empty.')
    const [receiver, owner] = [receiverOf(place.origin), ownerOf(place.owner)]
    receiver.groups.delete(place.owner)
    owner.groups.delete(place.origin)
    receiver.groups.set(place.owner, group)
    owner.groups.set(place.origin, group)
    group.servedAt = ++served
    stopWaiting(lane)
    receiver.kept += 1
    owner.kept += 1
    kept.set(lane, place)
    options.onFree(lane)
  }

  function unkeep(lane: string): Place | undefined {
    const place = kept.get(lane)
    if (place === undefined) return undefined
    kept.delete(lane)
    receiverOf(place.origin).kept -= 1
    ownerOf(place.owner).kept -= 1
    return place
  }

  function wait(lane: string, place: Place): void {
    if (isSame(waiting.get(lane)?.place, place)) return
    stopWaiting(lane)
    const group = groupOf(place)
    group.lanes.add(lane)
    waiting.set(lane, group)
  }

  function stopWaiting(lane: string): void {
    const group = waiting.get(lane)
    if (group === undefined) return
    waiting.delete(lane)
    group.lanes.delete(lane)
    if (group.lanes.size > 0) return
    const { origin, owner } = group.place
    receiverOf(origin).groups.delete(owner)
    ownerOf(owner).groups.delete(origin)
  }

  function groupOf(place: Place): Group {
    const [receiver, owner] = [receiverOf(place.origin), ownerOf(place.owner)]
    const group = receiver.groups.get(place.owner) ?? { place, lanes: new Set<string>(), servedAt: ++served }
    receiver.groups.set(place.owner, group)
    owner.groups.set(place.origin, group)
    return group
  }

  function report(origin: string, isSlowAnswer: boolean): void {
    const receiver = receivers.get(origin)
    if (receiver !== undefined) receiver.slow = isSlowAnswer ? receiver.slow + 1 : 0
  }

  function hasRoom(receiver: Receiver): boolean {
    return receiver.active + receiver.kept < (isSlow(receiver) ? 1 : options.lanesMax)
  }

  function hasOwnerRoom(name: string): boolean {
    const { active, kept: promised } = ownerOf(name)
    return active + promised < options.ownerLanesMax(name)
  }

  function isSlow(receiver: Receiver | undefined): boolean {
    return receiver !== undefined && receiver.slow >= SLOW_AFTER
  }

  function receiverOf(origin: string): Receiver {
    const receiver = receivers.get(origin) ?? { active: 0, kept: 0, slow: 0, groups: new Map() }
    receivers.set(origin, receiver)
    return receiver
  }

  function ownerOf(name: string): Side {
    const owner = owners.get(name) ?? { active: 0, kept: 0, groups: new Map() }
    owners.set(name, owner)
    return owner
  }

  function forgetIdle(origin: string, owner: string): void {
    const receiver = receivers.get(origin)
    // A slow one is remembered: the next lane would begin with all places otherwise.
    if (receiver !== undefined && isIdle(receiver) && receiver.slow === 0) receivers.delete(origin)
    const side = owners.get(owner)
    if (side !== undefined && isIdle(side)) owners.delete(owner)
  }
}

function isIdle({ active, kept, groups }: Side): boolean {
  return active === 0 && kept === 0 && groups.size === 0
}

function isSame(one: Place | undefined, other: Place): boolean {
  return one !== undefined && one.origin === other.origin && one.owner === other.owner
}
