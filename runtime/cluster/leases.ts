import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { RedisConnections } from '../connect/redis.js'
import {
  CLUSTER_PREFIX,
  createLease,
  type LeasesRead,
  markLeft,
  noteStore,
  type Renewal,
  readLeases,
  renewLease,
  type ScriptCall,
  SEEN_KEY,
  type StoreIdentity,
  type StoreNote,
} from './lease-scripts.js'
import type { Incarnation } from './ownership/protocol.js'

export interface LeasesOptions {
  /** A connection that nobody else uses, made by `connectLeases`. */
  readonly redis: Redis
  readonly incarnation: Incarnation
  /** Time that an abandoned lease is kept. Nothing depends on it. */
  readonly keptMs: number
  /** Number of replicas of the server. A renewal or a reading counts only when all have confirmed a write after it. */
  readonly replicas: number
  /** Maximum time to wait for replicas. */
  readonly commandTimeoutMs: number
}

/**
 * The leases of the cluster's nodes in Redis, as the ownership core needs them (`ownership/protocol.ts`). Sends each command once.
 * Throws the errors of Redis and of the connection.
 */
export interface Leases {
  /** Makes this incarnation's lease, over any former one. Returns false when not all replicas have it. */
  create(creation: number): Promise<boolean>
  /**
   * `lost`: there is none, or one of another creation. `failed`: its counter is as high already, or not all replicas have the new one.
   * `outdated`: other nodes use another store than `store`, or a newer timeline or era of it.
   */
  renew(creation: number, counter: number, store?: StoreIdentity | null): Promise<Renewal>
  /** Notes in the lease, if it is there, that nothing of this node acts. */
  markLeft(creation: number): Promise<void>
  /** Returns null when not all replicas confirm the reading. */
  read(): Promise<LeasesRead | null>
  /**
   * Notes what this node has read of the store for the others, unless they use another or a newer one. Returns what was noted before.
   * Rejects when not all replicas have the note.
   */
  noteStore(note: StoreNote): Promise<(StoreNote & { readonly isUsed: boolean }) | null>
}

/**
 * Opens a connection to the primary that has the leases; WAIT asks its replicas. No command waits for a connection, and none is sent again
 * on another: a renewal that arrives late must not count, and one that was repeated behind the keeper's back may arrive after its answer.
 */
export function connectLeases(connections: RedisConnections, commandTimeoutMs: number): Redis {
  const redis = connections.toSlotOf(
    CLUSTER_PREFIX,
    {
      commandTimeout: commandTimeoutMs,
      connectTimeout: commandTimeoutMs,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(50 * times, 500),
    },
    { answerMaxMs: commandTimeoutMs },
  )
  redis.on('error', () => {})
  return redis
}

export function createLeases(options: LeasesOptions): Leases {
  const { redis, incarnation, keptMs, replicas, commandTimeoutMs } = options

  /** Runs a script, and tells whether all replicas have what it wrote: in one round trip. */
  async function runConfirmed<Answer>({ script, keys, values, parse }: ScriptCall<Answer>) {
    const pipeline = redis.pipeline().eval(script, keys.length, ...keys, ...values)
    // Replicas confirm writes of this connection only, so the script is followed by one.
    if (replicas > 0) pipeline.set(SEEN_KEY, incarnation).wait(replicas, commandTimeoutMs)
    const [answer, , waited] = (await pipeline.exec()) ?? []
    if (answer === undefined) throw new Error('Redis did not answer.')
    for (const step of [answer, waited]) if (step?.[0]) throw step[0]
    return { answer: parse(answer[1]), isConfirmed: replicas === 0 || Number(waited?.[1]) >= replicas }
  }

  const still = new StillLeases(keptMs)
  return {
    async create(creation) {
      return (await runConfirmed(createLease(incarnation, creation, keptMs))).isConfirmed
    },

    async renew(creation, counter, store = null) {
      const { answer, isConfirmed } = await runConfirmed(renewLease(incarnation, { creation, counter, keptMs }, store))
      return answer === 'renewed' && !isConfirmed ? 'failed' : answer
    },

    async markLeft(creation) {
      const { script, keys, values } = markLeft(incarnation, creation)
      await redis.eval(script, keys.length, ...keys, ...values)
    },

    async read() {
      const { answer, isConfirmed } = await runConfirmed(readLeases(randomBytes(12).toString('hex'), still.list()))
      still.note(answer.leases)
      return isConfirmed ? answer : null
    },

    async noteStore(note) {
      const { answer, isConfirmed } = await runConfirmed(noteStore(note))
      if (!isConfirmed) throw new Error('Not all replicas of Redis have the note about the store.')
      return answer
    },
  }
}

/** Maximum of leases that one reading looks up to remove them. */
const REMOVED_AT_ONCE = 20

/** Leases that have not changed for as long as an abandoned one is kept. */
class StillLeases {
  readonly #keptMs: number
  #seen: ReadonlyMap<Incarnation, { readonly counter: number; readonly sinceMs: number }> = new Map()

  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  note(leases: LeasesRead['leases']): void {
    const nowMs = performance.now()
    this.#seen = new Map(
      leases.map(({ incarnation, counter }) => {
        const known = this.#seen.get(incarnation)
        return [incarnation, known?.counter === counter ? known : { counter, sinceMs: nowMs }]
      }),
    )
  }

  list(): readonly Incarnation[] {
    const beforeMs = performance.now() - this.#keptMs
    const still = [...this.#seen].filter(([, { sinceMs }]) => sinceMs < beforeMs)
    return still.slice(0, REMOVED_AT_ONCE).map(([incarnation]) => incarnation)
  }
}
