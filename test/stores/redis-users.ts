/** Everything of the program that uses Redis, as two nodes have it, and what their users would notice of it. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { createRateLimiter } from '../../api/rate-limits.js'
import { createHints } from '../../runtime/cluster/hints.js'
import { connectLeases, createLeases } from '../../runtime/cluster/leases.js'
import { connectRedis } from '../../runtime/connect/redis.js'
import type { RedisPlace } from '../../runtime/connect/redis-place.js'
import { createJobQueue } from '../../runtime/queues/cluster-jobs.js'
import { createQueueConnections } from '../../runtime/queues/connections.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { Cleanup } from '../support/cleanup.js'
import { eventually, PATIENCE_MS } from '../support/eventually.js'
import { testLog } from '../support/store.js'

const TIMEOUT_MS = 800
const POINTS = 5

export interface RedisUsers {
  /** Lists what does not work now: a lease that the other reads, a hint, a job that one of them took, a rate limit of both. */
  failing(): Promise<readonly string[]>
  /** All of it works, at the latest after that time. */
  allWork(withinMs?: number): Promise<void>
  readonly leases: ReturnType<typeof createLeases>
  /** Log lines of warnings or worse. */
  readonly warnings: readonly string[]
}

export async function redisUsers(t: Cleanup, place: RedisPlace, { replicas = 0 } = {}): Promise<RedisUsers> {
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const [a, b] = [startNode(t, place, 'a', replicas, logger), startNode(t, place, 'b', replicas, logger)]
  let round = 0

  const checks: Readonly<Record<string, () => Promise<boolean>>> = {
    async leases() {
      const creation = round
      if (!(await a.leases.create(creation)) || (await a.leases.renew(creation, 7)) !== 'renewed') return false
      const read = await b.leases.read()
      return read?.leases.some((lease) => lease.creation === creation && lease.counter === 7) === true
    },
    async hints() {
      const told = `i${round}` as InstanceId
      a.hints.instances([told])
      return await within(500, () => b.heard.some((instances) => instances.has(told)))
    },
    async jobs() {
      const job = `job ${round}`
      // Late when Redis is away: the queue keeps what it could not send.
      void a.queue.add(job, job).catch(() => {})
      return await within(500, () => a.ran.has(job) || b.ran.has(job))
    },
    async 'rate limits'() {
      const key = `key ${round}`
      for (let call = 0; call < POINTS - 1; call += 1) a.limiter.take(key)
      b.limiter.take(key)
      return await within(1_000, () => !isLeft(b.limiter, key))
    },
  }

  async function failing(): Promise<readonly string[]> {
    round += 1
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        // A command that waits for its server is not one that works.
        const late = pause(2_000, false, { ref: false })
        return (await Promise.race([check().catch(() => false), late])) ? [] : [name]
      }),
    )
    return results.flat()
  }

  return {
    failing,
    allWork: async (withinMs = PATIENCE_MS) =>
      void (await eventually(failing, (names) => names.length === 0, withinMs)),
    leases: a.leases,
    warnings,
  }
}

function startNode(t: Cleanup, place: RedisPlace, name: string, replicas: number, logger: Logger) {
  const connections = connectRedis(place)
  const redis = connections.toAllSlots(testLog)
  const leaseRedis = connectLeases(connections, TIMEOUT_MS)
  const leases = createLeases({
    redis: leaseRedis,
    incarnation: name,
    keptMs: 60_000,
    replicas,
    commandTimeoutMs: TIMEOUT_MS,
  })
  const heard: ReadonlySet<InstanceId>[] = []
  const hints = createHints({
    redis,
    connections,
    incarnation: name,
    logger: testLog,
  })
  hints.follow({
    events: () => {},
    instances: (which) => {
      if (which !== 'all') heard.push(which)
    },
    webhooks: () => {},
    administrators: () => {},
    table: () => {},
  })
  const queues = createQueueConnections({ redis: connections, logger: testLog })
  const ran = new Set<string>()
  const queue = createJobQueue({ redis: queues, concurrency: 8, onJob: async (job) => void ran.add(job), log: logger })
  const limiter = createRateLimiter({
    counted: 'address_rate',
    name: 'test',
    limit: { points: POINTS, durationMs: 60_000 },
    redis,
    redisKeyPrefix: 'test:',
    logger: testLog,
  })
  t.after(async () => {
    limiter.close()
    await queue.close()
    queues.close()
    hints.close()
    leaseRedis.disconnect()
    redis.disconnect()
  })
  return {
    leases,
    hints,
    heard,
    queue,
    ran,
    limiter,
  }
}

async function within(ms: number, isTrue: () => boolean): Promise<boolean> {
  const until = performance.now() + ms
  while (!isTrue() && performance.now() < until) await pause(5)
  return isTrue()
}

function isLeft(limiter: ReturnType<typeof createRateLimiter>, key: string): boolean {
  try {
    limiter.check(key)
    return true
  } catch {
    return false
  }
}
