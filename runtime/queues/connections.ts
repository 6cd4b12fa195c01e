import type { Redis, RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { backOffMs, withHalfJitter } from '../../schemas/back-off.js'
import type { RedisConnections } from '../connect/redis.js'
import { createWakeUps, type WakeUpOptions, type WakeUps } from './wake-ups.js'

/** The Redis connections of a node's queues: two that all queues share, and one more per queue for its blocking read. */
export interface QueueConnections {
  readonly client: Redis
  readonly subscriber: Redis
  /** A connection for one queue's blocking commands; the caller ends it. */
  blocking(): Redis
  /**
   * Prefix of every key of every queue of this node. With its hash tag they are in one slot of a Redis Cluster: scripts may touch all of them, and
   * the queues can share connections, to the server of that slot. The queues of another node are elsewhere.
   */
  readonly prefix: string
  /** A queue over these connections, for parts that get them as an argument. */
  createWakeUps(options: Omit<WakeUpOptions, 'redis'>): WakeUps
  /** Ends the shared connections; Bull does not, since it did not make them. Close the queues before. */
  close(): void
}

export interface QueueConnectionOptions {
  readonly redis: RedisConnections
  /** The node whose queues these are; each node has its own. */
  readonly node: string
  readonly logger: Logger
}

const RECONNECT_MIN_MS = 50
const RECONNECT_MAX_MS = 2_000
/** Time for which Bull blocks a connection for its next job (its `drainDelay`). The connection answers no other command meanwhile. */
const BLOCKED_MS = 5000

export function createQueueConnections({ redis, node, logger }: QueueConnectionOptions): QueueConnections {
  const log = logger.child({ part: 'queues' })
  const prefix = prefixOf(node)
  let isClosed = false
  let reason = ''
  const client = connect(0)
  const subscriber = connect(0)
  for (const connection of [client, subscriber]) connection.setMaxListeners(0)
  let isLost = false
  client.on('ready', () => {
    isLost = false
    log.info('The queues have reached Redis.')
  })
  // Each attempt that fails closes as well.
  client.on('close', () => {
    if (!isClosed && !isLost) log.warn({ reason }, 'The queues have lost Redis; wake-ups go on from memory.')
    isLost = true
  })
  const connections: QueueConnections = {
    client,
    subscriber,
    blocking: () => connect(BLOCKED_MS),
    prefix,
    createWakeUps: (own) => createWakeUps({ redis: connections, ...own }),
    close() {
      isClosed = true
      client.disconnect()
      subscriber.disconnect()
    },
  }
  return connections

  function connect(blockedMs: number): Redis {
    // Bull refuses connections that give up on a command or ask for readiness (its `lib/queue.js`).
    const options: RedisOptions = {
      maxRetriesPerRequest: null,
      enableReadyCheck: false,
      retryStrategy: (times) => withHalfJitter(backOffMs(times, RECONNECT_MIN_MS, RECONNECT_MAX_MS)),
    }
    const connection = redis.toSlotOf(prefix, options, { blockedMs })
    // Said once by 'close' above, not at every attempt.
    connection.on('error', (error: Error) => {
      reason = error.message
      log.debug({ reason }, 'A queue connection failed.')
    })
    return connection
  }
}

/** Removes the queues of a node that does not come back. Bull leaves a few keys of each for ever. */
export async function removeQueuesOf(redis: RedisConnections, node: string): Promise<void> {
  const prefix = prefixOf(node)
  const connection = redis.toSlotOf(prefix, { maxRetriesPerRequest: 1, retryStrategy: () => RECONNECT_MAX_MS })
  connection.on('error', () => {})
  try {
    const pattern = `${prefix.replaceAll(/[*?[\]\\^]/g, '\\$&')}:*`
    let cursor = '0'
    do {
      const [next, keys] = await connection.scan(cursor, 'MATCH', pattern, 'COUNT', 1000)
      if (keys.length > 0) await connection.unlink(...keys)
      cursor = next
    } while (cursor !== '0')
  } finally {
    connection.disconnect()
  }
}

/** The hash tag keeps the keys of one node in one slot. */
function prefixOf(node: string): string {
  return `{posthorn:queues:${node}}`
}
