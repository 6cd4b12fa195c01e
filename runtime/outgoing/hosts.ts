/** Names by the files of the machine: `/etc/hosts` and `/etc/resolv.conf`, read again when they change. */
import type { LookupAddress } from 'node:dns'
import { readFile, stat } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'

// Ours: files of the system.

export interface ResolvSettings {
  /** Domains that are tried behind a name. */
  readonly search: readonly string[]
  /** A name with so many dots is tried as it is first. */
  readonly ndots: number
}

/** Addresses by name, in lower case. */
export type Hosts = ReadonlyMap<string, readonly LookupAddress[]>

const SEARCH_MAX = 6
const NDOTS_MAX = 15

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    const [bare = ''] = address.split('%', 1)
    if (!ipaddr.isValid(bare)) continue
    const family = ipaddr.parse(bare).kind() === 'ipv6' ? 6 : 4
    for (const name of names) {
      const known = hosts.get(name.toLowerCase()) ?? []
      if (!known.some((one) => one.address === address)) known.push({ address, family })
      hosts.set(name.toLowerCase(), known)
    }
  }
  return hosts
}

/** The last `search` or `domain` counts, as in resolv.conf(5); name servers are read by c-ares. */
export function parseResolvConf(text: string): ResolvSettings {
  let search: readonly string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [said = ''] = line.split(/[#;]/, 1)
    const [keyword = '', ...words] = said.trim().split(/\s+/)
    if (keyword === 'search') search = words.slice(0, SEARCH_MAX)
    if (keyword === 'domain') search = words.slice(0, 1)
    if (keyword !== 'options') continue
    const given = words.find((word) => /^ndots:\d+$/.test(word))
    if (given !== undefined) ndots = Math.min(NDOTS_MAX, Number(given.slice('ndots:'.length)))
  }
  return { search: search.map((domain) => domain.replace(/^\.|\.$/g, '')).filter((domain) => domain !== ''), ndots }
}

/** The names that are asked for, in order: a short name with each search domain first, a long one as it is first. */
export function candidates(name: string, { search, ndots }: ResolvSettings): readonly string[] {
  const withSearch = search.map((domain) => `${name}.${domain}`)
  const dots = name.split('.').length - 1
  return dots >= ndots ? [name, ...withSearch] : [...withSearch, name]
}

/** A file's contents as `parse` makes them; looked at again after `everyMs`, read again when it changed, empty when it is not there. */
export function watchedFile<T>(file: string, parse: (text: string) => T, everyMs = 5_000): () => Promise<T> {
  let known: { readonly parsed: T; readonly changed: string } | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  let looking: Promise<T> | undefined

  async function look(): Promise<T> {
    const changed = await stat(file).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => '',
    )
    if (known === undefined || known.changed !== changed)
      known = { parsed: parse(await readFile(file, 'utf8').catch(() => '')), changed }
    lookedMs = performance.now()
    return known.parsed
  }

  return () => {
    if (known !== undefined && performance.now() - lookedMs < everyMs) return Promise.resolve(known.parsed)
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
}
