import { connectRedis } from '../connect/redis.js'
import type { RedisPlace } from '../connect/redis-place.js'

// Ours: answers of our own stores and settings.

export interface RedisFacts {
  readonly version: string
  readonly isPrimary: boolean
  readonly replicas: number
  /** 0 means no limit. */
  readonly memoryMaxBytes: number
  readonly evictionPolicy: string
  /** Its clock minus the one of this machine. */
  readonly clockAheadMs: number
}

/** Connects to the server that has the leases, and reads. @throws the error of Redis or of the connection */
export async function readRedisFacts(place: RedisPlace, timeoutMs: number, nowMs: () => number): Promise<RedisFacts> {
  const redis = connectRedis(place).toSlotOf('posthorn', {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableReadyCheck: false,
  })
  let reason: Error | undefined
  redis.on('error', (error: Error) => {
    reason = error
  })
  try {
    await redis.connect()
    const askedMs = nowMs()
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number)
    const clockAheadMs = seconds * 1_000 + micros / 1_000 - (askedMs + nowMs()) / 2
    return { ...parseRedisFacts(await redis.info()), clockAheadMs }
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

function parseRedisFacts(info: string): Omit<RedisFacts, 'clockAheadMs'> {
  const field = (name: string): string => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? ''
  return {
    version: field('redis_version'),
    isPrimary: field('role') === 'master',
    replicas: Number(field('connected_slaves')),
    memoryMaxBytes: Number(field('maxmemory')),
    evictionPolicy: field('maxmemory_policy'),
  }
}
