/** The settings of the API. `runtime/node/api.ts` fills them from the configuration. */
import { tmpdir } from 'node:os'
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Limit } from '../schemas/errors.js'

/** So many calls in so much time; `points: 0` is no limit. */
export interface RateLimit {
  readonly points: number
  readonly durationMs: number
}

export interface ApiOptions {
  readonly logger: Logger
  /** Shares rate limits between nodes; without it, or while it is away, each node counts for itself. */
  readonly redis?: Redis | Cluster
  /** Before the keys in Redis, such as `posthorn:`. */
  readonly redisKeyPrefix: string
  readonly limits: {
    readonly perAddress: RateLimit
    readonly perToken: RateLimit
    readonly perInstance: RateLimit
    /** Calls with a token that is not known. */
    readonly failedTokensPerAddress: RateLimit
  }
  readonly bodyBytesMax: number
  /** The largest file that a body may hold, as base64, or lead to. */
  readonly fileBytesMax: number
  /** A folder of this node for files that arrive. */
  readonly tempDir: string
  /** How deep objects and arrays in a body may nest. */
  readonly bodyDepthMax: number
  /** Calls with files in their bodies that a node takes for one instance at once. */
  readonly uploadsPerInstanceMax: number
  /** Searches, and lists that grow with an instance, that a node makes for one instance at once; some more wait. */
  readonly searchesPerInstanceMax: number
  /** How many keys all objects of a body may have. */
  readonly bodyKeysMax: number
  /** How many members all objects and arrays of a body may have. */
  readonly bodyValuesMax: number
  /** A request, headers and body, must have arrived within this time. */
  readonly requestTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly headersBytesMax: number
  readonly keepAliveTimeoutMs: number
  /** How long `close` lets calls finish. */
  readonly closeTimeoutMs: number
  /** How long `/instance/connect` waits for a QR or pairing code. */
  readonly connectWaitMs: number
  /** Addresses or CIDR ranges of reverse proxies; only from these is `X-Forwarded-For` believed. */
  readonly trustedProxies: readonly string[]
  /** Origins of web pages that browsers may let call us; `*` alone: all. */
  readonly corsOrigins: readonly string[]
  /** Connections held at once; further ones are closed at once. */
  readonly connectionsMax: number
  /** Told in instance records; the pause between two queued sends. */
  readonly messageDelayMinSeconds: number
  readonly messageDelayMaxSeconds: number
  /** Menus that the network refuses are sent as texts, where the request does not say. */
  readonly menuTextFallback: boolean
  /** Also hold our own answers against their schemas; one that does not fit becomes an error of ours. For tests. */
  readonly checkReplies: boolean
  /** `/metrics` asks for it as a bearer token; undefined: it is open. */
  readonly metricsToken?: string
  /** Called after each call, for metrics. `operation` is one of a fixed set. */
  readonly observe?: (operation: string, status: number, durationMs: number) => void
  /** Called for each call that is refused because a limit is reached, for metrics. */
  readonly refused?: (limit: Limit) => void
}

const perMinute = (points: number): RateLimit => ({ points, durationMs: 60_000 })

export const defaultOptions: Omit<ApiOptions, 'logger'> = {
  redisKeyPrefix: 'posthorn:',
  limits: {
    perAddress: perMinute(60_000),
    perToken: perMinute(30_000),
    perInstance: perMinute(30_000),
    failedTokensPerAddress: perMinute(60),
  },
  bodyBytesMax: 1024 * 1024,
  fileBytesMax: 16 * 1024 * 1024,
  tempDir: tmpdir(),
  bodyDepthMax: 32,
  uploadsPerInstanceMax: 50,
  searchesPerInstanceMax: 4,
  bodyKeysMax: 5_000,
  bodyValuesMax: 20_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  headersBytesMax: 16 * 1024,
  keepAliveTimeoutMs: 65_000,
  closeTimeoutMs: 20_000,
  connectWaitMs: 10_000,
  trustedProxies: [],
  corsOrigins: [],
  connectionsMax: 10_000,
  messageDelayMinSeconds: 2,
  messageDelayMaxSeconds: 4,
  menuTextFallback: false,
  checkReplies: false,
}
