import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import path from 'node:path'
import { builtInVersion } from '../../actors/network/baileys/built-in-version.js'
import { createMediaHosts } from '../../actors/network/baileys/media/hosts.js'
import { errorText } from '../../lib/error-text.js'
import { semaphore } from '../../lib/owner-slots.js'
import { withTimeLimit } from '../../lib/time-limit.js'
import { usableRevisions } from '../client-version/known-versions.js'
import { keptEncryptionKey } from '../config/secrets.js'
import type { Config } from '../config.js'
import { databasePlace } from '../connect/database-place.js'
import { redisPlace } from '../connect/redis-place.js'
import { runningServers } from '../embedded/server-places.js'
import { certificateAuthority, createNetworkRoutes, otherNetworkUrl } from '../node/network.js'
import { createGuard, type Guard } from '../outgoing/guard.js'
import { createLookups } from '../outgoing/lookups.js'
import { createSystemResolver } from '../outgoing/system-resolver.js'
import { processCount } from '../processes/process-count.js'
import { UNSHARED_CONNECTIONS } from '../store/database.js'
import { clientVersionCheck } from './checks/client-version.js'
import { fileStorageCheck } from './checks/file-storage.js'
import { mediaHostCheck } from './checks/media-host.js'
import { dnsCheck, networkCheck, proxiesCheck } from './checks/network.js'
import { nodeVersionCheck } from './checks/node-version.js'
import { portsCheck } from './checks/ports.js'
import { postgresCheck } from './checks/postgres.js'
import { redisCheck } from './checks/redis.js'
import { findInnermostCode } from './connection-failure.js'
import { type DatabaseFacts, readDatabaseFacts, WEBHOOKS_MAX } from './database-facts.js'
import { type Check, type Finding, failed, ok, type Result, skipped, warning } from './finding.js'
import { type RedisFacts, readRedisFacts } from './redis-facts.js'

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
    clockCheck(compareClocks(database, redis)),
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
      routes: createNetworkRoutes(config, hosts, { findAddresses: guard.findAddresses, resolve: lookups.known }),
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

function compareClocks(database: StoreFacts['database'], redis: StoreFacts['redis']): readonly OtherClock[] {
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

/** Runs all checks side by side, each for a limited time. Returns their findings in the order of the checks. Never rejects. */
async function runChecks(checks: readonly Check[], limitMs: number): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    checks.map(async (check) => {
      const results = await runCheck(check, limitMs)
      return results.map((result): Finding => ({ check: check.name, ...result }))
    }),
  )
  return findings.flat()
}

async function runCheck(check: Check, limitMs: number): Promise<readonly Result[]> {
  try {
    return await withTimeLimit(check.run(), limitMs, () => [
      failed(
        `No answer within ${limitMs / 1_000} s.`,
        'Look whether a firewall drops the packets, and whether the other side is overloaded.',
      ),
    ])
  } catch (error) {
    return [failed(`The check itself failed: ${errorText(error)}`, 'Report this with the output of --json.')]
  }
}

/** A clock of another machine: its offset to ours, once it is known. */
interface OtherClock {
  readonly name: string
  /** Its time minus ours. Rejects when it was not reached. */
  readonly aheadMs: Promise<number>
}

const WARNING_MS = 2_000
/** Receivers of webhooks refuse signatures that are five minutes old. */
const FAILED_MS = 60_000

/** Compares the clock of this machine with others. */
function clockCheck(clocks: readonly OtherClock[]): Check {
  return {
    name: 'Clock',
    async run() {
      const results = await Promise.all(clocks.map(compareClock))
      const known = results.filter((result) => result !== null)
      return known.length > 0 ? known : [skipped('No other clock could be asked.')]
    },
  }
}

/** Returns null when the clock was not reached; another check says why. */
async function compareClock({ name, aheadMs }: OtherClock): Promise<Result | null> {
  const ms = await aheadMs.catch(() => null)
  if (ms === null) return null
  const seconds = (Math.abs(ms) / 1_000).toFixed(1)
  const text = `The clock of this machine is ${seconds} s ${ms > 0 ? 'behind' : 'ahead of'} the one of ${name}.`
  const remedy = 'Set both clocks by NTP (timedatectl set-ntp true).'
  if (Math.abs(ms) >= FAILED_MS) return failed(text, remedy)
  return Math.abs(ms) >= WARNING_MS ? warning(text, remedy) : ok(`As the one of ${name}.`)
}

