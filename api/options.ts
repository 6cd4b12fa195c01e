/** The settings of the API. `runtime/node/api.ts` fills them from the configuration. */
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from 'pino'
import { packageRoot } from '../lib/package-root.js'
import type { Limit } from '../schemas/errors.js'
import type { DialectName } from '../schemas/ports/dialects.js'
import type { NotedRequest } from '../schemas/ports/requests.js'

/** Maximum of calls in a time. `points: 0` means no limit. */
export interface RateLimitOptions {
  readonly points: number
  readonly durationMs: number
}

export interface McpOptions {
  /** Signs confirmations. The same on all nodes. */
  readonly confirmationKey: Buffer
  readonly limits: {
    /** Calls of tools and resources with one key. */
    readonly perKey: RateLimitOptions
    /** First messages to people whom the account never wrote to, with one key. */
    readonly strangersPerKey: RateLimitOptions
  }
  /** Called after each call of a tool or resource, for metrics. */
  readonly observe?: (tool: string, outcome: ToolOutcome) => void
}

/** `asked`: a person has to agree first. `refused`: an error of the caller. `failed`: an error of ours. */
export type ToolOutcome = 'done' | 'asked' | 'refused' | 'failed'

export interface ApiOptions {
  readonly logger: Logger
  /** Shares rate limits between nodes. Without it, or while it is away, each node counts for itself. */
  readonly redis?: Redis | Cluster
  /** Prefix of the keys in Redis, such as `posthorn:`. */
  readonly redisKeyPrefix: string
  readonly limits: {
    readonly perAddress: RateLimitOptions
    readonly perToken: RateLimitOptions
    readonly perInstance: RateLimitOptions
    /** Limit of calls with a token that is not known. */
    readonly failedTokensPerAddress: RateLimitOptions
  }
  /** Returns false while the store of this node is not the one that the other nodes use: it answers from no older one. */
  readonly isStoreCurrent: () => boolean
  /**
   * Waits for the turn of an instance on the main thread, before the body of a call is read. Undefined: it may go on now.
   * @param others number of other calls of the instance that are under way
   */
  readonly fairTurn: (instance: string, others: number) => Promise<void> | undefined
  readonly bodyBytesMax: number
  /** Maximum size of a file that a body holds as base64, or names by URL. */
  readonly fileBytesMax: number
  /** Folder of this node for files that arrive. */
  readonly tempDir: string
  /** Maximum depth of objects and arrays in a body. */
  readonly bodyDepthMax: number
  /** Maximum of calls with files in their bodies that a node takes for one instance at once. */
  readonly uploadsPerInstanceMax: number
  /** Maximum of searches, and of lists that grow with an instance, that a node makes for one instance at once. Some more wait. */
  readonly searchesPerInstanceMax: number
  /** Maximum of keys of all objects of a body. */
  readonly bodyKeysMax: number
  /** Maximum of members of all objects and arrays of a body. */
  readonly bodyValuesMax: number
  /** Maximum time until a request, headers and body, has arrived. */
  readonly requestTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly headersBytesMax: number
  readonly keepAliveTimeoutMs: number
  /** Time in which `close` lets calls finish. */
  readonly closeTimeoutMs: number
  /** Maximum wait of `/instance/connect` for a QR or pairing code. */
  readonly connectWaitMs: number
  /** Addresses or CIDR ranges of reverse proxies. `X-Forwarded-For` counts only from these. */
  readonly trustedProxies: readonly string[]
  /** Origins of web pages that may call the API. `*` alone means all. */
  readonly corsOrigins: readonly string[]
  /** Maximum of connections. Further ones are closed at once. */
  readonly connectionsMax: number
  /** Pause between two queued sends, as instance records show it. */
  readonly messageDelayMinSeconds: number
  readonly messageDelayMaxSeconds: number
  /** True when menus that the network refuses are sent as texts, unless the request says otherwise. */
  readonly menuTextFallback: boolean
  /** Folder of the built dashboard. If null, nothing is served below `/dashboard`. */
  readonly dashboardFolder: string | null
  /** Address of the operator's Grafana, for administrators; null if none is configured. */
  readonly grafanaUrl: string | null
  /** Days for which messages and events are kept; 0 means for good. */
  readonly retentionDays: number
  /** APIs of other gateways that are served beside ours. */
  readonly dialects: readonly DialectName[]
  /** If null, there is no `/mcp`. */
  readonly mcp: McpOptions | null
  /** Checks our own answers against their schemas too. An answer that does not fit becomes an error 500. For tests. */
  readonly checkReplies: boolean
  /** Bearer token of `/metrics`. If undefined, `/metrics` is open. */
  readonly metricsToken?: string
  /** Called after each call, for metrics. `operation` is one of a fixed set. */
  readonly observe?: (operation: string, status: number, durationMs: number) => void
  /** Called after each call of an instance, for its log of calls. */
  readonly noteRequest?: (request: NotedRequest) => void
  /** Called for each call that is refused because a limit is reached, for metrics. */
  readonly refused?: (limit: Limit) => void
}

const perMinute = (points: number): RateLimitOptions => ({ points, durationMs: 60_000 })

export const defaultOptions: Omit<ApiOptions, 'logger'> = {
  redisKeyPrefix: 'posthorn:',
  limits: {
    perAddress: perMinute(60_000),
    perToken: perMinute(30_000),
    perInstance: perMinute(30_000),
    failedTokensPerAddress: perMinute(60),
  },
  isStoreCurrent: () => true,
  fairTurn: () => undefined,
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
  dashboardFolder: path.join(packageRoot, 'dist', 'dashboard'),
  grafanaUrl: null,
  retentionDays: 0,
  dialects: [],
  mcp: null,
  checkReplies: false,
}
