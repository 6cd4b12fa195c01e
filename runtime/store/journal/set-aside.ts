import type { InstanceId } from '../../../schemas/ids.js'

interface SetAside {
  dueMs: number
  waitMs: number
  /** Time at which its writes are refused. */
  readonly untilMs: number
}

const FIRST_WAIT_MS = 100
const WAIT_MAX_MS = 1_000

/** Instances whose rows another transaction has locked: their writes stay in the queue while those of others pass. */
export class SetAsideInstances {
  readonly #instances = new Map<InstanceId, SetAside>()
  readonly #totalMaxMs: number

  /** @param totalMaxMs time from the first failure of an instance until its writes are given up */
  constructor(totalMaxMs: number) {
    this.#totalMaxMs = totalMaxMs
  }

  get size(): number {
    return this.#instances.size
  }

  has(instance: InstanceId): boolean {
    return this.#instances.has(instance)
  }

  /** Sets the instance aside for a while, longer each time. Returns null when its time is over. */
  add(instance: InstanceId): { readonly isFirst: boolean } | null {
    const nowMs = performance.now()
    const known = this.#instances.get(instance)
    if (known !== undefined && nowMs >= known.untilMs) return null
    const waitMs = Math.min(WAIT_MAX_MS, 2 * (known?.waitMs ?? FIRST_WAIT_MS / 2))
    this.#instances.set(instance, {
      waitMs,
      dueMs: nowMs + waitMs,
      untilMs: known?.untilMs ?? nowMs + this.#totalMaxMs,
    })
    return { isFirst: known === undefined }
  }

  remove(instance: InstanceId): void {
    this.#instances.delete(instance)
  }

  /** Returns the instances to try again now, all of them when `isHurried`. Forgets those that have no waiting writes. */
  due(withWrites: ReadonlySet<InstanceId>, isHurried: boolean): ReadonlySet<InstanceId> {
    const nowMs = performance.now()
    const due = new Set<InstanceId>()
    for (const [instance, { dueMs }] of this.#instances) {
      // Its writes were refused, with their session.
      if (!withWrites.has(instance)) this.#instances.delete(instance)
      else if (isHurried || dueMs <= nowMs) due.add(instance)
    }
    return due
  }

  /** Returns the time, by `performance.now()`, at which the first of them is due. */
  nextDueMs(): number {
    return Math.min(...[...this.#instances.values()].map(({ dueMs }) => dueMs))
  }
}
