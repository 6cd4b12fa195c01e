/** The only reader of the environment: one schema in, one frozen object out, every mistake told at once. */
import path from 'node:path'
import { OperatorError } from '../schemas/operator-error.js'
import type { Timing } from './cluster/ownership/protocol.js'
import { unknownNames } from './config-names.js'
import { originMistakes } from './config-origins.js'
import { checkSettings, type SettingValue, settings } from './config-schema.js'
import { type DatabaseSettings, databaseMistakes } from './connect/database-place.js'
import { redisMistakes } from './connect/redis-mistakes.js'
import type { RedisSettings } from './connect/redis-place.js'
import { fileMistakes } from './connect/tls.js'

export interface HttpConfig {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** `*` alone: all. */
  readonly corsOrigins: readonly string[]
  readonly bodyLimitBytes: number
  readonly bodyKeysMax: number
  readonly uploadsPerInstanceMax: number
  readonly searchesPerInstanceMax: number
  readonly bodyValuesMax: number
  readonly requestTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly connectionsMax: number
  /** 0 means no limit. */
  readonly rateLimits: {
    readonly addressPerSecond: number
    readonly tokenPerSecond: number
    readonly instancePerSecond: number
    readonly refusedPerMinute: number
  }
}

export interface DataConfig {
  /** Absolute. */
  readonly dir: string
  /** 0 means for good. */
  readonly retentionDays: number
  readonly auditRetentionDays: number
  readonly transferMaxBytes: number
  readonly transferTimeoutMs: number
}

/** `databasePlace` makes of it where PostgreSQL is. */
export interface DatabaseConfig extends DatabaseSettings {
  readonly poolMax: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly searchTimeoutMs: number
}

/** What was given; `loadSecrets` fills in the rest. */
export interface GivenSecrets {
  readonly adminToken: string | undefined
  readonly encryptionKey: string | undefined
  readonly encryptionKeysOld: readonly string[]
  readonly clusterSecret: string | undefined
}

export interface ClusterConfig {
  readonly nodeId: string | undefined
  readonly nodeRevision: number
  readonly nodeAddress: string
  readonly peerPort: number
  readonly parkTimeoutMs: number
  readonly shutdownNoticeMs: number
  readonly shutdownTimeoutMs: number
  readonly timing: Timing
}

export interface InstancesConfig {
  readonly max: number
  readonly pairingsMax: number
  readonly qrWindowMs: number
  readonly pairingCodeWindowMs: number
  readonly connectWaitMs: number
  readonly reconnectDelayMinMs: number
  readonly reconnectDelayMaxMs: number
  readonly loginRatePerSecond: number
  readonly presenceRefreshMs: number
  readonly presenceMaxMs: number
}

export interface NetworkConfig {
  readonly websocketUrl: string
  /** 32 bytes in hex. */
  readonly noiseRootKey: string | undefined
  readonly mediaHost: string | undefined
  /** Absolute, and readable at start. */
  readonly mediaCaFile: string | undefined
  readonly version: readonly [number, number, number] | undefined
  readonly silenceMaxMs: number
  readonly answerMaxMs: number
}

export interface SendsConfig {
  readonly ackTimeoutMs: number
  readonly maxAgeMs: number
  readonly delayMinMs: number
  readonly delayMaxMs: number
  readonly queueMax: number
  readonly menuTextFallback: boolean
}

export interface MediaConfig {
  readonly storage: 'disk' | 's3' | 'none'
  readonly s3: {
    readonly bucket: string | undefined
    readonly endpoint: string | undefined
    readonly region: string
    readonly accessKey: string | undefined
    readonly secretKey: string | undefined
    readonly prefix: string
    readonly pathStyle: boolean
  }
  readonly maxBytes: number
  readonly retentionHours: number
  readonly fetchTimeoutMs: number
  readonly convertTimeoutMs: number
  /** Absolute. */
  readonly ffmpegPath: string | undefined
}

export interface WebhooksConfig {
  readonly timeoutMs: number
  readonly attemptsMax: number
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
  /** 0: for good. */
  readonly maxAgeHours: number
  readonly concurrency: number
  readonly instanceConcurrency: number
  /** Per instance. */
  readonly max: number
}

export interface StreamConfig {
  readonly heartbeatMs: number
  readonly clientsMax: number
  readonly instanceMax: number
  readonly adminMax: number
}

