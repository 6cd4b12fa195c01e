import type { Redis, RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { createWakeUps, type WakeUpOptions, type WakeUps } from './wake-ups.js'

/** The Redis connections of a node's queues: two that all queues share, and one more per queue for its blocking read. */
export interface QueueConnections {
  readonly client: Redis
  readonly subscriber: Redis
  /** A connection for one queue's blocking commands; the caller ends it. */
  blocking(): Redis
  /** A queue over these connections, for parts that get them as an argument. */
  createWakeUps(options: Omit<WakeUpOptions, 'redis'>): WakeUps
  /** Ends the shared connections; Bull does not, since it did not make them. Close the queues before. */
  close(): void
}

export interface QueueConnectionOptions {
  /** Where Redis is: a client of the node, of which only the address and credentials are taken. */
  readonly redis: Redis
  readonly logger: Logger
}

const RECONNECT_MAX_MS = 2000

export function createQueueConnections({ redis, logger }: QueueConnectionOptions): QueueConnections {
  const log = logger.child({ part: 'queues' })
  let isClosed = false
  const client = connect()
  const subscriber = connect()
  for (const connection of [client, subscriber]) connection.setMaxListeners(0)
  client.on('ready', () => log.info('The queues have reached Redis.'))
  client.on('close', () => {
    if (!isClosed) log.warn('The queues have lost Redis; wake-ups go on from memory.')
  })
  const connections: QueueConnections = {
    client,
    subscriber,
    blocking: connect,
    createWakeUps: (own) => createWakeUps({ redis: connections, ...own }),
    close() {
      isClosed = true
      client.disconnect()
      subscriber.disconnect()
    },
  }
  return connections

  function connect(): Redis {
    // Bull refuses connections that give up on a command or ask for readiness (its `lib/queue.js`).
    const options: Partial<RedisOptions> = {
      maxRetriesPerRequest: null,
      enableReadyCheck: false,
      lazyConnect: false,
      retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MAX_MS) * (0.5 + Math.random() / 2),
    }
    const connection = redis.duplicate(options)
    // Said once by 'close' above, not at every attempt.
    connection.on('error', (error: Error) => log.debug({ reason: error.message }, 'A queue connection failed.'))
    return connection
  }
}
