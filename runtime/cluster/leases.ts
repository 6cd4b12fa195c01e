import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { RedisConnections } from '../connect/redis.js'
import type { Incarnation, Lease } from './ownership/protocol.js'

export interface LeasesOptions {
  /** A connection that nobody else uses, made by `connectLeases`. */
  readonly redis: Redis
  readonly incarnation: Incarnation
  /** How long a lease that nobody renews is kept; nothing depends on it. */
  readonly keptMs: number
  /** How many replicas the server has: a renewal, and a reading, counts only when all have confirmed a write after it. */
  readonly replicas: number
  /** How long they are waited for. */
  readonly commandTimeoutMs: number
}

/**
 * The leases of the cluster's nodes in Redis, as the ownership core asks for them (`ownership/protocol.ts`). Each command is sent once;
 * what Redis or the connection says is thrown.
 */
export interface Leases {
  /** Makes this incarnation's lease, over any former one. False: not all replicas have it. */
  create(creation: number): Promise<boolean>
  /** `lost`: there is none, or one of another creation. `failed`: it has that counter already, or not all replicas have it. */
  renew(creation: number, counter: number): Promise<'renewed' | 'lost' | 'failed'>
  /** Says that nothing of this node acts any more, if the lease is there. */
  markLeft(creation: number): Promise<void>
  /** `history` is another one whenever the data may not be the continuation of what was read before. Null: not all replicas confirm. */
  read(): Promise<{ readonly history: string; readonly leases: readonly Lease[] } | null>
}

// One slot, so that Redis Cluster runs the scripts.
const PREFIX = '{posthorn:cluster}'
const INDEX = `${PREFIX}:leases`
const HISTORY = `${PREFIX}:history`
const SEEN = `${PREFIX}:seen`

// KEYS lease, index   ARGV incarnation, creation, kept ms
const CREATE = `
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'creation', ARGV[2], 'counter', 0)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('SADD', KEYS[2], ARGV[1])
  return 1`

// KEYS lease   ARGV creation, counter, kept ms
const RENEW = `
  local lease = redis.call('HMGET', KEYS[1], 'creation', 'counter')
  if lease[1] ~= ARGV[1] then return 'lost' end
  if tonumber(lease[2]) >= tonumber(ARGV[2]) then return 'failed' end
  redis.call('HSET', KEYS[1], 'counter', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 'renewed'`

// KEYS lease   ARGV creation
const MARK_LEFT = `
  if redis.call('HGET', KEYS[1], 'creation') == ARGV[1] then redis.call('HSET', KEYS[1], 'left', 1) end
  return 1`

// The run id is another after a restart, the replication id after a fail-over, the random value after a wipe.
// KEYS index, history   ARGV prefix of leases, a random value
const READ = `
  redis.call('SET', KEYS[2], ARGV[2], 'NX')
  local leases = {}
  for _, incarnation in ipairs(redis.call('SMEMBERS', KEYS[1])) do
    local lease = redis.call('HMGET', ARGV[1] .. incarnation, 'creation', 'counter', 'left')
    if lease[1] then
      table.insert(leases, { incarnation, lease[1], lease[2], lease[3] or '' })
    else
      redis.call('SREM', KEYS[1], incarnation)
    end
  end
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  local replication = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
  return { run .. ':' .. replication .. ':' .. redis.call('GET', KEYS[2]), leases }`

/**
 * A connection to the primary that has the leases; WAIT asks its replicas. No command waits for a connection, and none is sent again on
 * another: a renewal that arrives late must not count, and one that was repeated behind the keeper's back may arrive after its answer.
 */
export function connectLeases(connections: RedisConnections, commandTimeoutMs: number): Redis {
  const redis = connections.toSlotOf(
    PREFIX,
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
  const own = leaseOf(incarnation)

  /** The script's answer, and whether all replicas have what it wrote: in one round trip. */
  async function confirmed<T>(script: string, keys: readonly string[], values: readonly (string | number)[]) {
    const pipeline = redis.pipeline().eval(script, keys.length, ...keys, ...values)
    // What replicas confirm is a write of this connection.
    if (replicas > 0) pipeline.set(SEEN, incarnation).wait(replicas, commandTimeoutMs)
    const [answer, , waited] = (await pipeline.exec()) ?? []
    if (answer === undefined) throw new Error('Redis did not answer.')
    for (const step of [answer, waited]) if (step?.[0]) throw step[0]
    return { answer: answer[1] as T, isConfirmed: replicas === 0 || Number(waited?.[1]) >= replicas }
  }

  return {
    async create(creation) {
      return (await confirmed(CREATE, [own, INDEX], [incarnation, creation, keptMs])).isConfirmed
    },

    async renew(creation, counter) {
      const { answer, isConfirmed } = await confirmed<'renewed' | 'lost' | 'failed'>(
        RENEW,
        [own],
        [creation, counter, keptMs],
      )
      return answer === 'renewed' && !isConfirmed ? 'failed' : answer
    },

    async markLeft(creation) {
      await redis.eval(MARK_LEFT, 1, own, creation)
    },

    async read() {
      const { answer, isConfirmed } = await confirmed<[string, [string, string, string, string][]]>(
        READ,
        [INDEX, HISTORY],
        [leaseOf(''), randomBytes(12).toString('hex')],
      )
      if (!isConfirmed) return null
      const [history, leases] = answer
      return {
        history,
        leases: leases.map(([of, creation, counter, left]) => ({
          incarnation: of,
          creation: Number(creation),
          counter: Number(counter),
          hasLeft: left === '1',
        })),
      }
    },
  }
}

function leaseOf(incarnation: Incarnation): string {
  return `${PREFIX}:lease:${incarnation}`
}
