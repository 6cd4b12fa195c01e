/**
 * Every connection to Redis is made here, whether one server is there, Sentinels that know which, or a Redis Cluster. What a connection
 * does about failures is said by the part that uses it; that it finds its server again is done here.
 */
import { isIP } from 'node:net'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { createFinder, type FindPrimary } from './primary.js'
import { primaryConnector, TlsConnector } from './primary-connector.js'
import type { Address, RedisPlace } from './redis-place.js'

// Ours: settings of the operator, and errors of our stores.

export interface RedisConnections {
  /**
   * To the primary that has the slot of `key`. All keys with its hash tag can be used over it as over the connection to a single server:
   * in scripts, transactions, blocking commands and WAIT, which the routing client of a Redis Cluster sends to some server.
   */
  toSlotOf(key: string, options: RedisOptions, silence?: Silence): Redis
  /** For commands with one key, whatever its slot, and for PUBLISH. Gives up on a command when the second attempt fails too. */
  toAllSlots(logger: Logger): Redis | Cluster
}

/** How long a connection may leave a question without an answer before it is made again. */
interface Silence {
  /** Unless it is what the settings say. */
  readonly answerMaxMs?: number
  /** The longest time for which its user blocks it. */
  readonly blockedMs?: number
}

/** How often it is asked whether the server that a connection has is still the primary, where that can change: that is mostly noticed before. */
const LOOK_EVERY_MS = 15_000

/** How often it is asked whether a connection that nobody uses still works. */
const HEARTBEAT_MS = 5_000
/** How often within the longest silence it is looked whether that has come. */
const LOOKS_IN_SILENCE = 4

export function connectRedis(place: RedisPlace): RedisConnections {
  function toSlotOf(key: string, options: RedisOptions, silence: Silence = {}): Redis {
    const { answerMaxMs = place.answerMaxMs, blockedMs = 0 } = silence
    const silenceMaxMs = answerMaxMs + blockedMs
    const all: RedisOptions = { ...mannersTo(place), reconnectOnError: isNotPrimary, ...options }
    if (place.type === 'socket') return watched(new Redis({ ...all, path: place.path }), silenceMaxMs)
    if (place.type === 'server') {
      const { address, database } = place
      return watched(new Redis({ ...all, ...address, ...tlsTo(place, address), db: database }), silenceMaxMs)
    }
    const find = createFinder(place, key, all.connectTimeout ?? answerMaxMs)
    const route = primaryConnector(find, (address) => tlsTo(place, address).tls)
    const redis = watched(
      new Redis({ ...all, ...(place.tls === undefined ? {} : { tls: {} }), Connector: route.Connector }),
      silenceMaxMs,
    )
    followPrimary(redis, find, route.connectedTo)
    return redis
  }

  function toAllSlots(logger: Logger): Redis | Cluster {
    const retryStrategy = (times: number) => Math.min(100 * times, 2_000)
    const redis =
      place.type === 'cluster'
        ? new Cluster([...place.addresses], {
            clusterRetryStrategy: retryStrategy,
            // A certificate is for a name; ioredis would look it up and connect to an address.
            dnsLookup: (name, found) => found(null, name),
            slotsRefreshTimeout: place.answerMaxMs,
            // Its own: such a connection is not made again, another takes its place.
            redisOptions: {
              ...mannersTo(place),
              ...(place.tls === undefined ? {} : { tls: place.tls, Connector: TlsConnector }),
              socketTimeout: place.answerMaxMs,
            },
          })
        : toSlotOf('', { maxRetriesPerRequest: 1, retryStrategy })
    redis.on('error', (error: Error) => logger.debug({ reason: findReason(error) }, 'Redis does not answer.'))
    return redis
  }

  return { toSlotOf, toAllSlots }
}

/** Returns the message of a connection's error without the command that it stopped, which may be AUTH. */
function findReason(error: Error & { lastNodeError?: Error }): string {
  return error.lastNodeError?.message ?? error.message
}

function mannersTo({ username, password, answerMaxMs }: RedisPlace): RedisOptions {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    connectTimeout: answerMaxMs,
    disconnectTimeout: 500,
    enableReadyCheck: false,
    // These would be awaited before a connection counts as ready, also from a server that hangs.
    disableClientInfo: true,
  }
}

/** Then the primary is looked for again, with the connection; the command is not sent a second time. */
function isNotPrimary({ message }: Error): boolean {
  return /^(MOVED|ASK|CLUSTERDOWN|MASTERDOWN) |READONLY/.test(message)
}

function tlsTo({ tls }: RedisPlace, { host }: Address): Pick<RedisOptions, 'tls' | 'Connector'> {
  if (tls === undefined) return {}
  return { tls: { ...(isIP(host) === 0 ? { servername: host } : {}), ...tls }, Connector: TlsConnector }
}

/**
 * Makes the connection again when the server leaves a command without an answer for so long: it hangs, or its machine has gone. A connection
 * that nobody uses is asked now and then, so that the next command finds one that works.
 */
function watched(redis: Redis, silenceMaxMs: number): Redis {
  let unanswered = 0
  /** The last sign of life, or the first command after it. */
  let sinceMs = 0
  let usedMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  const answered = (): void => {
    unanswered = Math.max(0, unanswered - 1)
    sinceMs = performance.now()
  }
  // Its caller gave up, the answer is still owed.
  const failed = (error: Error): void => {
    if (!/timed out/.test(error.message)) answered()
  }
  const look = (): void => {
    timer = undefined
    if (unanswered === 0) return
    if (redis.status !== 'ready') sinceMs = performance.now()
    else if (performance.now() - sinceMs > silenceMaxMs) {
      redis.disconnect(true)
      return
    }
    timer = setTimeout(look, silenceMaxMs / LOOKS_IN_SILENCE)
    timer.unref()
  }
  const sendCommand = redis.sendCommand.bind(redis)
  redis.sendCommand = (command, stream) => {
    usedMs = performance.now()
    if (unanswered === 0) sinceMs = usedMs
    unanswered += 1
    command.promise.then(answered, failed)
    if (timer === undefined) look()
    return sendCommand(command, stream)
  }
  const heartbeat = setInterval(() => {
    if (redis.status === 'ready' && performance.now() - usedMs >= HEARTBEAT_MS / 2) redis.ping().catch(() => {})
  }, HEARTBEAT_MS)
  heartbeat.unref()
  redis.on('close', () => {
    unanswered = 0
  })
  redis.on('end', () => {
    clearInterval(heartbeat)
    clearTimeout(timer)
  })
  return redis
}

/** A former primary that is cut off from the others goes on answering. */
function followPrimary(redis: Redis, find: FindPrimary, connectedTo: () => Address | undefined): void {
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking || redis.status !== 'ready') return
    isLooking = true
    try {
      const [primary, present] = [await find(), connectedTo()]
      if (redis.status === 'ready' && present !== undefined && !isSame(primary, present)) redis.disconnect(true)
    } catch {
      // Nobody knows of another.
    }
    isLooking = false
  }, LOOK_EVERY_MS)
  timer.unref()
  redis.on('end', () => clearInterval(timer))
}

function isSame(one: Address, other: Address): boolean {
  return one.host === other.host && one.port === other.port
}
