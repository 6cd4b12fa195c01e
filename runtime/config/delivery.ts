import type { SettingReader } from './reader.js'

export interface WebhooksConfig {
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

export function readWebhooks(read: SettingReader): WebhooksConfig {
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

export function readStream(read: SettingReader): StreamConfig {
  return {
    heartbeatMs: read.number('SSE_HEARTBEAT_MS'),
    clientsMax: read.number('SSE_CLIENTS_MAX'),
    instanceMax: read.number('SSE_CLIENTS_PER_INSTANCE_MAX'),
    adminMax: read.number('SSE_CLIENTS_ADMIN_MAX'),
  }
}

export function readOutgoing(read: SettingReader): OutgoingConfig {
  return {
    allowPrivateAddresses: read.flag('ALLOW_PRIVATE_ADDRESSES'),
    lookupsPerInstanceMax: read.number('DNS_LOOKUPS_PER_INSTANCE_MAX'),
    fetchesPerInstanceMax: read.number('FETCHES_PER_INSTANCE_MAX'),
    lookupTimeoutMs: read.number('DNS_TIMEOUT_MS'),
  }
}
