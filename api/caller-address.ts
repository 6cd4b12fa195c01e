import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

// Bound: 16,384, a header.

/**
 * Reads the address for rate limits. IPv6 callers share a limit per network of 64 bits, since one caller has all of its addresses.
 * From a trusted proxy, `X-Forwarded-For` is believed as far as trusted proxies wrote it: from its end to the first stranger.
 * @throws Error for a `trustedProxies` entry that is neither an address nor a CIDR range
 */
export function createAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = listOf(trustedProxies)
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

  return (request) => {
    const direct = plain(request.socket.remoteAddress ?? 'unknown')
    const header = request.headers['x-forwarded-for']
    if (trustedProxies.length === 0 || typeof header !== 'string' || !isTrusted(direct)) return network(direct)
    const hops = header.split(',').map((hop) => plain(hop.trim()))
    return network(hops.findLast((hop) => !isTrusted(hop)) ?? direct)
  }
}

function listOf(ranges: readonly string[]): BlockList {
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
