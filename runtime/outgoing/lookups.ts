/** Lookups of names in the order in which they are asked for, per owner: one whose name servers are silent keeps nobody else waiting. */
import type { LookupAddress } from 'node:dns'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'
import { createOwnerSlots, type OwnerSlotLimits } from '../../lib/owner-slots.js'
import { withTimeLimit } from '../../lib/time-limit.js'

export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>

export interface LookupLimits extends OwnerSlotLimits {
  /** From the question of a caller to its answer, waiting included. */
  readonly timeoutMs: number
  /** Called for each lookup that is refused because too many of its owner wait. */
  readonly onRefused?: () => void
}

export interface Lookups {
  /**
   * Answers from memory for a while. An address is checked whenever it is used, so an answer may be old, but never unsafe.
   * `owner`: the instance on whose behalf it is asked, or ''.
   * @throws NodeJS.ErrnoException of the resolver, DNS_TIMEOUT, DNS_QUEUE_FULL
   */
  known(hostname: string, owner: string): Promise<readonly LookupAddress[]>
  /** As `known`, but asks again, and keeps nothing. */
  fresh(hostname: string, owner: string): Promise<readonly LookupAddress[]>
}

const defaultLookupLimits: LookupLimits = { max: 4, waitingMax: 200, timeoutMs: 5_000 }

const ANSWERS_MAX = 5_000
const ANSWER_TTL_MS = 30_000
const FAILURE_TTL_MS = 5_000
const FORMER_TTL_MS = 10 * 60_000

type Answer = { readonly addresses: readonly LookupAddress[] } | { readonly error: Error }

export function createLookups(resolve: ResolveName, limits: LookupLimits = defaultLookupLimits): Lookups {
  const answers = new LRUCache<string, Answer>({ ...entriesMax(ANSWERS_MAX), ttl: ANSWER_TTL_MS })
  /** For the time that a name server is away. */
  const former = new LRUCache<string, readonly LookupAddress[]>({ ...entriesMax(ANSWERS_MAX), ttl: FORMER_TTL_MS })
  /** Lookups under way, by name. A second lookup of a name waits for the answer, not for the turn of the other owner. */
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>()
  const turns = createOwnerSlots(limits, () => {
    limits.onRefused?.()
    return coded('DNS_QUEUE_FULL', 'Too many names of this owner are waiting to be resolved.')
  })

  return {
    async known(hostname, owner) {
      const answer = answers.get(hostname)
      if (answer !== undefined) return open(answer)
      const asked = underWay.get(hostname) ?? turns.run(owner, () => askOnce(hostname))
      return await withinMs(asked, limits.timeoutMs)
    },
    fresh: (hostname, owner) =>
      withinMs(
        turns.run(owner, () => resolve(hostname)),
        limits.timeoutMs,
      ),
  }

  function askOnce(hostname: string): Promise<readonly LookupAddress[]> {
    const answer = answers.get(hostname)
    if (answer !== undefined) return Promise.resolve(open(answer))
    const other = underWay.get(hostname)
    if (other !== undefined) return other
    const asked = resolve(hostname)
      .catch((error: Error & { code?: string }) => {
        const old = error.code === 'ENOTFOUND' ? undefined : former.get(hostname)
        if (old === undefined) throw error
        return old
      })
      .then(
        (addresses) => {
          answers.set(hostname, { addresses })
          former.set(hostname, addresses)
          return addresses
        },
        (error: Error) => {
          answers.set(hostname, { error }, { ttl: FAILURE_TTL_MS })
          throw error
        },
      )
      .finally(() => underWay.delete(hostname))
    underWay.set(hostname, asked)
    return asked
  }
}

function open(answer: Answer): readonly LookupAddress[] {
  if ('error' in answer) throw answer.error
  return answer.addresses
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

function withinMs<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return withTimeLimit(work, timeoutMs, () => {
    throw coded('DNS_TIMEOUT', 'The name was not resolved in time.')
  })
}
