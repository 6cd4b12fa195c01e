import type { Agent as HttpAgent } from 'node:http'
import { rootCertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import type { ProxySettings } from '../../../schemas/proxy.js'
import { testProxy } from './proxy-test.js'
import { directRoute, ProxiedRoute, type Route } from './route.js'
import type { Resolvers } from './tunnel.js'

// Ours: errors of our own connections.

export interface RoutesOptions {
  readonly websocketUrl: URL
  /** Media host of the network that a test of a proxy connects to as well; null if none is known before a login. */
  readonly mediaUrl: URL | null
  /** Certificate authority of a test network, in PEM. */
  readonly certificateAuthority: string | undefined
  /** Agent and dispatcher of all instances without a proxy. */
  readonly agent: HttpAgent | undefined
  readonly dispatcher: Dispatcher
  readonly resolvers: Resolvers
}

/** Opens routes for instances, and tests proxies. One for the node. */
export interface Routes {
  /** Opens the route of an instance. The caller closes it. @throws ProxyFailure if the settings cannot be read */
  open(owner: string, settings: ProxySettings | null): Route
  /** See `testProxy`. @throws ProxyFailure */
  test(owner: string, url: string, timeoutMs?: number): Promise<void>
}

export function createRoutes(options: RoutesOptions): Routes {
  const { websocketUrl, mediaUrl, certificateAuthority, resolvers } = options
  const ca = certificateAuthority === undefined ? undefined : [...rootCertificates, certificateAuthority]
  const direct = directRoute(options.agent, options.dispatcher)
  const isSecure = websocketUrl.protocol === 'wss:'
  const targets = [websocketUrl, ...(mediaUrl === null ? [] : [mediaUrl])].map((url) => targetOf(url, ca))
  return {
    open: (owner, settings) =>
      settings === null ? direct : new ProxiedRoute({ settings, resolvers, owner, isSecure, ca }),
    test: (owner, url, timeoutMs) =>
      testProxy(url, { resolvers, owner, targets, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
  }
}

function targetOf({ protocol, hostname, port }: URL, ca: string[] | undefined) {
  const isSecure = protocol === 'wss:' || protocol === 'https:'
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)), isSecure, ca }
}
