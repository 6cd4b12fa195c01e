import type { RedisSettings } from '../connect/redis-place.js'
import { type AgentsConfig, readAgents } from './agents.js'
import { type ClusterConfig, readCluster } from './cluster.js'
import {
  type OutgoingConfig,
  readOutgoing,
  readStream,
  readWebhooks,
  type StreamConfig,
  type WebhooksConfig,
} from './delivery.js'
import { type HttpConfig, readHttp } from './http.js'
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