export interface OutgoingConfig {
  readonly allowPrivateAddresses: boolean
  readonly lookupsPerInstanceMax: number
  readonly fetchesPerInstanceMax: number
  readonly lookupTimeoutMs: number
}

export interface LoggingConfig {
  readonly level: string
  /** Undefined: by whether standard output is a terminal. */
  readonly format?: 'json' | 'pretty' | undefined
}

export interface MetricsConfig {
  readonly token: string | undefined
}

/** Frozen; a part receives its slice. */
export interface Config {
  readonly http: HttpConfig
  readonly data: DataConfig
  readonly database: DatabaseConfig
  /** `redisPlace` makes of it where Redis is. */
  readonly redis: RedisSettings
  readonly secrets: GivenSecrets
  readonly cluster: ClusterConfig
  readonly instances: InstancesConfig
  readonly network: NetworkConfig
  readonly sends: SendsConfig
  readonly media: MediaConfig
  readonly webhooks: WebhooksConfig
  readonly stream: StreamConfig
  readonly outgoing: OutgoingConfig
  readonly logging: LoggingConfig
  readonly metrics: MetricsConfig
}

/** All mistakes of an environment, a sentence each. */
export class ConfigError extends OperatorError {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(`The configuration has ${mistakes.length === 1 ? 'a mistake' : 'mistakes'}:\n  ${mistakes.join('\n  ')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/**
 * The configuration that `environment` gives; what it does not name has its default, an empty variable counts as unset.
 * Looks only at the files of certificates and keys that it names, and makes none.
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
  const config = inSlices(createReader(values))
  mistakes.push(...contradictions(values, config))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return deepFreeze(config)
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
  mistakes.push(...timingContradictions((name) => Number(values[`CLUSTER_${name}_MS`])))
  if (values.DATABASE_URL !== undefined && values.ENCRYPTION_KEY === undefined) {
    mistakes.push(
      'ENCRYPTION_KEY: must be set when DATABASE_URL is, since every node needs the same one; make it with: openssl rand -base64 32',
    )
  }
  for (const name of ['WA_WEBSOCKET_URL', 'PUBLIC_URL']) {
    const value = values[name]
    if (typeof value === 'string' && !URL.canParse(value)) mistakes.push(`${name}: is not a valid URL.`)
  }
  mistakes.push(
    ...originMistakes('CORS_ORIGINS', config.http.corsOrigins),
    ...storageMistakes(config.media),
    ...databaseMistakes(config.database),
    ...redisMistakes(config.redis),
    ...fileMistakes('WA_MEDIA_CA_FILE', config.network.mediaCaFile),
  )
  return mistakes
}

function storageMistakes({ storage, s3 }: MediaConfig): string[] {
  const { bucket, accessKey, secretKey, endpoint } = s3
  const mistakes: string[] = []
  if (storage === 's3')
    for (const [name, value] of Object.entries({
      MEDIA_S3_BUCKET: bucket,
      MEDIA_S3_ACCESS_KEY: accessKey,
      MEDIA_S3_SECRET_KEY: secretKey,
    }))
      if (value === undefined) mistakes.push(`${name}: must be set, since files are stored in an S3 service.`)
  if (storage !== 's3' && bucket !== undefined)
    mistakes.push(`MEDIA_S3_BUCKET: is set, though MEDIA_STORAGE is ${storage}; unset one of them.`)
  if (endpoint !== undefined && !URL.canParse(endpoint)) mistakes.push('MEDIA_S3_ENDPOINT: is not a valid URL.')
  return mistakes
}

/** What docs/ownership.md takes for granted of the constants. */
function timingContradictions(ms: (name: string) => number): string[] {
  const least: readonly (readonly [name: string, least: number, why: string])[] = [
    ['LEASE', Math.ceil(ms('GUARD') * 1.03), '3 % more than CLUSTER_GUARD_MS'],
    ['GUARD', 2 * ms('RENEW') + ms('COMMAND_TIMEOUT'), 'two of CLUSTER_RENEW_MS and one CLUSTER_COMMAND_TIMEOUT_MS'],
    [
      'GUARD',
      ms('HOLD_AFTER') + 2 * ms('COMMAND_TIMEOUT'),
      'CLUSTER_HOLD_AFTER_MS and two of CLUSTER_COMMAND_TIMEOUT_MS',
    ],
    ['PREDECESSOR', ms('RENEW') + ms('POLL_LEASES'), 'CLUSTER_RENEW_MS and CLUSTER_POLL_LEASES_MS together'],
    ['SUSPECT', ms('RENEW') + ms('COMMAND_TIMEOUT'), 'CLUSTER_RENEW_MS and CLUSTER_COMMAND_TIMEOUT_MS together'],
    ['LEASE_KEPT', 2 * ms('LEASE'), 'two of CLUSTER_LEASE_MS'],
  ]
  return least
    .filter(([name, bound]) => ms(name) < bound)
    .map(([name, bound, why]) => `CLUSTER_${name}_MS: must be at least ${bound}, which is ${why}.`)
}

/** The values by type; asking for a name that the schema does not have, or has with another type, is an error of ours. */
export interface SettingReader {
  text(name: string): string
  optionalText(name: string): string | undefined
  list(name: string): readonly string[]
  number(name: string): number
  flag(name: string): boolean
}

function createReader(values: Readonly<Record<string, SettingValue>>): SettingReader {
  function read<T extends SettingValue>(name: string, type: string): T | undefined {
    if (!settings.has(name)) throw new Error(`${name} is not in schemas/configuration.json`)
    const value = values[name]
    if (value !== undefined && typeof value !== type) throw new Error(`${name} is not a ${type}`)
    return value as T | undefined
  }
  function required<T extends SettingValue>(name: string, type: string): T {
    const value = read<T>(name, type)
    if (value === undefined) throw new Error(`${name} has no default in schemas/configuration.json`)
    return value
  }
  return {
    text: (name) => required<string>(name, 'string'),
    optionalText: (name) => read<string>(name, 'string'),
    list: (name) =>
      required<string>(name, 'string')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    number: (name) => required<number>(name, 'number'),
    flag: (name) => required<boolean>(name, 'boolean'),
  }
}

/** Exported for the test that every setting of the schema is read once. */
export function inSlices(read: SettingReader): Config {
  return {
    http: {
      host: read.text('HOST'),
      port: read.number('PORT'),
      publicUrl: read.optionalText('PUBLIC_URL'),
      trustedProxies: read.list('TRUSTED_PROXIES'),
      corsOrigins: read.list('CORS_ORIGINS'),
      bodyLimitBytes: read.number('BODY_LIMIT_BYTES'),
      bodyKeysMax: read.number('BODY_KEYS_MAX'),
      uploadsPerInstanceMax: read.number('UPLOADS_PER_INSTANCE_MAX'),
      searchesPerInstanceMax: read.number('SEARCHES_PER_INSTANCE_MAX'),
      bodyValuesMax: read.number('BODY_VALUES_MAX'),
      requestTimeoutMs: read.number('REQUEST_TIMEOUT_MS'),
      headersTimeoutMs: read.number('HEADERS_TIMEOUT_MS'),
      keepAliveTimeoutMs: read.number('KEEP_ALIVE_TIMEOUT_MS'),
      connectionsMax: read.number('CONNECTIONS_MAX'),
      rateLimits: {
        addressPerSecond: read.number('RATE_LIMIT_ADDRESS_PER_SECOND'),
        tokenPerSecond: read.number('RATE_LIMIT_TOKEN_PER_SECOND'),
        instancePerSecond: read.number('RATE_LIMIT_INSTANCE_PER_SECOND'),
        refusedPerMinute: read.number('RATE_LIMIT_REFUSED_PER_MINUTE'),
      },
    },
    data: {
      dir: path.resolve(read.text('DATA_DIR')),
      retentionDays: read.number('RETENTION_DAYS'),
      auditRetentionDays: read.number('AUDIT_RETENTION_DAYS'),
      transferMaxBytes: read.number('TRANSFER_MAX_BYTES'),
      transferTimeoutMs: read.number('TRANSFER_TIMEOUT_MS'),
    },
    database: {
      url: read.optionalText('DATABASE_URL'),
      tls: {
        caFile: absolute(read.optionalText('DATABASE_TLS_CA_FILE')),
        certFile: absolute(read.optionalText('DATABASE_TLS_CERT_FILE')),
        keyFile: absolute(read.optionalText('DATABASE_TLS_KEY_FILE')),
      },
      poolMax: read.number('DATABASE_POOL_MAX'),
      connectTimeoutMs: read.number('DATABASE_CONNECT_TIMEOUT_MS'),
      statementTimeoutMs: read.number('DATABASE_STATEMENT_TIMEOUT_MS'),
      searchTimeoutMs: read.number('SEARCH_TIMEOUT_MS'),
    },
    redis: {
      url: read.optionalText('REDIS_URL'),
      username: read.optionalText('REDIS_USERNAME'),
      password: read.optionalText('REDIS_PASSWORD'),
      sentinels: read.list('REDIS_SENTINELS'),
      sentinelName: read.optionalText('REDIS_SENTINEL_NAME'),
      sentinelUsername: read.optionalText('REDIS_SENTINEL_USERNAME'),
      sentinelPassword: read.optionalText('REDIS_SENTINEL_PASSWORD'),
      clusterNodes: read.list('REDIS_CLUSTER_NODES'),
      tls: {
        isOn: read.flag('REDIS_TLS'),
        caFile: absolute(read.optionalText('REDIS_TLS_CA_FILE')),
        certFile: absolute(read.optionalText('REDIS_TLS_CERT_FILE')),
        keyFile: absolute(read.optionalText('REDIS_TLS_KEY_FILE')),
        serverName: read.optionalText('REDIS_TLS_SERVER_NAME'),
      },
      replicas: read.number('REDIS_REPLICAS'),
      answerMaxMs: read.number('REDIS_ANSWER_MAX_MS'),
    },
    secrets: {
      adminToken: read.optionalText('ADMIN_TOKEN'),
      encryptionKey: read.optionalText('ENCRYPTION_KEY'),
      encryptionKeysOld: read.list('ENCRYPTION_KEYS_OLD'),
      clusterSecret: read.optionalText('CLUSTER_SECRET'),
    },
    cluster: {
      nodeId: read.optionalText('NODE_ID'),
      nodeRevision: read.number('NODE_REVISION'),
      nodeAddress: read.text('NODE_ADDRESS'),
      peerPort: read.number('PEER_PORT'),
      parkTimeoutMs: read.number('PARK_TIMEOUT_MS'),
      shutdownNoticeMs: read.number('SHUTDOWN_NOTICE_MS'),
      shutdownTimeoutMs: read.number('SHUTDOWN_TIMEOUT_MS'),
      timing: {
        leaseMs: read.number('CLUSTER_LEASE_MS'),
        guardMs: read.number('CLUSTER_GUARD_MS'),
        renewMs: read.number('CLUSTER_RENEW_MS'),
        holdAfterMs: read.number('CLUSTER_HOLD_AFTER_MS'),
        holdEveryMs: read.number('CLUSTER_HOLD_EVERY_MS'),
        commandTimeoutMs: read.number('CLUSTER_COMMAND_TIMEOUT_MS'),
        retryMs: read.number('CLUSTER_RETRY_MS'),
        leaseKeptMs: read.number('CLUSTER_LEASE_KEPT_MS'),
        mainSilenceMs: read.number('CLUSTER_MAIN_SILENCE_MS'),
        pollLeasesMs: read.number('CLUSTER_POLL_LEASES_MS'),
        pollTableMs: read.number('CLUSTER_POLL_TABLE_MS'),
        predecessorMs: read.number('CLUSTER_PREDECESSOR_MS'),
        suspectMs: read.number('CLUSTER_SUSPECT_MS'),
        restartMs: read.number('CLUSTER_RESTART_MS'),
        fenceMs: read.number('CLUSTER_FENCE_MS'),
        stableMs: read.number('CLUSTER_STABLE_MS'),
        patienceMs: read.number('CLUSTER_PATIENCE_MS'),
        pullTimeoutMs: read.number('CLUSTER_PULL_TIMEOUT_MS'),
        busyMs: read.number('CLUSTER_BUSY_MS'),
        busyPullMs: read.number('CLUSTER_BUSY_PULL_MS'),
      },
    },
    instances: {
      max: read.number('INSTANCES_MAX'),
      pairingsMax: read.number('QR_INSTANCES_MAX'),
      qrWindowMs: read.number('QR_WINDOW_MS'),
      pairingCodeWindowMs: read.number('PAIRING_CODE_WINDOW_MS'),
      connectWaitMs: read.number('CONNECT_WAIT_MS'),
      reconnectDelayMinMs: read.number('RECONNECT_DELAY_MIN_MS'),
      reconnectDelayMaxMs: read.number('RECONNECT_DELAY_MAX_MS'),
      loginRatePerSecond: read.number('LOGIN_RATE_PER_SECOND'),
      presenceRefreshMs: read.number('PRESENCE_REFRESH_MS'),
      presenceMaxMs: read.number('PRESENCE_MAX_MS'),
    },
    network: {
      websocketUrl: read.text('WA_WEBSOCKET_URL'),
      noiseRootKey: read.optionalText('WA_NOISE_ROOT_KEY')?.toLowerCase(),
      mediaHost: read.optionalText('WA_MEDIA_HOST'),
      mediaCaFile: absolute(read.optionalText('WA_MEDIA_CA_FILE')),
      version: versionParts(read.optionalText('WA_VERSION')),
      silenceMaxMs: read.number('NETWORK_SILENCE_MAX_MS'),
      answerMaxMs: read.number('NETWORK_ANSWER_MAX_MS'),
    },
    sends: {
      ackTimeoutMs: read.number('SEND_ACK_TIMEOUT_MS'),
      maxAgeMs: read.number('SEND_MAX_AGE_MS'),
      delayMinMs: read.number('SEND_DELAY_MIN_MS'),
      delayMaxMs: read.number('SEND_DELAY_MAX_MS'),
      queueMax: read.number('SEND_QUEUE_MAX'),
      menuTextFallback: read.flag('MENU_TEXT_FALLBACK'),
    },
    media: mediaSlice(read),
    webhooks: {
      timeoutMs: read.number('WEBHOOK_TIMEOUT_MS'),
      attemptsMax: read.number('WEBHOOK_ATTEMPTS_MAX'),
      backoffMinMs: read.number('WEBHOOK_BACKOFF_MIN_MS'),
      backoffMaxMs: read.number('WEBHOOK_BACKOFF_MAX_MS'),
      maxAgeHours: read.number('WEBHOOK_MAX_AGE_HOURS'),
      concurrency: read.number('WEBHOOK_CONCURRENCY'),
      instanceConcurrency: read.number('WEBHOOK_CONCURRENCY_PER_INSTANCE'),
      max: read.number('WEBHOOKS_MAX'),
    },
    stream: {
      heartbeatMs: read.number('SSE_HEARTBEAT_MS'),
      clientsMax: read.number('SSE_CLIENTS_MAX'),
      instanceMax: read.number('SSE_CLIENTS_PER_INSTANCE_MAX'),
      adminMax: read.number('SSE_CLIENTS_ADMIN_MAX'),
    },
    outgoing: {
      allowPrivateAddresses: read.flag('ALLOW_PRIVATE_ADDRESSES'),
      lookupsPerInstanceMax: read.number('DNS_LOOKUPS_PER_INSTANCE_MAX'),
      fetchesPerInstanceMax: read.number('FETCHES_PER_INSTANCE_MAX'),
      lookupTimeoutMs: read.number('DNS_TIMEOUT_MS'),
    },
    logging: {
      level: read.text('LOG_LEVEL'),
      format: read.optionalText('LOG_FORMAT') as LoggingConfig['format'],
    },
    metrics: { token: read.optionalText('METRICS_TOKEN') },
  }
}

function mediaSlice(read: SettingReader): MediaConfig {
  const asked = read.optionalText('MEDIA_STORAGE')
  const bucket = read.optionalText('MEDIA_S3_BUCKET')
  return {
    storage: (asked as MediaConfig['storage'] | undefined) ?? (bucket === undefined ? 'disk' : 's3'),
    s3: {
      bucket,
      endpoint: read.optionalText('MEDIA_S3_ENDPOINT'),
      region: read.text('MEDIA_S3_REGION'),
      accessKey: read.optionalText('MEDIA_S3_ACCESS_KEY'),
      secretKey: read.optionalText('MEDIA_S3_SECRET_KEY'),
      prefix: read.text('MEDIA_S3_PREFIX'),
      pathStyle: read.flag('MEDIA_S3_PATH_STYLE'),
    },
    maxBytes: read.number('MEDIA_MAX_BYTES'),
    retentionHours: read.number('MEDIA_RETENTION_HOURS'),
    fetchTimeoutMs: read.number('MEDIA_FETCH_TIMEOUT_MS'),
    convertTimeoutMs: read.number('MEDIA_CONVERT_TIMEOUT_MS'),
    ffmpegPath: absolute(read.optionalText('FFMPEG_PATH')),
  }
}

function absolute(file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.resolve(file)
}

function versionParts(text: string | undefined): [number, number, number] | undefined {
  if (text === undefined) return undefined
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number)
  return [major, minor, patch]
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null) deepFreeze(child)
  }
  return Object.freeze(value)
}
