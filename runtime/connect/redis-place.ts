/** Where Redis is, as plain data that a thread can be given, made from the settings. */
import { readTls, type TlsFiles, type TlsPlace } from './tls.js'

// Ours: settings of the operator, and errors of our stores.

export interface Address {
  readonly host: string
  readonly port: number
}

/** Holds secrets: never logged. */
export type RedisPlace = RedisServers & RedisManner

type RedisServers =
  | { readonly type: 'socket'; readonly path: string }
  | { readonly type: 'server'; readonly address: Address; readonly database: number }
  | {
      readonly type: 'sentinels'
      readonly addresses: readonly Address[]
      /** Name of the primary in the Sentinels. */
      readonly name: string
      readonly sentinelUsername?: string
      readonly sentinelPassword?: string
    }
  | { readonly type: 'cluster'; readonly addresses: readonly Address[] }

interface RedisManner {
  readonly username?: string
  readonly password?: string
  readonly tls?: TlsPlace & { readonly servername?: string }
  /** How long a server may leave a command without an answer before the connection is made again, perhaps to another. */
  readonly answerMaxMs: number
}

export interface RedisSettings {
  readonly url: string | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  /** `host` or `host:port`. */
  readonly sentinels: readonly string[]
  readonly sentinelName: string | undefined
  readonly sentinelUsername: string | undefined
  readonly sentinelPassword: string | undefined
  /** `host` or `host:port`. */
  readonly clusterNodes: readonly string[]
  readonly tls: TlsFiles & { readonly isOn: boolean; readonly serverName: string | undefined }
  /** How many replicas a primary has: all of them must have a lease before it counts. */
  readonly replicas: number
  readonly answerMaxMs: number
}

export const sentinelPort = 26_379
export const redisPort = 6_379

/** A Redis that needs no more than a URL or the path of a socket. */
export function redisAt(url: string, answerMaxMs = 5_000): RedisPlace {
  return { ...serverAt(url), answerMaxMs }
}

/**
 * Undefined when no setting names one.
 * @throws Error when there are mistakes in the settings (`redis-mistakes.ts`)
 */
export function redisPlace(settings: RedisSettings): RedisPlace | undefined {
  const { url, username, password, sentinels, sentinelName, clusterNodes, tls, answerMaxMs } = settings
  const manner: RedisManner = {
    ...defined({ username, password }),
    ...(isTls(settings) ? { tls: { ...readTls(tls), ...defined({ servername: tls.serverName }) } } : {}),
    answerMaxMs,
  }
  if (clusterNodes.length > 0)
    return { ...manner, type: 'cluster', addresses: clusterNodes.map((node) => readAddress(node, redisPort)) }
  if (sentinelName !== undefined) {
    return {
      ...manner,
      type: 'sentinels',
      addresses: sentinels.map((sentinel) => readAddress(sentinel, sentinelPort)),
      name: sentinelName,
      ...defined({ sentinelUsername: settings.sentinelUsername, sentinelPassword: settings.sentinelPassword }),
    }
  }
  return url === undefined ? undefined : { ...manner, ...serverAt(url) }
}

export function isTls({ url, tls }: RedisSettings): boolean {
  return tls.isOn || url?.startsWith('rediss:') === true
}

/** @throws Error when it is none */
export function readAddress(text: string, defaultPort: number): Address {
  const { hostname, port, pathname, username, search } = new URL(`redis://${text}`)
  if (hostname === '' || pathname !== '' || username !== '' || search !== '') throw new Error('not a host and a port')
  return { host: withoutBrackets(hostname), port: port === '' ? defaultPort : Number(port) }
}

/** @throws Error when it is not a URL of Redis */
export function serverAt(
  url: string,
): Extract<RedisServers, { type: 'socket' | 'server' }> & Pick<RedisManner, 'username' | 'password'> {
  const path = url.replace(/^unix:\/\//, '')
  if (path.startsWith('/')) return { type: 'socket', path }
  const { hostname, port, username, password, pathname } = new URL(url)
  if (hostname === '' || !/^(\/\d*)?$/.test(pathname)) throw new Error('not a URL of Redis')
  return {
    type: 'server',
    address: { host: withoutBrackets(hostname), port: port === '' ? redisPort : Number(port) },
    database: Number(pathname.slice(1)),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

function defined<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
