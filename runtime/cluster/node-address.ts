import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

// Ours: addresses and errors of our own nodes.

/** Splits `host`, `host:port`, or an IPv6 address, which is in brackets when a port follows. */
export function splitAddress(address: string): { host: string; port: number | undefined } {
  const match = isIPv6(address) ? null : /^\[?(.+?)\]?:(\d+)$/.exec(address)
  return match === null
    ? { host: address.replace(/^\[(.+)\]$/, '$1'), port: undefined }
    : { host: match[1] ?? '', port: Number(match[2]) }
}

export function joinAddress(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** Returns the host to listen on: the given one if it is an address of this machine. Behind a name or a translated address, all. */
export function chooseBinding(host: string): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])
  if (own.includes(host)) return host
  return host === 'localhost' ? '127.0.0.1' : '0.0.0.0'
}
