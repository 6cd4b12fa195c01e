/** The ways on which the traffic of instances reaches the network: one for all without a proxy, and one per connection with a proxy. */
import type { Agent as HttpAgent } from 'node:http'
import type { Socket } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { formatHostPort, type ProxyAddress, type ProxySettings, parseProxyUrl } from '../../../schemas/proxy.js'
import type { ProxyStage, RouteView } from '../../../schemas/session.js'
import { ProxyFailure } from './proxy-failure.js'
import type { Target } from './target.js'
import { connectTcp, failureCode, openTunnel, type Resolvers, startSecure } from './tunnel.js'
import { TunnelAgent } from './tunnel-agent.js'

// Ours: errors of our own connections.

/** Everything that opens connections in the name of one account. */
export interface NetworkRoute {
  /** For the websocket. Undefined: the library opens it by itself, which happens only without a proxy. */
  readonly agent: HttpAgent | undefined
  /** For requests. */
  readonly dispatcher: Dispatcher
  /** The proxy by host and port; null without one. */
  readonly proxy: string | null
  view(): RouteView
  /** Opens nothing more. Requests under way go on to their end. */
  close(): void
}

export interface ProxiedRouteOptions {
  readonly settings: ProxySettings
  readonly resolvers: Resolvers
  readonly owner: string
  /** True for a websocket with TLS. */
  readonly isSecure: boolean
  /** Roots for TLS with the network; undefined: those of Node.js. */
  readonly ca: string[] | undefined
}

/** Time for which connections go to the fallback at once after the proxy failed. */
const FALLBACK_KEPT_MS = 60_000
const NEVER = new AbortController().signal
/** Maximum of connections to one media host. */
const CONNECTIONS_MAX = 8

/** A route through the proxy of an instance. Nothing leaves beside it, unless the settings name another way for its failures. */
export class ProxiedRoute implements NetworkRoute {
  readonly proxy: string
  readonly agent: HttpAgent
  readonly #options: ProxiedRouteOptions
  readonly #proxy: ProxyAddress
  /** Ends the websocket's attempt to connect. Requests end by their own time limits. */
  readonly #aborter = new AbortController()
  #dispatcher: Agent | undefined
  #failure: { readonly reason: string; readonly stage: ProxyStage; readonly atMs: number } | null = null
  #isClosed = false

  /** @throws ProxyFailure if the stored URL cannot be read */
  constructor(options: ProxiedRouteOptions) {
    const proxy = parseProxyUrl(options.settings.url)
    if (typeof proxy === 'string') throw new ProxyFailure('settings', `The stored URL of the proxy ${proxy}`)
    this.#options = options
    this.#proxy = proxy
    this.proxy = formatHostPort(proxy)
    const { signal } = this.#aborter
    this.agent = new TunnelAgent((target) => this.#open(target, options.isSecure, signal), options.isSecure)
  }

  /** Made at the first use: most instances transfer files rarely. */
  get dispatcher(): Dispatcher {
    this.#dispatcher ??= new Agent({
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      connect: ({ hostname, port, protocol }, callback) => {
        const isSecure = protocol === 'https:'
        const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)) }
        this.#open(target, isSecure, NEVER).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(error instanceof Error ? error : new Error('failed'), null),
        )
      },
    })
    return this.#dispatcher
  }

  view(): RouteView {
    const { fallback } = this.#options.settings
    if (this.#failure === null) return { via: 'proxy', failure: null, sinceMs: null }
    const { reason, stage, atMs } = this.#failure
    const via = fallback === 'never' ? 'proxy' : fallback === 'none' ? 'none' : 'fallback'
    return { via, failure: reason, stage, sinceMs: atMs }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#aborter.abort(new ProxyFailure('timeout', 'The connection has ended.'))
    this.agent.destroy()
    void this.#dispatcher?.close().catch(() => {})
  }

  async #open(target: Target, isSecure: boolean, signal: AbortSignal): Promise<Socket> {
    const { settings } = this.#options
    signal.throwIfAborted()
    const isFallbackKept = settings.fallback !== 'never' && Date.now() - (this.#failure?.atMs ?? 0) < FALLBACK_KEPT_MS
    if (isFallbackKept) return await this.#openFallback(target, isSecure, signal)
    try {
      const socket = await this.#through(this.#proxy, target, isSecure, signal)
      this.#failure = null
      return socket
    } catch (error) {
      if (!(error instanceof ProxyFailure) || signal.aborted) throw error
      this.#failure = { reason: error.message, stage: error.stage, atMs: Date.now() }
      if (settings.fallback === 'never') throw error
      return await this.#openFallback(target, isSecure, signal)
    }
  }

  async #openFallback(target: Target, isSecure: boolean, signal: AbortSignal): Promise<Socket> {
    const { fallback } = this.#options.settings
    if (fallback !== 'none') {
      const proxy = parseProxyUrl(fallback)
      if (typeof proxy === 'string') throw new ProxyFailure('settings', `The stored URL of the fallback ${proxy}`)
      return await this.#through(proxy, target, isSecure, signal)
    }
    const socket = await connectTcp(target, { signal })
    return isSecure ? await startSecure(socket, target, { ca: this.#options.ca, signal }) : socket
  }

  async #through(proxy: ProxyAddress, target: Target, isSecure: boolean, signal: AbortSignal): Promise<Socket> {
    const { resolvers, owner, ca } = this.#options
    const way = await openTunnel(target, { proxy, resolvers, owner, signal })
    if (!isSecure) return way
    try {
      return await startSecure(way, target, { ca, signal })
    } catch (error) {
      way.destroy()
      const where = `${formatHostPort(proxy)}: TLS with ${target.host} failed through the proxy`
      throw new ProxyFailure('tls', `${where} (${failureCode(error)})`)
    }
  }
}

/** The route of all instances without a proxy. It lasts as long as the node. */
export function directRoute(agent: HttpAgent | undefined, dispatcher: Dispatcher): NetworkRoute {
  return {
    agent,
    dispatcher,
    proxy: null,
    view: () => ({ via: 'none', failure: null, sinceMs: null }),
    close() {},
  }
}
