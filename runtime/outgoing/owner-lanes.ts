/** Work in turn, per owner: one who asks for much waits behind himself, and keeps nobody else waiting. */

export interface OwnerLaneLimits {
  /** Of one owner at once. */
  readonly perOwnerMax: number
  /** Of one owner that may wait for these; more are refused. */
  readonly waitingMax: number
}

export type OwnerLanes = <T>(owner: string, work: () => Promise<T>) => Promise<T>

interface Lane {
  active: number
  readonly waiting: (() => void)[]
}

/** `full` makes the error for one who has too much waiting. */
export function createOwnerLanes({ perOwnerMax, waitingMax }: OwnerLaneLimits, full: () => Error): OwnerLanes {
  const lanes = new Map<string, Lane>()
  return async (owner, work) => {
    const lane = lanes.get(owner) ?? { active: 0, waiting: [] }
    lanes.set(owner, lane)
    if (lane.active < perOwnerMax) lane.active += 1
    else if (lane.waiting.length >= waitingMax) throw full()
    else await new Promise<void>((go) => lane.waiting.push(go))
    try {
      return await work()
    } finally {
      const next = lane.waiting.shift()
      if (next === undefined) lane.active -= 1
      else next()
      if (lane.active === 0) lanes.delete(owner)
    }
  }
}
