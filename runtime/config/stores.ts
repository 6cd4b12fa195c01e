import path from 'node:path'
import type { DatabaseSettings } from '../connect/database-place.js'
import type { RedisSettings } from '../connect/redis-place.js'
import { absolute, type SettingReader } from './reader.js'

export interface DataConfig {
  /** Absolute path. */
  readonly dir: string
  /** 0 means for good. */
  readonly retentionDays: number
  readonly auditRetentionDays: number
  readonly unpairedInstanceDays: number
  readonly transferMaxBytes: number
  readonly transferTimeoutMs: number
}

/** Also the input of `databasePlace`. */
export interface DatabaseConfig extends DatabaseSettings {
  readonly poolMax: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly searchTimeoutMs: number
  /** Maximum age of what is read from the replica. */
  readonly readLagMaxMs: number
}

/** The secrets of the environment. `loadSecrets` adds the others. */
export interface GivenSecrets {
  readonly adminToken: string | undefined
  readonly encryptionKey: string | undefined
  readonly encryptionKeysOld: readonly string[]
  readonly clusterSecret: string | undefined
}

export function readData(read: SettingReader): DataConfig {
  return {
    dir: path.resolve(read.text('DATA_DIR')),
    retentionDays: read.number('RETENTION_DAYS'),
    auditRetentionDays: read.number('AUDIT_RETENTION_DAYS'),
    unpairedInstanceDays: read.number('UNPAIRED_INSTANCE_DAYS'),
    transferMaxBytes: read.number('TRANSFER_MAX_BYTES'),
    transferTimeoutMs: read.number('TRANSFER_TIMEOUT_MS'),
  }
}

export function readDatabase(read: SettingReader): DatabaseConfig {
  return {
    url: read.optionalText('DATABASE_URL'),
    pooler: read.text('DATABASE_POOLER') === 'transaction' ? 'transaction' : 'session',
    directUrl: read.optionalText('DATABASE_DIRECT_URL'),
    tls: {
      caFile: absolute(read.optionalText('DATABASE_TLS_CA_FILE')),
      certFile: absolute(read.optionalText('DATABASE_TLS_CERT_FILE')),
      keyFile: absolute(read.optionalText('DATABASE_TLS_KEY_FILE')),
    },
    poolMax: read.number('DATABASE_POOL_MAX'),
    connectTimeoutMs: read.number('DATABASE_CONNECT_TIMEOUT_MS'),
    statementTimeoutMs: read.number('DATABASE_STATEMENT_TIMEOUT_MS'),
    searchTimeoutMs: read.number('SEARCH_TIMEOUT_MS'),
    readUrl: read.optionalText('DATABASE_READ_URL'),
    readLagMaxMs: read.number('DATABASE_READ_LAG_MAX_MS'),
  }
}

export function readRedis(read: SettingReader): RedisSettings {
  return {
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
  }
}

export function readSecrets(read: SettingReader): GivenSecrets {
  return {
    adminToken: read.optionalText('ADMIN_TOKEN'),
    encryptionKey: read.optionalText('ENCRYPTION_KEY'),
    encryptionKeysOld: read.list('ENCRYPTION_KEYS_OLD'),
    clusterSecret: read.optionalText('CLUSTER_SECRET'),
  }
}
