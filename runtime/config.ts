/** Reads the environment, checks it against one schema, and returns one frozen object. Nothing else reads settings. */

import { distanceBetween, findNearest } from '../lib/nearest.js'
import { isNetworkQuery, NETWORK_QUERIES } from '../schemas/network-queries.js'
import { OperatorError } from '../schemas/operator-error.js'
import { privateHostMistakes } from './config/agents.js'
import { healthPortMistakes, nameMistakes, portMistakes, timingMistakes } from './config/cluster.js'
import { storageMistakes } from './config/media.js'
import { originMistakes } from './config/origins.js'
import { checkSettings, createSettingReader, type SettingValue, settings } from './config/reader.js'
import { type Config, readSlices } from './config/slices.js'
import { databaseMistakes } from './connect/database-place.js'
import { isTls, type RedisSettings, readAddress, redisPort, sentinelPort, serverAt } from './connect/redis-place.js'
import { fileMistakes, tlsMistakes } from './connect/tls.js'

// Ours: settings of the operator.

export type { Config } from './config/slices.js'

/** Holds all mistakes of an environment, a sentence each. */
export class ConfigError extends OperatorError {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The configuration has ${mistakes.length === 1 ? 'a mistake' : 'mistakes'}:\n  ${mistakes.join('\n  ')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/**
 * Returns the configuration of `environment`. A variable that is missing or empty has its default.
 * Reads no files but the certificates and keys that it names, and makes none.
 * @throws ConfigError with every mistake at once
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const names = [...settings.keys()]
  const given: Record<string, string> = {}
  for (const name of names) {
    const value = environment[name]?.trim()
    if (value !== undefined && value !== '') given[name] = value
  }
  const { values, mistakes } = checkSettings(given)
  const set = Object.keys(environment).filter((name) => environment[name] !== '')
  mistakes.push(...unknownNames(set, names))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  const config = readSlices(createSettingReader(values))
  mistakes.push(...contradictions(values, config))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return deepFreeze(config)
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null) deepFreeze(child)
  }
  return Object.freeze(value)
}

// Finds misspelt settings in an environment, such as `ENCRYPTON_KEY` or `LEASE_TTL`.

/** Prefixes of our settings that other programs hardly use. */
const prefixes = ['POSTHORN_', 'WA_', 'WEBHOOK_', 'RATE_LIMIT_', 'SSE_', 'ENCRYPTION_', 'INSTANCES_', 'PAIRING_CODE_']

/**
 * Read by the command line, the examples, the tests and the demo only, or given to the processes of NODE_PROCESSES by their supervisor. A terminal in
 * which the command line is used starts gateways as well.
 */
const otherNames = /^POSTHORN_((TEST|DEMO|BENCH|SANDBOX)_|(PROCESS|URL|TOKEN|ADMIN_TOKEN|KEY)$)/

/** Matches the variables that Kubernetes and `docker --link` set for every service. */
const serviceLink = /_(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/

/** Names that are common in pod manifests and close to ours by accident. */
const foreignNames = new Set(['NODE_IP', 'NODE_OS', 'NODE_PORT'])

const units = ['_MS', '_BYTES', '_DAYS', '_PER_SECOND', '_PER_MINUTE', '_MAX']

/** Returns a sentence for each unknown name that looks like one of `names`. */
function unknownNames(given: Iterable<string>, names: readonly string[]): string[] {
  const mistakes: string[] = []
  const candidates = names.map((name) => ({ name, letters: plain(name) }))
  for (const name of given) {
    if (names.includes(name) || otherNames.test(name) || serviceLink.test(name) || foreignNames.has(name)) continue
    const nearest = nearestName(name, candidates)
    if (nearest !== undefined) mistakes.push(`${name}: unknown; did you mean ${nearest}?`)
    else if (prefixes.some((prefix) => name.startsWith(prefix)))
      mistakes.push(`${name}: unknown; the settings are listed in docs/reference/configuration.md.`)
  }
  return mistakes
}

function nearestName(
  name: string,
  candidates: readonly { readonly name: string; readonly letters: string }[],
): string | undefined {
  const isOurs = prefixes.some((prefix) => name.startsWith(prefix))
  const given = plain(name)
  let best: { name: string; distance: number } | undefined
  for (const { name: candidate, letters } of candidates) {
    const withUnit = units.some((unit) => `${name}${unit}` === candidate)
    const tolerated = tolerance(candidate, isOurs)
    // The lengths alone say it of most: an environment has a hundred names.
    if (!withUnit && Math.abs(given.length - letters.length) > tolerated) continue
    const distance = distanceBetween(given, letters)
    if (!withUnit && distance > tolerated) continue
    if (best === undefined || distance < best.distance) best = { name: candidate, distance }
  }
  return best?.name
}

/** Returns the maximum distance of a misspelt name. Short names such as HOST and PORT are too near to those of other programs. */
function tolerance(candidate: string, isOurs: boolean): number {
  if (candidate.length < 6) return -1
  if (isOurs) return Math.max(2, Math.floor(candidate.length / 3))
  return candidate.length < 9 ? 1 : 2
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[_.-]/g, '')
}

function contradictions(values: Readonly<Record<string, SettingValue>>, config: Config): string[] {
  const mistakes: string[] = []
  for (const [least, most] of [
    ['SEND_DELAY_MIN_MS', 'SEND_DELAY_MAX_MS'],
    ['RECONNECT_DELAY_MIN_MS', 'RECONNECT_DELAY_MAX_MS'],
    ['WEBHOOK_BACKOFF_MIN_MS', 'WEBHOOK_BACKOFF_MAX_MS'],
  ] as const) {
    if (Number(values[least]) > Number(values[most])) mistakes.push(`${least}: is larger than ${most}.`)
  }
  mistakes.push(...scheduledDelayMistakes(values))
  mistakes.push(...timingMistakes((name) => Number(values[`CLUSTER_${name}_MS`])))
  mistakes.push(...nameMistakes(config.cluster))
  mistakes.push(...healthPortMistakes(config.cluster, config.http.port))
  // Without DATABASE_URL the processes take any free ports.
  if (values.DATABASE_URL !== undefined) mistakes.push(...portMistakes(config.cluster, config.http.port))
  if (values.DATABASE_URL !== undefined && values.ENCRYPTION_KEY === undefined) {
    mistakes.push(
      'ENCRYPTION_KEY: must be set when DATABASE_URL is, since every node needs the same one; make it with: openssl rand -base64 32',
    )
  }
  for (const name of ['WA_WEBSOCKET_URL', 'PUBLIC_URL', 'DASHBOARD_GRAFANA_URL']) {
    const value = values[name]
    if (typeof value === 'string' && !URL.canParse(value)) mistakes.push(`${name}: is not a valid URL.`)
  }
  mistakes.push(
    ...grafanaMistakes(config.http.grafanaUrl),
    ...originMistakes('CORS_ORIGINS', config.http.corsOrigins),
    ...privateHostMistakes('AGENT_PRIVATE_HOSTS', config.agents.privateHosts),
    ...privateHostMistakes('WEBHOOK_PRIVATE_HOSTS', config.webhooks.privateHosts),
    ...privateHostMistakes('CHATWOOT_PRIVATE_HOSTS', config.chatwoot.privateHosts),
    ...storageMistakes(config.media),
    ...databaseMistakes(config.database),
    ...redisMistakes(config.redis),
    ...fileMistakes('WA_MEDIA_CA_FILE', config.network.mediaCaFile),
    ...queryMistakes(config.network.queryIds),
  )
  return mistakes
}

/** Either bound of the pause after scheduled messages may be that of all queued ones. */
function scheduledDelayMistakes(values: Readonly<Record<string, SettingValue>>): string[] {
  const [min, max] = [values.SCHEDULED_DELAY_MIN_MS, values.SCHEDULED_DELAY_MAX_MS]
  if (min === undefined && max === undefined) return []
  if (Number(min ?? values.SEND_DELAY_MIN_MS) <= Number(max ?? values.SEND_DELAY_MAX_MS)) return []
  if (min === undefined)
    return ['SCHEDULED_DELAY_MAX_MS: is smaller than SEND_DELAY_MIN_MS; set SCHEDULED_DELAY_MIN_MS, too.']
  return [
    `SCHEDULED_DELAY_MIN_MS: is larger than ${max === undefined ? 'SEND_DELAY_MAX_MS; set SCHEDULED_DELAY_MAX_MS, too' : 'SCHEDULED_DELAY_MAX_MS'}.`,
  ]
}

function queryMistakes(queryIds: Readonly<Record<string, string>>): string[] {
  const unknown = Object.keys(queryIds).filter((name) => !isNetworkQuery(name))
  return unknown.map((name) => {
    const near = findNearest(name, Object.keys(NETWORK_QUERIES))
    return `WA_QUERY_IDS: names no query ${name}${near === undefined ? '' : `, did you mean ${near}?`}`
  })
}

/** The page shows the address to every administrator. */
function grafanaMistakes(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { username, password } = new URL(url)
  return username === '' && password === '' ? [] : ['DASHBOARD_GRAFANA_URL: must not have a user or a password in it.']
}

// Finds mistakes in the settings of Redis taken together; the schema checks each of them alone.

/** A sentence for each; none shows a secret. */
function redisMistakes(settings: RedisSettings): string[] {
  const { url, sentinels, sentinelName, clusterNodes, tls } = settings
  const ways = [
    ...(url === undefined ? [] : ['REDIS_URL']),
    ...(sentinels.length === 0 ? [] : ['REDIS_SENTINELS']),
    ...(clusterNodes.length === 0 ? [] : ['REDIS_CLUSTER_NODES']),
  ]
  return [
    ...(ways.length > 1 ? [`${ways.join(' and ')}: are different ways to reach Redis; set one of them.`] : []),
    ...urlMistakes(url, tls.isOn),
    ...addressMistakes('REDIS_SENTINELS', sentinels, sentinelPort),
    ...addressMistakes('REDIS_CLUSTER_NODES', clusterNodes, redisPort),
    ...(sentinels.length > 0 && sentinelName === undefined
      ? ['REDIS_SENTINELS: needs REDIS_SENTINEL_NAME, by which the Sentinels know the primary.']
      : []),
    ...uselessSettings(settings, ways.length > 0),
    ...tlsMistakes('REDIS_TLS', tls),
  ]
}

function urlMistakes(url: string | undefined, isTlsOn: boolean): string[] {
  if (url === undefined) return []
  try {
    if (serverAt(url).type === 'socket' && isTlsOn) return ['REDIS_TLS: there is no TLS on a unix socket.']
  } catch {
    return ['REDIS_URL: is not a valid URL.']
  }
  return url.includes('?') ? ['REDIS_URL: takes no parameters (what follows the question mark).'] : []
}

function addressMistakes(name: string, list: readonly string[], defaultPort: number): string[] {
  const wrong = list.filter((text) => {
    try {
      readAddress(text, defaultPort)
      return false
    } catch {
      return true
    }
  })
  return wrong.map((text) => `${name}: ${JSON.stringify(text)} is not a host and a port.`)
}

/** Lists settings that would have no effect. Their author expects one. */
function uselessSettings(settings: RedisSettings, isRedisGiven: boolean): string[] {
  const { username, password, sentinels, sentinelName, sentinelUsername, sentinelPassword, tls } = settings
  const somewhere = ['REDIS_URL, REDIS_SENTINELS or REDIS_CLUSTER_NODES', isRedisGiven] as const
  const bySentinel = ['REDIS_SENTINELS', sentinels.length > 0] as const
  const byTls = ['REDIS_TLS=true or a rediss:// URL', isTls(settings)] as const
  const rules: readonly (readonly [name: string, isSet: boolean, needs: readonly [what: string, isThere: boolean]])[] =
    [
      ['REDIS_USERNAME', username !== undefined, ['REDIS_PASSWORD', password !== undefined]],
      ['REDIS_PASSWORD', password !== undefined, somewhere],
      ['REDIS_TLS', tls.isOn, somewhere],
      ['REDIS_REPLICAS', settings.replicas > 0, somewhere],
      ['REDIS_SENTINEL_NAME', sentinelName !== undefined, bySentinel],
      ['REDIS_SENTINEL_PASSWORD', sentinelPassword !== undefined, bySentinel],
      [
        'REDIS_SENTINEL_USERNAME',
        sentinelUsername !== undefined,
        ['REDIS_SENTINEL_PASSWORD', sentinelPassword !== undefined],
      ],
      ['REDIS_TLS_CA_FILE', tls.caFile !== undefined, byTls],
      ['REDIS_TLS_CERT_FILE', tls.certFile !== undefined, byTls],
      ['REDIS_TLS_KEY_FILE', tls.keyFile !== undefined, byTls],
      ['REDIS_TLS_SERVER_NAME', tls.serverName !== undefined, byTls],
    ]
  return rules
    .filter(([, isSet, [, isThere]]) => isSet && !isThere)
    .map(([name, , [what]]) => `${name}: is of no use without ${what}.`)
}
