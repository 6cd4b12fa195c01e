/** Decides where we connect to on behalf of others (webhooks, previews, media by URL): the guard against request forgery. */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { GatewayError } from '../../schemas/errors.js'
import { isPublicAddress } from './address.js'

export interface GuardOptions {
  /** Lifts the guard on addresses; scheme and credentials are checked all the same. */
  readonly allowPrivateAddresses: boolean
  /** Until a connection (TCP and TLS) must stand. */
  readonly connectTimeoutMs: number
  /** How names are resolved; the system's way unless a test gives another. */
  readonly resolve?: ResolveName
  /** Which addresses are open to everyone; `isPublicAddress` unless a test gives another. */
  readonly isPublic?: (address: string) => boolean
}

export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>

export interface Guard {
  /**
   * Checks syntax, scheme, credentials and a literal address; nothing is resolved.
   * @throws GatewayError URL_NOT_ALLOWED
   */
  parse(url: string): URL
  /**
   * As `parse`, and resolves a name once: for the moment of configuration. A name that does not resolve passes, since names
   * come and go; the connection is checked again whenever one is made.
   * @throws GatewayError URL_NOT_ALLOWED
   */
  assertUrlAllowed(url: string): Promise<URL>
  /** For an undici dispatcher: refuses a literal or resolved address that is not allowed, at the moment of connecting. */
  readonly connect: buildConnector.connector
}

/** Why a connection was refused by us; not by the network. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
  constructor() {
    super('The host has no public address.')
    this.name = 'AddressRefused'
  }
}

const URL_LENGTH_MAX = 2048
const RESOLVE_TIMEOUT_MS = 3000

export function createGuard(options: GuardOptions): Guard {
  const { allowPrivateAddresses, isPublic = isPublicAddress } = options
  const resolve = sharedLookups(options.resolve ?? systemResolve)
  const resolveAgain = remembered(resolve)

  // The very addresses that were checked are the ones connected to, so a name cannot change its mind in between.
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolveAgain(hostname).then(
      (addresses) => {
        const first = addresses[0]
        if (first === undefined || !areAllowed(addresses)) callback(new AddressRefused(), '', 0)
        else if (all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
  const connectAnywhere = buildConnector({ timeout: options.connectTimeoutMs, lookup } as buildConnector.BuildOptions)

  return { parse, assertUrlAllowed, connect }

  function parse(url: string): URL {
    const parsed = url.length <= URL_LENGTH_MAX && URL.canParse(url) ? new URL(url) : undefined
    if (parsed === undefined) throw notAllowed('It is not a URL.')
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
      throw notAllowed('Only http and https are allowed.')
    if (parsed.username !== '' || parsed.password !== '') throw notAllowed('A URL must not carry credentials.')
    // WHATWG parsing has turned decimal, hexadecimal, octal and short forms into the dotted one.
    if (!isHostAllowed(hostOf(parsed.hostname))) throw notAllowed()
    return parsed
  }

  async function assertUrlAllowed(url: string): Promise<URL> {
    const parsed = parse(url)
    const host = hostOf(parsed.hostname)
    if (allowPrivateAddresses || isIP(host) !== 0) return parsed
    const addresses = await withinMs(resolve(host), RESOLVE_TIMEOUT_MS).catch(() => [])
    if (!areAllowed(addresses)) throw notAllowed()
    return parsed
  }

  function connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    // Node skips `lookup` for a literal address, so a literal is checked here.
    const host = hostOf(target.hostname)
    if (!isHostAllowed(host)) return void queueMicrotask(() => callback(new AddressRefused(), null))
    connectAnywhere({ ...target, hostname: host }, (...args) => {
      const socket = args[1]
      if (args[0] !== null || !socket || isReached(socket)) return callback(...args)
      socket.destroy()
      callback(new AddressRefused(), null)
    })
  }

  // The last word belongs to the address that answered.
  function isReached(socket: Socket): boolean {
    return allowPrivateAddresses || (socket.remoteAddress !== undefined && isPublic(socket.remoteAddress))
  }

  function isHostAllowed(host: string): boolean {
    if (allowPrivateAddresses) return host !== ''
    if (isIP(host) !== 0) return isPublic(host)
    return host !== '' && host !== 'localhost' && !host.endsWith('.localhost')
  }

  // One address inside is enough to refuse a name: which of several is taken is not ours to choose.
  function areAllowed(addresses: readonly LookupAddress[]): boolean {
    return allowPrivateAddresses || addresses.every(({ address }) => isPublic(address))
  }
}

export function notAllowed(why?: string): GatewayError {
  return new GatewayError('URL_NOT_ALLOWED', why === undefined ? {} : { details: [{ field: 'url', why }] })
}

function hostOf(hostname: string): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return bare.endsWith('.') ? bare.slice(0, -1) : bare
}

function systemResolve(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((done, fail) => {
    dnsLookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)))
  })
}

const ANSWER_TTL_MS = 30_000
const FAILURE_TTL_MS = 5_000

/**
 * Answers from memory for a while, so that a receiver whose name server is silent does not keep others waiting for their turn.
 * An address is checked whenever it is used, so an answer may be old, but never unsafe.
 */
function remembered(resolve: ResolveName): ResolveName {
  const answers = new LRUCache<string, Promise<readonly LookupAddress[]>>({ max: 5000, ttl: ANSWER_TTL_MS })
  return (hostname) => {
    const known = answers.get(hostname)
    if (known !== undefined) return known
    const asked = resolve(hostname)
    answers.set(hostname, asked)
    asked.catch(() => answers.set(hostname, asked, { ttl: FAILURE_TTL_MS }))
    return asked
  }
}

const LOOKUPS_MAX = 2
const LOOKUPS_WAITING_MAX = 1000

/**
 * Lookups of one name share one question, and only two are asked at a time: the system's resolver blocks one of libuv's few
 * threads for seconds when a name server is silent, and files and compression need these threads too.
 */
function sharedLookups(resolve: ResolveName): ResolveName {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>()
  const waiting: (() => void)[] = []
  let active = 0

  return (hostname) => {
    const known = underWay.get(hostname)
    if (known !== undefined) return known
    const asked = ask(hostname).finally(() => underWay.delete(hostname))
    underWay.set(hostname, asked)
    return asked
  }

  async function ask(hostname: string): Promise<readonly LookupAddress[]> {
    if (active < LOOKUPS_MAX) active += 1
    else if (waiting.length >= LOOKUPS_WAITING_MAX) throw new Error('Too many names are waiting to be resolved.')
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await resolve(hostname)
    } finally {
      const next = waiting.shift()
      if (next === undefined) active -= 1
      else next()
    }
  }
}

async function withinMs<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('No answer in time.')), timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
