/** How much of one kind of work a node does for one instance at once, so that one cannot take what all need. */
import { GatewayError } from '../schemas/errors.js'

export interface OwnerSlotsOptions {
  /** Of one owner at once. */
  readonly max: number
  /** Of one owner that wait for these; more are refused. */
  readonly waitingMax: number
  /** Completes the sentence "The instance has too many …". */
  readonly what: string
}

export interface OwnerSlots {
  /** Does the work in its turn. @throws GatewayError RATE_LIMITED when too many wait already */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
}

const RETRY_AFTER_SECONDS = 1

interface Slots {
  active: number
  readonly waiting: (() => void)[]
}

export function createOwnerSlots({ max, waitingMax, what }: OwnerSlotsOptions): OwnerSlots {
  const owners = new Map<string, Slots>()
  return {
    async run(owner, work) {
      const slots = owners.get(owner) ?? { active: 0, waiting: [] }
      owners.set(owner, slots)
      if (slots.active < max) slots.active += 1
      else if (slots.waiting.length < waitingMax) await new Promise<void>((go) => slots.waiting.push(go))
      else
        throw new GatewayError('RATE_LIMITED', {
          message: `The instance has too many ${what} under way on this node: ${max} at once, ${waitingMax} waiting.`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      try {
        return await work()
      } finally {
        const next = slots.waiting.shift()
        if (next === undefined) slots.active -= 1
        else next()
        if (slots.active === 0) owners.delete(owner)
      }
    },
  }
}