const AT_ONCE = 100

/** Connects to the receivers of webhooks, through the guard, and sends nothing. Shows origins only: paths may hold secrets. */
function webhooksCheck(facts: Promise<DatabaseFacts> | undefined, guard: Pick<Guard, 'connect'>): Check {
  return {
    name: 'Webhooks',
    async run() {
      const found = await facts?.catch(() => undefined)
      if (found === undefined) return [skipped('The webhooks are not known, because the database was not read.')]
      const origins = [...new Set(found.webhookUrls.flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : [])))]
      if (origins.length === 0) return [ok('No webhook is enabled.')]
      const inSlot = semaphore(AT_ONCE)
      const failures = await Promise.all(origins.map((origin) => inSlot(() => reachOrigin(origin, guard))))
      const lost = failures.filter((result) => result !== null)
      const limited = found.webhookUrls.length === WEBHOOKS_MAX ? ` (of the newest ${WEBHOOKS_MAX} webhooks)` : ''
      return [ok(`${origins.length - lost.length} of ${origins.length} receivers were reached${limited}.`), ...lost]
    },
  }
}

/** Returns null when the connection stands. */
function reachOrigin(origin: string, guard: Pick<Guard, 'connect'>): Promise<Result | null> {
  const { protocol, hostname, port, host } = new URL(origin)
  return new Promise((resolve) => {
    guard.connect({ protocol, hostname, port, host }, (error, socket) => {
      socket?.destroy()
      resolve(
        error === null
          ? null
          : warning(`${origin} was not reached: ${error.message}`, remedyFor(findInnermostCode(error))),
      )
    })
  })
}

function remedyFor(code: string): string {
  return code === 'ADDRESS_REFUSED'
    ? 'Receivers in your own network need ALLOW_PRIVATE_ADDRESSES=true.'
    : 'Start the receiver, or correct or disable its webhook; until then its events wait.'
}

const MIB = 2 ** 20
const FREE_FAILED_BYTES = 200 * MIB
const FREE_WARNING_BYTES = 1024 * MIB

/** Checks the data folder: whether this user may write there, and the free space. */
function diskCheck({ data, database, redis, media }: Pick<Config, 'data' | 'database' | 'redis' | 'media'>): Check {
  return {
    name: 'Disk',
    async run() {
      const hasOwnStores = database.url === undefined || isUnset(redis)
      if (!hasOwnStores && media.storage === 'none') return [skipped('Nothing is stored on this machine.')]
      const folder = await existingFolder(data.dir)
      if ('error' in folder) return [notWritable(data.dir, folder.error)]
      const { bavail, bsize, files, ffree } = await statfs(folder.path)
      return [
        judgeSpace(data.dir, Number(bavail) * Number(bsize)),
        ...judgeInodes(data.dir, Number(files), Number(ffree)),
      ]
    },
  }
}

function isUnset({ url, sentinelName, clusterNodes }: Config['redis']): boolean {
  return url === undefined && sentinelName === undefined && clusterNodes.length === 0
}

/** Returns the folder, or the nearest one above it if the folder is yet to be made. */
async function existingFolder(folder: string): Promise<{ path: string } | { error: unknown }> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return { path: folder }
  } catch (error) {
    const parent = path.dirname(folder)
    return findInnermostCode(error) === 'ENOENT' && parent !== folder ? await existingFolder(parent) : { error }
  }
}

function notWritable(folder: string, error: unknown): Result {
  return failed(
    `${folder} is not writable (${findInnermostCode(error)}).`,
    `Give it to the user of the gateway (uid ${process.getuid?.()}) with chown, or set DATA_DIR.`,
  )
}

function judgeSpace(folder: string, freeBytes: number): Result {
  const text = `${(freeBytes / 1024 / MIB).toFixed(1)} GiB are free for ${folder}.`
  const remedy = 'Make room, or set DATA_DIR to a larger disk.'
  if (freeBytes < FREE_FAILED_BYTES) return failed(text, remedy)
  return freeBytes < FREE_WARNING_BYTES ? warning(text, remedy) : ok(text)
}

/** Some file systems count no inodes: they say 0 of 0. */
function judgeInodes(folder: string, all: number, free: number): readonly Result[] {
  if (all === 0 || free > all / 100) return []
  return [warning(`Less than 1 % of the inodes are free for ${folder}.`, 'Remove small files, or set DATA_DIR.')]
}
