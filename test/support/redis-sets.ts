/** Sets of real Redis servers on loopback: a Redis Cluster, Sentinels with a primary and its replica, and a server with TLS. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { hasEndedWithin, signalProcess } from '../../runtime/embedded/processes.js'
import { findRedis } from '../../runtime/embedded/redis-binary.js'
import { logAfter, spawnServer } from '../../runtime/embedded/server-process.js'
import type { TlsFolder } from './certificates.js'
import type { Cleanup } from './cleanup.js'
import { cacheFolder, testFolder } from './embedded.js'
import { eventually } from './eventually.js'
import { lastingPort } from './port.js'

export interface RedisProcess {
  readonly port: number
  readonly address: string
  /** As a crash does: kill -9. */
  kill(): Promise<void>
  /** After `kill`. */
  start(): Promise<void>
  /** It hangs: connections are taken, nothing is answered. */
  pause(): void
  resume(): void
  /** A connection of the test's own. */
  ask<T>(work: (redis: Redis) => Promise<T>): Promise<T>
}

export interface Manner {
  readonly tls?: TlsFolder
  readonly password?: string
}

/** A server that stays a while after the test, so that what uses it can be closed in peace. */
const lingerMs = 3_000

export async function redisProcess(
  t: Cleanup,
  options: readonly string[] = [],
  { tls, password }: Manner = {},
  /** Makes it a Sentinel. */
  sentinelConfiguration?: string,
): Promise<RedisProcess> {
  const folder = testFolder({ after: (work) => t.after(() => void setTimeout(() => void work(), lingerMs)) })
  // Its number plus 10,000 is the port of a cluster's bus, and must be below those of outgoing connections too.
  let port = await lastingPort()
  while (port > 20_000) port = await lastingPort()
  const { program, environment } = await findRedis(cacheFolder(), pino({ level: 'silent' }))
  const logFile = path.join(folder, 'log')
  const file = path.join(folder, 'configuration')
  writeFileSync(file, sentinelConfiguration ?? '')
  const listening =
    tls === undefined ? ['--port', String(port)] : ['--port', '0', '--tls-port', String(port), ...tlsOptions(tls)]
  const commandLine = [
    file,
    ['--bind', '127.0.0.1', '--dir', folder, '--pidfile', path.join(folder, 'redis.pid'), '--daemonize', 'no'],
    listening,
    password === undefined ? [] : ['--requirepass', password],
    sentinelConfiguration === undefined
      ? ['--save', '', '--appendonly', 'no', ...(password === undefined ? [] : ['--masterauth', password])]
      : ['--sentinel'],
    options,
  ].flat()
  let pid = 0

  async function start(): Promise<void> {
    const since = logAfter(logFile, 0).length
    const child = await spawnServer({ program, arguments: commandLine, environment, logFile })
    pid = child.pid ?? 0
    await eventually(
      () => logAfter(logFile, 0).slice(since),
      (said) => /Ready to accept connections|Sentinel ID is/.test(said),
    )
  }
  async function kill(): Promise<void> {
    signalProcess(pid, 'SIGKILL')
    await hasEndedWithin(pid, 60_000)
  }
  const atExit = () => signalProcess(pid, 'SIGKILL')
  process.once('exit', atExit)
  t.after(() => {
    setTimeout(async () => {
      await kill()
      process.off('exit', atExit)
    }, lingerMs / 2)
  })
  await start()
  return {
    port,
    address: `127.0.0.1:${port}`,
    kill,
    start,
    pause: () => signalProcess(pid, 'SIGSTOP'),
    resume: () => signalProcess(pid, 'SIGCONT'),
    async ask(work) {
      const redis = new Redis({
        port,
        host: '127.0.0.1',
        ...(password === undefined ? {} : { password }),
        ...(tls === undefined ? {} : { tls: { rejectUnauthorized: false } }),
        commandTimeout: 5_000,
        lazyConnect: true,
      })
      redis.on('error', () => {})
      try {
        return await work(redis)
      } finally {
        redis.disconnect()
      }
    },
  }
}

export interface RedisCluster {
  /** For REDIS_CLUSTER_NODES: some of them. */
  readonly nodes: string
  /** The primary of the key's slot, and its replica. */
  of(key: string): Promise<{ primary: RedisProcess; replica: RedisProcess }>
}

const SLOTS = 16_384
const SHARE = Math.ceil(SLOTS / 3)

