import type { DialectName } from '../../schemas/ports/dialects.js'
import type { RedisSettings } from '../connect/redis-place.js'
import { type AgentsConfig, readAgents } from './agents.js'
import { type ClusterConfig, readCluster } from './cluster.js'
import {
  type InstancesConfig,
  type NetworkConfig,
  readInstances,
  readNetwork,
  readSends,
  type SendsConfig,
} from './instances.js'
import { type MediaConfig, readMedia } from './media.js'
import type { SettingReader } from './reader.js'
import {
  type DatabaseConfig,
  type DataConfig,
  type GivenSecrets,
  readData,
  readDatabase,
  readRedis,
  readSecrets,
} from './stores.js'
import { type LoggingConfig, type MetricsConfig, readLogging, readMetrics } from './watching.js'

/** The whole configuration, frozen. A part receives its slice. */
export interface Config {
  readonly http: HttpConfig
  readonly data: DataConfig
  readonly database: DatabaseConfig
  /** Input of `redisPlace`. */
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
  readonly agents: AgentsConfig
  readonly chatwoot: ChatwootSlice
  readonly logging: LoggingConfig
  readonly metrics: MetricsConfig
}

/** Reads every setting of the schema once, in slices. */
export function readSlices(read: SettingReader): Config {
  return {
    http: readHttp(read),
    data: readData(read),
    database: readDatabase(read),
    redis: readRedis(read),
    secrets: readSecrets(read),
    cluster: readCluster(read),
    instances: readInstances(read),
    network: readNetwork(read),
    sends: readSends(read),
    media: readMedia(read),
    webhooks: readWebhooks(read),
    stream: readStream(read),
    outgoing: readOutgoing(read),
    agents: readAgents(read),
    chatwoot: readChatwoot(read),
    logging: readLogging(read),
    metrics: readMetrics(read),
  }
}

interface ChatwootSlice {
  /** `privateHosts` of `GuardOptions`, for calls of Chatwoot only. */
  readonly privateHosts: readonly string[]
}

function readChatwoot(read: SettingReader): ChatwootSlice {
  return { privateHosts: read.list('CHATWOOT_PRIVATE_HOSTS') }
}

interface WebhooksConfig {
  /** Webhooks may carry the token of their instance. */
  readonly token: boolean
  /** `privateHosts` of `GuardOptions`, for deliveries of webhooks only. */
  readonly privateHosts: readonly string[]
  readonly timeoutMs: number
  readonly attemptsMax: number
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
  /** 0 means for good. */
  readonly maxAgeHours: number
  readonly concurrency: number
  readonly instanceConcurrency: number
  readonly receiverConcurrency: number
  /** Maximum per instance. */
  readonly max: number
}

interface StreamConfig {
  readonly heartbeatMs: number
  readonly clientsMax: number
  readonly instanceMax: number
  readonly adminMax: number
}

interface OutgoingConfig {
  readonly allowPrivateAddresses: boolean
  readonly lookupsPerInstanceMax: number
  readonly fetchesPerInstanceMax: number
  readonly lookupTimeoutMs: number
}

function readWebhooks(read: SettingReader): WebhooksConfig {
  const concurrency = read.number('WEBHOOK_CONCURRENCY')
  return {
    token: read.flag('WEBHOOK_TOKEN'),
    privateHosts: read.list('WEBHOOK_PRIVATE_HOSTS'),
    timeoutMs: read.number('WEBHOOK_TIMEOUT_MS'),
    attemptsMax: read.number('WEBHOOK_ATTEMPTS_MAX'),
    backoffMinMs: read.number('WEBHOOK_BACKOFF_MIN_MS'),
    backoffMaxMs: read.number('WEBHOOK_BACKOFF_MAX_MS'),
    maxAgeHours: read.number('WEBHOOK_MAX_AGE_HOURS'),
    concurrency,
    instanceConcurrency: read.number('WEBHOOK_CONCURRENCY_PER_INSTANCE'),
    receiverConcurrency:
      read.optionalNumber('WEBHOOK_CONCURRENCY_PER_RECEIVER') ?? Math.max(1, Math.floor(concurrency / 2)),
    max: read.number('WEBHOOKS_MAX'),
  }
}

function readStream(read: SettingReader): StreamConfig {
  return {
    heartbeatMs: read.number('SSE_HEARTBEAT_MS'),
    clientsMax: read.number('SSE_CLIENTS_MAX'),
    instanceMax: read.number('SSE_CLIENTS_PER_INSTANCE_MAX'),
    adminMax: read.number('SSE_CLIENTS_ADMIN_MAX'),
  }
}

function readOutgoing(read: SettingReader): OutgoingConfig {
  return {
    allowPrivateAddresses: read.flag('ALLOW_PRIVATE_ADDRESSES'),
    lookupsPerInstanceMax: read.number('DNS_LOOKUPS_PER_INSTANCE_MAX'),
    fetchesPerInstanceMax: read.number('FETCHES_PER_INSTANCE_MAX'),
    lookupTimeoutMs: read.number('DNS_TIMEOUT_MS'),
  }
}

interface HttpConfig {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly dashboard: boolean
  readonly grafanaUrl: string | undefined
  /** APIs of other gateways that are served beside ours. */
  readonly dialects: readonly DialectName[]
  readonly mcp: {
    readonly isOn: boolean
    /** 0 means no limit. */
    readonly callsPerMinute: number
    readonly strangersPerHour: number
  }
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** `*` alone means all. */
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

function readHttp(read: SettingReader): HttpConfig {
  return {
    host: read.text('HOST'),
    port: read.number('PORT'),
    publicUrl: read.optionalText('PUBLIC_URL'),
    dashboard: read.flag('DASHBOARD'),
    grafanaUrl: read.optionalText('DASHBOARD_GRAFANA_URL'),
    dialects: read.list('DIALECTS') as readonly DialectName[],
    mcp: {
      isOn: read.flag('MCP'),
      callsPerMinute: read.number('MCP_CALLS_PER_MINUTE'),
      strangersPerHour: read.number('MCP_NEW_RECIPIENTS_PER_HOUR'),
    },
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
  }
}
