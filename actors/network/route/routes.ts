import type { Agent as HttpAgent } from 'node:http'
import type { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import { formatHostPort, type ProxySettings, parseProxyUrl } from '../../../schemas/proxy.js'
import { ProxyFailure } from './proxy-failure.js'
import { directRoute, type NetworkRoute, ProxiedRoute } from './route.js'
import { STEP_TIMEOUT_MS, type Target } from './target.js'
import { failureCode, openTunnel, type Resolvers, startSecure } from './tunnel.js'

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
  open(owner: string, settings: ProxySettings | null): NetworkRoute
  /** See `testProxy`. @throws ProxyFailure */
  test(owner: string, url: string, timeoutMs?: number): Promise<void>
}

export function createRoutes(options: RoutesOptions): Routes {
  const { websocketUrl, mediaUrl, certificateAuthority, resolvers } = options
  const ca = certificateAuthority === undefined ? undefined : [...rootCertificates, certificateAuthority]
  const direct = directRoute(options.agent, options.dispatcher)
  const isSecure = websocketUrl.protocol === 'wss:'
  const targets = [websocketUrl, ...(mediaUrl === null ? [] : [mediaUrl])].map((url) => toTarget(url, ca))
  return {
    open: (owner, settings) =>
      settings === null ? direct : new ProxiedRoute({ settings, resolvers, owner, isSecure, ca }),
    test: (owner, url, timeoutMs) =>
      testProxy(url, { resolvers, owner, targets, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
  }
}

function toTarget({ protocol, hostname, port }: URL, ca: string[] | undefined) {
  const isSecure = protocol === 'wss:' || protocol === 'https:'
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)), isSecure, ca }
}

interface ProxyTestOptions {
  readonly resolvers: Resolvers
  /** The instance on whose behalf it is; '' for the operator. */
  readonly owner: string
  /** Hosts of the network, in the order in which they are tried. */
  readonly targets: readonly TestTarget[]
  /** Maximum time for all targets together. Default 30 s. */
  readonly timeoutMs?: number
}

interface TestTarget extends Target {
  readonly isSecure: boolean
  /** Roots for TLS; undefined: those of Node.js. */
  readonly ca: string[] | undefined
}

const TEST_TIMEOUT_MS = 30_000
const ANSWER_MAX_BYTES = 16

/**
 * Tests a proxy with a real connection to each host of the network: DNS, TCP, the proxy's own protocol and password, and TLS with the host.
 * For the API and for `doctor`. @throws ProxyFailure that names the step; its message holds no secret
 */
async function testProxy(
  url: string,
  { resolvers, owner, targets, timeoutMs = TEST_TIMEOUT_MS }: ProxyTestOptions,
): Promise<void> {
  const proxy = parseProxyUrl(url)
  if (typeof proxy === 'string') throw new ProxyFailure('settings', `The URL of the proxy ${proxy}`)
  const place = formatHostPort(proxy)
  const late = new ProxyFailure('timeout', `${place}: the test took longer than ${timeoutMs / 1_000} s`)
  const aborter = new AbortController()
  const timer = setTimeout(() => aborter.abort(late), timeoutMs)
  const { signal } = aborter
  try {
    for (const target of targets) {
      const way = await openTunnel(target, { proxy, resolvers, owner, signal })
      try {
        if (target.isSecure) await testTls(way, target, place, signal)
        else await testHttp(way, target, place)
      } finally {
        way.destroy()
      }
    }
  } catch (error) {
    throw error instanceof ProxyFailure ? error : new ProxyFailure('answer', `${place}: ${failureCode(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

async function testTls(way: Socket, target: TestTarget, place: string, signal: AbortSignal): Promise<void> {
  try {
    const secure = await startSecure(way, target, { ca: target.ca, signal })
    secure.destroy()
  } catch (error) {
    throw new ProxyFailure('tls', `${place}: TLS with ${target.host} failed through the proxy (${failureCode(error)})`)
  }
}

/** Asks a test network without TLS for anything. Any answer in HTTP is good. */
function testHttp(way: Socket, target: Target, place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      reject(new ProxyFailure('answer', `${place}: ${target.host} ${why} through the proxy`))
    }
    const timer = setTimeout(() => fail(`did not answer within ${STEP_TIMEOUT_MS / 1_000} s`), STEP_TIMEOUT_MS)
    let answer = Buffer.alloc(0)
    way.once('close', () => fail('closed the connection'))
    way.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk.subarray(0, ANSWER_MAX_BYTES)])
      if (answer.length < 5) return
      if (answer.subarray(0, 5).toString('latin1') !== 'HTTP/') return fail('does not answer in HTTP')
      clearTimeout(timer)
      resolve()
    })
    way.write(`HEAD / HTTP/1.1\r\nhost: ${target.host}\r\nconnection: close\r\n\r\n`)
  })
}