/** Three primaries with a replica each; one that is silent for a second is replaced. */
export async function redisCluster(t: Cleanup, manner: Manner = {}): Promise<RedisCluster> {
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', '--cluster-config-file', 'nodes.conf']
  if (manner.tls !== undefined) options.push('--tls-cluster', 'yes', '--tls-replication', 'yes')
  const servers = await Promise.all(Array.from({ length: 6 }, () => redisProcess(t, options, manner)))
  const [first] = servers as [RedisProcess, ...RedisProcess[]]
  for (const [index, server] of servers.entries()) {
    await server.ask(async (redis) => {
      await redis.cluster('SET-CONFIG-EPOCH', index + 1)
      await redis.call('CLUSTER', 'MEET', '127.0.0.1', first.port)
      const slots = Array.from({ length: SLOTS }, (_, slot) => slot).filter(
        (slot) => Math.floor(slot / SHARE) === index,
      )
      if (slots.length > 0) await redis.cluster('ADDSLOTS', ...slots)
    })
  }
  const ids = await Promise.all(servers.map((server) => server.ask((redis) => redis.cluster('MYID'))))
  for (const [index, server] of servers.entries()) {
    if (index < 3) continue
    await eventually(
      () => server.ask((redis) => redis.cluster('REPLICATE', ids[index - 3] as string)).catch(() => ''),
      (answer) => answer === 'OK',
    )
  }
  const isWhole = async (server: RedisProcess) =>
    await server.ask(async (redis) => {
      const info = (await redis.cluster('INFO')) as string
      const slots = (await redis.cluster('SLOTS')) as unknown[][]
      return (
        info.includes('cluster_state:ok') &&
        info.includes('cluster_known_nodes:6') &&
        slots.every(({ length }) => length === 4)
      )
    })
  await eventually(async () => (await Promise.all(servers.map(isWhole))).every(Boolean), Boolean, 30_000)

  return {
    nodes: servers
      .slice(0, 3)
      .map(({ address }) => address)
      .join(),
    async of(key) {
      for (const server of servers) {
        const found = await server
          .ask(async (redis) => {
            const slot = await redis.cluster('KEYSLOT', key)
            const [, , ...nodes] = (await redis.cluster('SLOTS')).find(([from, to]) => from <= slot && slot <= to) ?? []
            return nodes
          })
          .catch(() => [])
        const [primary, replica] = found.map(([, port]) => servers.find((other) => other.port === port))
        if (primary !== undefined && replica !== undefined) return { primary, replica }
      }
      throw new Error(`No primary with a replica has ${key}.`)
    },
  }
}

export interface SentinelSet {
  /** For REDIS_SENTINELS. */
  readonly sentinels: string
  readonly name: string
  readonly primary: RedisProcess
  readonly replica: RedisProcess
}

/** Three Sentinels that replace a primary which is silent for half a second. */
export async function sentinelSet(
  t: Cleanup,
  manner: Manner & { readonly password: string },
  sentinelPassword: string,
): Promise<SentinelSet> {
  const name = 'posthorn-test'
  const replicating = manner.tls === undefined ? [] : ['--tls-replication', 'yes']
  const primary = await redisProcess(t, replicating, manner)
  const replica = await redisProcess(t, [...replicating, '--replicaof', `127.0.0.1 ${primary.port}`], manner)
  await eventually(
    () => primary.ask((redis) => redis.info('replication')),
    (info) => info.includes('state=online'),
  )
  const configuration = [
    `sentinel monitor ${name} 127.0.0.1 ${primary.port} 2`,
    `sentinel auth-pass ${name} "${manner.password}"`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 3000`,
    '',
  ].join('\n')
  const sentinels = await Promise.all(
    Array.from({ length: 3 }, () =>
      redisProcess(t, replicating, { ...manner, password: sentinelPassword }, configuration),
    ),
  )
  const knowsAll = (sentinel: RedisProcess) =>
    sentinel.ask(async (redis) => {
      const fields = (await redis.call('SENTINEL', 'MASTER', name)) as string[]
      const field = (wanted: string) => fields[fields.indexOf(wanted) + 1]
      return field('num-other-sentinels') === '2' && field('num-slaves') === '1'
    })
  await eventually(async () => (await Promise.all(sentinels.map(knowsAll))).every(Boolean), Boolean, 30_000)
  return { sentinels: sentinels.map(({ address }) => address).join(), name, primary, replica }
}

function tlsOptions({ caFile, certFile, keyFile }: TlsFolder): string[] {
  return [
    ['--tls-ca-cert-file', caFile],
    ['--tls-cert-file', certFile],
    ['--tls-key-file', keyFile],
    ['--tls-auth-clients', 'no'],
  ].flat()
}
