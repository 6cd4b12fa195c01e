/** Bounds how much of one kind of work is done at once for each owner, so that an owner with much work delays only its own. */

export interface OwnerSlotLimits {
  /** Of one owner at once. */
  readonly max: number
  /** Of one owner that may wait for these; more are refused. */
  readonly waitingMax: number
}

export interface OwnerSlots {
  /** Waits for a turn; resolves with what gives it back. @throws what `full` makes, when too many wait already */
  take(owner: string): Promise<() => void>
  /** Does the work in its turn. @throws as `take` */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
}

interface Slots {
  active: number
  readonly waiting: (() => void)[]
}

/** `full` makes the error for an owner who has too much waiting. */
export function createOwnerSlots({ max, waitingMax }: OwnerSlotLimits, full: () => Error): OwnerSlots {
  const owners = new Map<string, Slots>()
  return {
    take,
    async run(owner, work) {
      const end = await take(owner)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }

  async function take(owner: string): Promise<() => void> {
    const turns = owners.get(owner) ?? { active: 0, waiting: [] }
    if (turns.active < max) {
      turns.active += 1
      owners.set(owner, turns)
    } else if (turns.waiting.length >= waitingMax) throw full()
    else await new Promise<void>((go) => turns.waiting.push(go))
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const next = turns.waiting.shift()
      if (next === undefined) turns.active -= 1
      else next()
      if (turns.active === 0) owners.delete(owner)
    }
  }
}

/** Returns a function that does at most so much work at once. Further work waits for a free slot. */
export function semaphore(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let active = 0
  return async (work) => {
    if (active < atOnce) active += 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) active -= 1
      else next()
    }
  }
}
