import type { Redis, RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { backOffMs, withHalfJitter } from '../../lib/back-off.js'
import type { RedisConnections } from '../connect/redis.js'

// Ours: names of our own keys.

/** The Redis connections of a node for the queue of the cluster: two for its commands and events, and one for its blocking read. */
export interface QueueConnections {
  readonly client: Redis
  readonly subscriber: Redis
  /** A connection for the queue's blocking commands; the caller ends it. */
  blocking(): Redis
  /**
   * Prefix of every key of the queue, the same on all nodes. With its hash tag they are in one slot of a Redis Cluster: scripts may touch all
   * of them, over connections to the server of that slot.
   */
  readonly prefix: string
  /** Ends the shared connections; Bull does not, since it did not make them. Close the queue before. */
  close(): void
}

export interface QueueConnectionOptions {
  readonly redis: RedisConnections
  readonly logger: Logger
}

const PREFIX = '{posthorn:jobs}'
const RECONNECT_MIN_MS = 50
const RECONNECT_MAX_MS = 2_000
/** Time for which Bull blocks a connection for its next job (its `drainDelay`). The connection answers no other command meanwhile. */
const BLOCKED_MS = 5000

export function createQueueConnections({ redis, logger }: QueueConnectionOptions): QueueConnections {
  const log = logger.child({ part: 'queues' })
  let isClosed = false
  let reason = ''
  const client = connect(0)
  const subscriber = connect(0)
  for (const connection of [client, subscriber]) connection.setMaxListeners(0)
  let isLost = false
  client.on('ready', () => {
    isLost = false
    log.info('The queue of jobs has reached Redis.')
  })
  // Each attempt that fails closes as well.
  client.on('close', () => {
    if (!isClosed && !isLost)
      log.warn({ reason }, 'The queue of jobs has lost Redis; jobs that are due run where they are seen.')
    isLost = true
  })
  return {
    client,
    subscriber,
    blocking: () => connect(BLOCKED_MS),
    prefix: PREFIX,
    close() {
      isClosed = true
      client.disconnect()
      subscriber.disconnect()
    },
  }

  function connect(blockedMs: number): Redis {
    // Bull refuses connections that give up on a command or ask for readiness (its `lib/queue.js`).
    const options: RedisOptions = {
      maxRetriesPerRequest: null,
      enableReadyCheck: false,
      retryStrategy: (times) => withHalfJitter(backOffMs(times, RECONNECT_MIN_MS, RECONNECT_MAX_MS)),
    }
    const connection = redis.toSlotOf(PREFIX, options, { blockedMs })
    // Said once by 'close' above, not at every attempt.
    connection.on('error', (error: Error) => {
      reason = error.message
      log.debug({ reason }, 'A queue connection failed.')
    })
    return connection
  }
}

/**
 * Removes the queues of a node of release 0.1.0 that does not come back: it had queues of its own, of which Bull leaves a few keys for ever.
 */
export async function removeNodeQueues(redis: RedisConnections, node: string): Promise<void> {
  const prefix = formatPrefix(node)
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

/** Returns the prefix of the queues of a node of release 0.1.0. */
function formatPrefix(node: string): string {
  return `{posthorn:queues:${node}}`
}
