/** Counts calls against limits, without a wait for any call. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Cluster, Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { GatewayError, type Limit } from '../schemas/errors.js'
import type { RateLimitOptions } from './options.js'

// Bound: 16,384, a header.

/**
 * One limit over many keys. The node judges a call by its own count. Every `flushMs` it adds its calls to the count that all nodes share
 * in Redis, and corrects its own by the answer. One node alone is exact. Several together may exceed the limit, once per window, by the
 * calls that each takes within one `flushMs`. A round trip for each call would cost more than the call itself.
 */
export interface RateLimiter {
  /** Counts one call. @throws GatewayError RATE_LIMITED with the seconds to wait */
  take(key: string): void
  /** Counts one call without judging it. */
  count(key: string): void
  /** Judges without counting. @throws GatewayError RATE_LIMITED when nothing is left */
  check(key: string): void
  close(): void
}

export interface RateLimiterOptions {
  /** Name of the limit, also in Redis. */
  readonly name: string
  readonly limit: RateLimitOptions
  /** Label of refusals in metrics. */
  readonly counted: Limit
  readonly redis?: Redis | Cluster
  readonly redisKeyPrefix: string
  readonly logger: Logger
}

const flushMs = 100
const keysMax = 50_000

interface Window {
  /** Number of calls still allowed before `endsAtMs`, as far as this node knows. */
  left: number
  endsAtMs: number
  /** Number of calls that the shared count does not know yet. */
  unshared: number
}

const unlimited: RateLimiter = { take() {}, count() {}, check() {}, close() {} }

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  return options.limit.points === 0 ? unlimited : new SharedRateLimiter(options)
}

class SharedRateLimiter implements RateLimiter {
  readonly #options: RateLimiterOptions
  readonly #shared: RateLimiterRedis | RateLimiterMemory
  // With `max` it would allocate the memory of all entries at once, for each limit.
  readonly #windows = new LRUCache<string, Window>({ maxSize: keysMax, sizeCalculation: () => 1 })
  readonly #unshared = new Map<string, Window>()
  #timer: NodeJS.Timeout | undefined
  #sharing = 0

  constructor(options: RateLimiterOptions) {
    this.#options = options
    this.#shared = createSharedCounter(options)
  }

  take(key: string): void {
    this.check(key)
    this.count(key)
  }

  count(key: string): void {
    const window = this.#takeWindow(key)
    window.left -= 1
    window.unshared += 1
    if (this.#unshared.size < keysMax) this.#unshared.set(key, window)
    this.#timer ??= this.#startTimer()
  }

  check(key: string): void {
    const window = this.#takeWindow(key)
    if (window.left > 0) return
    throw new GatewayError('RATE_LIMITED', {
      retryAfterSeconds: (window.endsAtMs - Date.now()) / 1000,
      limit: this.#options.counted,
    })
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #takeWindow(key: string): Window {
    const { points, durationMs } = this.#options.limit
    const nowMs = Date.now()
    const known = this.#windows.get(key)
    if (known !== undefined && known.endsAtMs > nowMs) return known
    const fresh: Window = { left: points, endsAtMs: nowMs + durationMs, unshared: 0 }
    this.#windows.set(key, fresh)
    return fresh
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => this.#flush(), flushMs).unref()
  }

  #flush(): void {
    // Waits while Redis takes commands and does not answer, so that they do not pile up.
    this.#timer = this.#sharing > 0 ? this.#startTimer() : undefined
    if (this.#timer !== undefined) return
    for (const [key, window] of this.#unshared) void this.#share(key, window)
    this.#unshared.clear()
  }

  async #share(key: string, window: Window): Promise<void> {
    const points = window.unshared
    window.unshared = 0
    this.#sharing += 1
    try {
      correct(window, await this.#shared.consume(key, points))
    } catch (reason) {
      if (reason instanceof RateLimiterRes) correct(window, reason)
      else this.#options.logger.warn({ limit: this.#options.name, err: reason }, 'A rate limit could not be shared.')
    } finally {
      this.#sharing -= 1
    }
  }
}

/** Corrects the count of this node by the count of all. */
function correct(window: Window, { remainingPoints, msBeforeNext }: RateLimiterRes): void {
  window.left = Math.max(0, remainingPoints) - window.unshared
  window.endsAtMs = Date.now() + msBeforeNext
}

function createSharedCounter({
  name,
  limit,
  redis,
  redisKeyPrefix,
}: RateLimiterOptions): RateLimiterRedis | RateLimiterMemory {
  const settings = {
    points: limit.points,
    duration: limit.durationMs / 1000,
    keyPrefix: `${redisKeyPrefix}limit:${name}`,
  }
  const memory = new RateLimiterMemory(settings)
  if (redis === undefined) return memory
  return new RateLimiterRedis({
    ...settings,
    storeClient: redis,
    insuranceLimiter: memory,
    rejectIfRedisNotReady: true,
  })
}

/**
 * Reads the address for rate limits. IPv6 callers share a limit per network of 64 bits, since one caller has all of its addresses.
 * From a trusted proxy, `X-Forwarded-For` is believed as far as trusted proxies wrote it: from its end to the first stranger.
 * @throws Error for a `trustedProxies` entry that is neither an address nor a CIDR range
 */
export function createAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = toBlockList(trustedProxies)
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

  return (request) => {
    const direct = plain(request.socket.remoteAddress ?? 'unknown')
    const header = request.headers['x-forwarded-for']
    if (trustedProxies.length === 0 || typeof header !== 'string' || !isTrusted(direct)) return network(direct)
    const hops = header.split(',').map((hop) => plain(hop.trim()))
    return network(hops.findLast((hop) => !isTrusted(hop)) ?? direct)
  }
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Returns an IPv4 address that is written as IPv6 as IPv4. Cuts long texts, since a header can be anything. */
function plain(address: string): string {
  return (address.startsWith('::ffff:') ? address.slice(7) : address).slice(0, 64)
}

function network(address: string): string {
  if (!isIPv6(address) || address.startsWith('::')) return address
  return `${address.split(':').slice(0, 4).join(':')}::/64`
}
