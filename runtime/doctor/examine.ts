import { builtInVersion } from '../../actors/network/baileys/built-in-version.js'
import { createMediaHosts } from '../../actors/network/baileys/media/hosts.js'
import { usableRevisions } from '../client-version/known-versions.js'
import { keptEncryptionKey } from '../config/secrets.js'
import type { Config } from '../config.js'
import { databasePlace } from '../connect/database-place.js'
import { redisPlace } from '../connect/redis-place.js'
import { runningServers } from '../embedded/server-places.js'
import { certificateAuthority, createNetworkRoutes, otherNetworkUrl } from '../node/network.js'
import { createGuard } from '../outgoing/guard.js'
import { createLookups } from '../outgoing/lookups.js'
import { createSystemResolver } from '../outgoing/system-resolver.js'
import { processCount } from '../processes/process-count.js'
import { UNSHARED_CONNECTIONS } from '../store/database.js'
import { clientVersionCheck } from './checks/client-version.js'
import { clockCheck, type OtherClock } from './checks/clock.js'
import { diskCheck } from './checks/disk.js'
import { fileStorageCheck } from './checks/file-storage.js'
import { mediaHostCheck } from './checks/media-host.js'
import { dnsCheck, networkCheck } from './checks/network.js'
import { nodeVersionCheck } from './checks/node-version.js'
import { portsCheck } from './checks/ports.js'
import { postgresCheck } from './checks/postgres.js'
import { proxiesCheck } from './checks/proxies.js'
import { redisCheck } from './checks/redis.js'
import { webhooksCheck } from './checks/webhooks.js'
import { type DatabaseFacts, readDatabaseFacts } from './database-facts.js'
import { type Finding, ok } from './finding.js'
import { type RedisFacts, readRedisFacts } from './redis-facts.js'
import { runChecks } from './run-checks.js'

export interface ExamineOptions {
  /** Time for one connection or answer. */
  readonly answerMaxMs?: number
  /** Time for one check, which may wait for another. */
  readonly checkMaxMs?: number
  /** For tests: another clock of this machine. */
  readonly nowMs?: () => number
}

const CLIENT_SCRIPT = 'https://web.whatsapp.com/sw.js'

/** Checks all that a node of this configuration needs, side by side. Changes nothing. Never rejects. */
export async function examine(config: Config, options: ExamineOptions = {}): Promise<readonly Finding[]> {
  const { answerMaxMs = 5_000, checkMaxMs = 15_000, nowMs = Date.now } = options
  const { database, redis } = await readStores(config, answerMaxMs, nowMs)
  const resolver = createSystemResolver()
  const otherNetwork = otherNetworkUrl(config.network)
  const network = {
    websocketUrl: config.network.websocketUrl,
    certificateAuthority: certificateAuthority(config.network),
    timeoutMs: answerMaxMs,
  }
  const hosts = createMediaHosts({
    mediaHost: config.network.mediaHost ?? null,
    networkHost: otherNetwork === undefined ? null : new URL(otherNetwork).hostname,
    certificateAuthority: network.certificateAuthority,
  })
  const lookups = createLookups((name) => resolver.resolve(name))
  const guard = createGuard({
    allowPrivateAddresses: config.outgoing.allowPrivateAddresses,
    privateHosts: config.webhooks.privateHosts,
    connectTimeoutMs: answerMaxMs,
    lookups,
  })
  const checks = [
    nodeVersionCheck(),
    { name: 'Settings', run: async () => [ok('All settings are valid.')] },
    postgresCheck({
      facts: database,
      connectionsNeeded: processCount(config.cluster.processes) * (config.database.poolMax + UNSHARED_CONNECTIONS),
      encryptionKeys: encryptionKeys(config),
    }),
    redisCheck(redis, config.redis.replicas),
    clockCheck(clocksOf(database, redis)),
    portsCheck(config),
    diskCheck(config),
    fileStorageCheck(config.media, answerMaxMs),
    dnsCheck(network),
    networkCheck(network),
    clientVersionCheck({
      pinned: config.network.version,
      builtIn: builtInVersion,
      shared: database?.then(({ clientVersions }) => usableRevisions(clientVersions, builtInVersion[2])),
      scriptUrl: otherNetwork === undefined ? CLIENT_SCRIPT : undefined,
      timeoutMs: answerMaxMs,
    }),
    mediaHostCheck({
      hosts,
      isKnown: otherNetwork === undefined || config.network.mediaHost !== undefined,
      timeoutMs: answerMaxMs,
    }),
    webhooksCheck(database, guard),
    proxiesCheck({
      facts: database,
      keys: encryptionKeys(config),
      routes: createNetworkRoutes(config, hosts, { addressesOf: guard.addressesOf, resolve: lookups.known }),
      timeoutMs: 2 * answerMaxMs,
    }),
  ]
  try {
    return await runChecks(checks, checkMaxMs)
  } finally {
    resolver.close()
  }
}

interface StoreFacts {
  /** Undefined for a server that the gateway starts itself and that does not run. */
  readonly database: Promise<DatabaseFacts> | undefined
  readonly redis: Promise<RedisFacts> | undefined
}

async function readStores(config: Config, answerMaxMs: number, nowMs: () => number): Promise<StoreFacts> {
  const own = await runningServers(config.data.dir)
  const database = databasePlace(config.database) ?? own.database
  const redis = redisPlace(config.redis) ?? own.redis
  const facts = {
    database: database && readDatabaseFacts(database, answerMaxMs, nowMs),
    redis: redis && readRedisFacts(redis, answerMaxMs, nowMs),
  }
  // Several checks await them; a failure before the first one does is no crash.
  facts.database?.catch(() => {})
  facts.redis?.catch(() => {})
  return facts
}

function clocksOf(database: StoreFacts['database'], redis: StoreFacts['redis']): readonly OtherClock[] {
  return [
    { name: 'PostgreSQL', facts: database },
    { name: 'Redis', facts: redis },
  ].flatMap(({ name, facts }) =>
    facts === undefined ? [] : [{ name, aheadMs: facts.then(({ clockAheadMs }) => clockAheadMs) }],
  )
}

function encryptionKeys({ secrets, data }: Config): readonly Buffer[] {
  const keys = [secrets.encryptionKey, keptEncryptionKey(data.dir), ...secrets.encryptionKeysOld]
  return keys
    .flatMap((key) => (key === undefined ? [] : [Buffer.from(key, 'base64')]))
    .filter(({ length }) => length === 32)
}
