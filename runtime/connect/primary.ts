/** Which server is the primary now: as the Sentinels say, or as the nodes of a Redis Cluster say of one slot. */
import { isIP } from 'node:net'
import { Redis } from 'ioredis'
import type { Address, RedisPlace } from './redis-place.js'

/** @throws Error when nobody knows */
export type FindPrimary = () => Promise<Address>

type Place = Extract<RedisPlace, { type: 'sentinels' | 'cluster' }>

interface Answer {
  readonly primary: Address
  /** Grows with each fail-over. */
  readonly epoch: number
  /** Others that can be asked. */
  readonly others: readonly Address[]
}

/** The finder of the primary of `key`'s slot; each server that is asked has `timeoutMs` to connect and as long to answer. */
export function createFinder(place: Place, key: string, timeoutMs: number): FindPrimary {
  const ask = place.type === 'sentinels' ? askSentinel : askNode
  let servers: readonly Address[] = place.addresses
  let newest = 0

  return async () => {
    let reason = 'none was asked'
    for (const server of servers) {
      try {
        const { primary, epoch, others } = await ask(place as never, server, key, timeoutMs)
        // One that is cut off from the others does not know of the fail-over.
        if (epoch < newest) throw new Error('its knowledge is old')
        newest = epoch
        servers = unique([server, ...others, ...place.addresses])
        return primary
      } catch (error) {
        reason = `${server.host}:${server.port}: ${(error as Error).message}`
        // It is asked last from now on.
        servers = [...servers.filter((other) => other !== server), server]
      }
    }
    throw new Error(`Nobody knows where the primary of Redis is (${reason}).`)
  }
}

async function askSentinel(
  place: Extract<Place, { type: 'sentinels' }>,
  server: Address,
  _key: string,
  timeoutMs: number,
): Promise<Answer> {
  const { name, sentinelUsername: username, sentinelPassword: password, tls } = place
  return await withServer(server, { username, password, tls, timeoutMs }, async (redis) => {
    const fields = (await redis.call('SENTINEL', 'MASTER', name)) as string[]
    const field = (wanted: string): string => fields[fields.indexOf(wanted) + 1] ?? ''
    return {
      primary: { host: field('ip'), port: Number(field('port')) },
      epoch: Number(field('config-epoch')),
      others: [],
    }
  })
}

async function askNode(
  place: Extract<Place, { type: 'cluster' }>,
  server: Address,
  key: string,
  timeoutMs: number,
): Promise<Answer> {
  const { username, password, tls } = place
  return await withServer(server, { username, password, tls, timeoutMs }, async (redis) => {
    const [slot, ranges, info] = (await Promise.all([
      redis.call('CLUSTER', 'KEYSLOT', key),
      redis.call('CLUSTER', 'SLOTS'),
      redis.call('CLUSTER', 'INFO'),
    ])) as [number, [number, number, ...[string | null, number][]][], string]
    if (!info.includes('cluster_state:ok')) throw new Error('its cluster is down')
    const range = ranges.find(([first, last]) => first <= slot && slot <= last)
    // A node that does not tell its address, or not yet, is where it was asked.
    const toAddress = ([host, port]: readonly [string | null, number]): Address => ({
      host: host === null || host === '' || host === '?' ? server.host : host,
      port,
    })
    const [, , primary] = range ?? []
    if (primary === undefined) throw new Error('nobody serves the slot')
    const others = ranges.flatMap(([, , ...nodes]) => nodes.map(toAddress))
    return { primary: toAddress(primary), epoch: 0, others }
  })
}

interface Manner {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly tls: RedisPlace['tls'] | undefined
  readonly timeoutMs: number
}

async function withServer<T>(
  { host, port }: Address,
  { username, password, tls, timeoutMs }: Manner,
  ask: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis({
    host,
    port,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls: { ...(isIP(host) === 0 ? { servername: host } : {}), ...tls } }),
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    disconnectTimeout: 0,
    retryStrategy: () => null,
    enableReadyCheck: false,
    disableClientInfo: true,
    lazyConnect: true,
  })
  let refusal: Error | undefined
  redis.on('error', (error: Error) => {
    refusal = error
  })
  try {
    await redis.connect()
    return await ask(redis)
  } catch (error) {
    throw refusal ?? error
  } finally {
    redis.disconnect()
  }
}

function unique(addresses: readonly Address[]): readonly Address[] {
  const seen = new Map(addresses.map((address) => [`${address.host}:${address.port}`, address]))
  return [...seen.values()]
}
