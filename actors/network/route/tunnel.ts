/** Opens connections through a proxy. Each step has a time limit of its own, and no answer of a proxy is kept beyond some kilobytes. */
import type { LookupAddress } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect as startTls, type TLSSocket } from 'node:tls'
import { formatHostPort, type ProxyAddress } from '../../../schemas/proxy.js'
import { noteBeneath } from './beneath.js'
import { askConnect } from './http-connect.js'
import { ProxyFailure } from './proxy-failure.js'
import { askSocks } from './socks-connect.js'
import { STEP_TIMEOUT_MS, type Target } from './target.js'

// Ours: errors of our own connections.

/** Resolves a name in the turn of an instance. A literal address resolves to itself. */
export type ResolveHost = (host: string, owner: string) => Promise<readonly LookupAddress[]>

export interface Resolvers {
  /** For proxies. Rejects with the code ADDRESS_REFUSED if the address is private and private addresses are not allowed. */
  readonly proxy: ResolveHost
  /** For the network's hosts. Only `socks5` proxies need it: all others resolve names themselves. */
  readonly target: ResolveHost
}

export interface TunnelOptions {
  readonly proxy: ProxyAddress
  readonly resolvers: Resolvers
  /** The instance on whose behalf it is. */
  readonly owner: string
  readonly signal: AbortSignal
}

/** Longest host name that SOCKS5 can carry. */
const HOST_LENGTH_MAX = 255

/** Opens a connection to the target through the proxy. @throws ProxyFailure */
export async function openTunnel(target: Target, options: TunnelOptions): Promise<Socket> {
  const { proxy, signal } = options
  if (target.host.length > HOST_LENGTH_MAX) throw new ProxyFailure('refused', 'The host name is too long.')
  const asked = await targetFor(target, options)
  const tcp = await connectToProxy(options)
  try {
    const way = proxy.scheme === 'https' ? await secureToProxy(tcp, proxy, signal) : tcp
    if (proxy.scheme === 'http' || proxy.scheme === 'https') await askConnect(way, proxy, asked, signal)
    else await askSocks(way, proxy, asked, signal)
    return way
  } catch (error) {
    tcp.destroy()
    throw error
  }
}

/** Starts TLS with the target over an open connection. Rejects with the error of the handshake. */
export async function startSecure(
  beneath: Socket,
  target: Target,
  { ca, signal }: { readonly ca: string | string[] | undefined; readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const options: ConnectionOptions = {
    socket: beneath,
    host: target.host,
    servername: isIP(target.host) === 0 ? target.host : '',
    ALPNProtocols: ['http/1.1'],
    ...(ca === undefined ? {} : { ca }),
  }
  const secure = startTls(options)
  noteBeneath(secure, beneath)
  await opened(secure, 'secureConnect', signal, () => new Error(`no TLS within ${STEP_TIMEOUT_MS / 1_000} s`))
  return secure
}

/** Connects by TCP. */
export async function connectTcp(
  { host, port }: Target,
  { signal, lookup }: { readonly signal: AbortSignal; readonly lookup?: LookupFunction },
): Promise<Socket> {
  const socket = connect({ host, port, ...(lookup === undefined ? {} : { lookup }) })
  await opened(socket, 'connect', signal, () => new Error(`no connection within ${STEP_TIMEOUT_MS / 1_000} s`))
  return socket
}

/** A `socks5` proxy gets an address, because the user has chosen that names are resolved here. */
async function targetFor(target: Target, { proxy, resolvers, owner }: TunnelOptions): Promise<Target> {
  if (proxy.scheme !== 'socks5' || isIP(target.host) !== 0) return target
  const [first] = await resolvers.target(target.host, owner).catch((error: unknown) => {
    throw new ProxyFailure('dns', `The gateway could not resolve ${target.host} (${failureCode(error)}); use socks5h`)
  })
  if (first === undefined) throw new ProxyFailure('dns', `${target.host} has no address`)
  return { host: first.address, port: target.port }
}

async function connectToProxy({ proxy, resolvers, owner, signal }: TunnelOptions): Promise<Socket> {
  const place = formatHostPort(proxy)
  const addresses = await resolvers.proxy(proxy.host, owner).catch((error: unknown) => {
    if (failureCode(error) === 'ADDRESS_REFUSED')
      throw new ProxyFailure('address', `${place}: the proxy has a private address, which this server does not allow`)
    throw new ProxyFailure('dns', `${place}: the name of the proxy could not be resolved (${failureCode(error)})`)
  })
  if (addresses.length === 0) throw new ProxyFailure('dns', `${place}: the name of the proxy has no address`)
  signal.throwIfAborted()
  // Connects to the very addresses that were checked.
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
  try {
    return await connectTcp(proxy, { signal, lookup })
  } catch (error) {
    throw new ProxyFailure(findStage(error, 'connect'), `${place}: no connection to the proxy (${failureCode(error)})`)
  }
}

async function secureToProxy(tcp: Socket, proxy: ProxyAddress, signal: AbortSignal): Promise<Socket> {
  try {
    return await startSecure(tcp, proxy, { ca: undefined, signal })
  } catch (error) {
    throw new ProxyFailure(
      findStage(error, 'tls'),
      `${formatHostPort(proxy)}: TLS with the proxy failed (${failureCode(error)})`,
    )
  }
}

function findStage(error: unknown, otherwise: 'connect' | 'tls'): 'timeout' | 'connect' | 'tls' {
  return error instanceof Error && /^no (TLS|connection) within/.test(error.message) ? 'timeout' : otherwise
}

/** Returns the code of an error, or its message if it has none. */
export function failureCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return failureCode(error.errors[0])
  if (!(error instanceof Error)) return 'failed'
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : error.message.slice(0, 200)
}

/** Resolves at the event. Destroys the socket and rejects at its error or end, at the end of the time, and when aborted. */
function opened(socket: Socket, event: string, signal: AbortSignal, late: () => Error): Promise<void> {
  // Stays: an error between two steps must not end the process.
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off(event, onOpened).off('error', settle).off('close', onClose)
      if (error === undefined) resolve()
      else {
        socket.destroy()
        reject(error instanceof Error ? error : new Error('failed'))
      }
    }
    const onOpened = (): void => settle()
    const onClose = (): void => settle(new Error('the connection was closed'))
    const onAbort = (): void => settle(signal.reason ?? new Error('aborted'))
    const timer = setTimeout(() => settle(late()), STEP_TIMEOUT_MS)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once(event, onOpened).once('error', settle).once('close', onClose)
  })
}
