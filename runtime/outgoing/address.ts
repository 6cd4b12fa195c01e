import ipaddr from 'ipaddr.js'

// Bound: 100, an address of the internet.

/**
 * Returns true when an address (as text, without brackets) is one of the public internet, so that a URL of a stranger may lead there.
 * Everything else is refused: private, loopback, link-local (cloud metadata), shared (CGNAT), documentation, multicast, and
 * every IPv6 form that carries an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo), public or not.
 */
export function isPublicAddress(address: string): boolean {
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
