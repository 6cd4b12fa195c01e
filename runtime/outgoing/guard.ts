/** Decides where we connect to on behalf of others (webhooks, previews, media by URL): the guard against request forgery. */
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { GatewayError } from '../../schemas/errors.js'
import type { Lookups } from './lookups.js'

export interface GuardOptions {
  /** Lifts the guard on addresses; scheme and credentials are checked all the same. */
  readonly allowPrivateAddresses: boolean
  /** Until a connection (TCP and TLS) must stand. */
  readonly connectTimeoutMs: number
  readonly lookups: Lookups
  /** Hosts that the operator allows whatever their addresses: `host` for each port, or `host:port`; an IPv6 address in brackets. */
  readonly privateHosts?: readonly string[]
  /** Which addresses are open to everyone; `isPublicAddress` unless a test gives another. */
  readonly isPublic?: (address: string) => boolean
}

export interface Guard {
  /**
   * Checks syntax, scheme, credentials and a literal address; nothing is resolved.
   * @throws GatewayError URL_NOT_ALLOWED
   */
  parse(url: string): URL
  /**
   * As `parse`, and resolves a name once: for the moment of configuration. A name that does not resolve passes, since names
   * come and go; the connection is checked again whenever one is made.
   * `owner`: the instance on whose behalf it is asked.
   * @throws GatewayError URL_NOT_ALLOWED
   */
  assertUrlAllowed(url: string, owner?: string): Promise<URL>
  /**
   * Resolves the host in the turn of its owner, so that `connect`, which knows no owners, finds the answer in memory. It decides nothing:
   * `connect` checks the addresses that it connects to.
   * @throws NodeJS.ErrnoException as `Lookups`
   */
  prepare(url: URL, owner: string): Promise<void>
  /**
   * Returns the addresses of a host that is connected to by other means than `connect`, for proxies.
   * @throws AddressRefused, NodeJS.ErrnoException as `Lookups`
   */
  findAddresses(host: string, owner: string): Promise<readonly LookupAddress[]>
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

export function createGuard(options: GuardOptions): Guard {
  const { allowPrivateAddresses, isPublic = isPublicAddress, lookups } = options
  const isPrivateHost = matchPrivateHosts(options.privateHosts ?? [])

  // The very addresses that were checked are the ones connected to, so a name cannot change its mind in between.
  const lookup = lookupIn(lookups, areAllowed)
  const connectAnywhere = buildConnector({ timeout: options.connectTimeoutMs, lookup } as buildConnector.BuildOptions)
  const connectUnguarded = buildConnector({
    timeout: options.connectTimeoutMs,
    lookup: lookupIn(lookups, () => true),
  } as buildConnector.BuildOptions)

  return { parse, assertUrlAllowed, prepare, findAddresses: resolveAddresses, connect }

  function parse(url: string): URL {
    const parsed = url.length <= URL_LENGTH_MAX && URL.canParse(url) ? new URL(url) : undefined
    if (parsed === undefined) throw notAllowed('It is not a URL.')
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
      throw notAllowed('Only http and https are allowed.')
    if (parsed.username !== '' || parsed.password !== '') throw notAllowed('A URL must not carry credentials.')
    // WHATWG parsing has turned decimal, hexadecimal, octal and short forms into the dotted one.
    if (!isPrivateHost(parsed) && !isHostAllowed(normalizeHost(parsed.hostname))) throw notAllowed()
    return parsed
  }

  async function assertUrlAllowed(url: string, owner = ''): Promise<URL> {
    const parsed = parse(url)
    const host = normalizeHost(parsed.hostname)
    if (allowPrivateAddresses || isIP(host) !== 0 || isPrivateHost(parsed)) return parsed
    const addresses = await lookups.fresh(host, owner).catch(() => [])
    if (!areAllowed(addresses)) throw notAllowed()
    return parsed
  }

  async function prepare(url: URL, owner: string): Promise<void> {
    const host = normalizeHost(url.hostname)
    if (isIP(host) === 0 && (isPrivateHost(url) || isHostAllowed(host))) await lookups.known(host, owner)
  }

  async function resolveAddresses(host: string, owner: string): Promise<readonly LookupAddress[]> {
    if (!isHostAllowed(host)) throw new AddressRefused()
    const family = isIP(host)
    const addresses = family === 0 ? await lookups.known(host, owner) : [{ address: host, family }]
    if (!areAllowed(addresses)) throw new AddressRefused()
    return addresses
  }

  function connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    // Node skips `lookup` for a literal address, so a literal is checked here.
    const host = normalizeHost(target.hostname)
    if (isPrivateHost(target)) return void connectUnguarded({ ...target, hostname: host }, callback)
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

function matchPrivateHosts(hosts: readonly string[]) {
  const privateHosts = new Set(hosts.map((host) => host.toLowerCase()))
  return ({ hostname, port, protocol }: Pick<buildConnector.Options, 'hostname' | 'port' | 'protocol'>): boolean => {
    if (privateHosts.size === 0) return false
    // Bound: 16,384, a header or an address.
    const host = hostname.replace(/\.$/, '').toLowerCase()
    const withPort = `${host}:${port || (protocol === 'https:' ? '443' : '80')}`
    return privateHosts.has(host) || privateHosts.has(withPort)
  }
}

function lookupIn(lookups: Lookups, areAllowed: (addresses: readonly LookupAddress[]) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    lookups.known(hostname, '').then(
      (addresses) => {
        const first = addresses[0]
        if (first === undefined || !areAllowed(addresses)) callback(new AddressRefused(), '', 0)
        else if (all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

export function notAllowed(why?: string): GatewayError {
  return new GatewayError('URL_NOT_ALLOWED', why === undefined ? {} : { details: [{ field: 'url', why }] })
}

function normalizeHost(hostname: string): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return bare.endsWith('.') ? bare.slice(0, -1) : bare
}

/**
 * Returns true when an address (as text, without brackets) is one of the public internet, so that a URL of a stranger may lead there.
 * Everything else is refused: private, loopback, link-local (cloud metadata), shared (CGNAT), documentation, multicast, and
 * every IPv6 form that carries an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo), public or not.
 */
export function isPublicAddress(address: string): boolean {
  // Bound: 100, an address of the internet.
  const [bare = ''] = address.split('%', 1)
  if (!ipaddr.isValid(bare)) return false
  const parsed = ipaddr.parse(bare)
  if (parsed.range() !== 'unicast') return false
  if (parsed.kind() === 'ipv6') return isGlobalUnicast(parsed as ipaddr.IPv6)
  return !serviceAddresses.has(parsed.toString())
}

// ipaddr.js calls every unassigned IPv6 range "unicast", also ::/96 (IPv4-compatible); IANA hands out global unicast from
// 2000::/3 alone (RFC 4291 2.4).
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(globalUnicast)
}

// Public by number, but answered by the host of a virtual machine: Azure's platform service
// (learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
const serviceAddresses = new Set(['168.63.129.16'])
