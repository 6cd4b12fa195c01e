import type { DialectName } from '../../schemas/ports/dialects.js'
import type { SettingReader } from './reader.js'

export interface HttpConfig {
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

export function readHttp(read: SettingReader): HttpConfig {
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
