/**
 * Resolves names as the system does (hosts file, search domains, name servers of resolv.conf), but with c-ares: `getaddrinfo` blocks one of
 * libuv's few threads for seconds when a name server is silent, and files, compression and passwords need these threads too.
 */
import { promises as dns, type LookupAddress } from 'node:dns'
import { readFile, stat } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'

// Ours: files of the system.

export interface SystemResolverOptions {
  readonly hostsFile?: string
  readonly resolvConfFile?: string
  /** Instead of those of resolv.conf: `127.0.0.1:5353`. */
  readonly servers?: readonly string[]
  /** For one question to one server. */
  readonly timeoutMs?: number
}

export interface SystemResolver {
  /** @throws NodeJS.ErrnoException ENOTFOUND, ETIMEOUT, ESERVFAIL, … */
  resolve(hostname: string): Promise<readonly LookupAddress[]>
  /** Ends all questions under way. */
  close(): void
}

const QUESTION_TIMEOUT_MS = 1_500
const TRIES = 2
/** Time that the answer for one family waits for that of the other (RFC 8305 waits 50 ms; some servers are slow with AAAA). */
const OTHER_FAMILY_MS = 500
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
/** There is no such name, or it has no address of this family: the next candidate is asked for. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export function createSystemResolver(options: SystemResolverOptions = {}): SystemResolver {
  const { timeoutMs = QUESTION_TIMEOUT_MS } = options
  const hosts = watchedFile(options.hostsFile ?? '/etc/hosts', parseHosts)
  // c-ares reads its servers when it is made, so it is made again when the file has changed.
  const settings = watchedFile(options.resolvConfFile ?? '/etc/resolv.conf', (text) => ({
    ...parseResolvConf(text),
    resolver: newResolver(),
  }))
  const made: dns.Resolver[] = []

  function newResolver(): dns.Resolver {
    const resolver = new dns.Resolver({ timeout: timeoutMs, tries: TRIES })
    if (options.servers !== undefined) resolver.setServers(options.servers)
    made.push(resolver)
    // Questions of the former one may be under way; those before it are long over.
    if (made.length > 2) made.shift()?.cancel()
    return resolver
  }

  return {
    async resolve(hostname) {
      const name = hostname.toLowerCase()
      const fromFile = (await hosts()).get(name)
      if (fromFile !== undefined) return fromFile
      // RFC 6761: never a question for a name server.
      if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACK
      const { resolver, ...search } = await settings()
      let failure: NodeJS.ErrnoException = new Error(`There is no address for ${name}.`)
      failure.code = 'ENOTFOUND'
      for (const candidate of candidates(name, search)) {
        const found = await askBoth(resolver, candidate)
        if (Array.isArray(found)) return found
        if (!NO_ADDRESS.has(found.code ?? '')) failure = found
      }
      throw failure
    },
    close() {
      for (const resolver of made) resolver.cancel()
    },
  }
}

type Found = { readonly addresses: LookupAddress[]; readonly error?: NodeJS.ErrnoException }

/** The addresses of both families, those of IPv4 first; else why there are none. */
async function askBoth(resolver: dns.Resolver, name: string): Promise<LookupAddress[] | NodeJS.ErrnoException> {
  const ask = async (family: 4 | 6): Promise<Found> =>
    (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)).then(
      (addresses) => ({ addresses: addresses.map((address) => ({ address, family })) }),
      (error: NodeJS.ErrnoException) => ({ addresses: [], error }),
    )
  const [four, six] = [ask(4), ask(6)]
  const first = await Promise.race([four, six])
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<Found>((resolve) => {
    if (first.error === undefined) timer = setTimeout(() => resolve({ addresses: [] }), OTHER_FAMILY_MS)
  })
  const both = await Promise.all([Promise.race([four, patience]), Promise.race([six, patience])])
  clearTimeout(timer)
  const addresses = both.flatMap((one) => one.addresses)
  if (addresses.length > 0) return addresses
  const errors = both.flatMap(({ error }) => (error === undefined ? [] : [error]))
  return errors.find(({ code }) => !NO_ADDRESS.has(code ?? '')) ?? errors[0] ?? new Error('No address was found.')
}

// Names by the files of the machine: `/etc/hosts` and `/etc/resolv.conf`, read again when they change.

interface ResolvSettings {
  /** Domains that are tried behind a name. */
  readonly search: readonly string[]
  /** A name with so many dots is tried as it is first. */
  readonly ndots: number
}

/** Addresses by name, in lower case. */
type Hosts = ReadonlyMap<string, readonly LookupAddress[]>

const SEARCH_MAX = 6
const NDOTS_MAX = 15

function parseHosts(text: string): Hosts {
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
function parseResolvConf(text: string): ResolvSettings {
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
function candidates(name: string, { search, ndots }: ResolvSettings): readonly string[] {
  const withSearch = search.map((domain) => `${name}.${domain}`)
  const dots = name.split('.').length - 1
  return dots >= ndots ? [name, ...withSearch] : [...withSearch, name]
}

/** A file's contents as `parse` makes them; looked at again after `everyMs`, read again when it changed, empty when it is not there. */
function watchedFile<T>(file: string, parse: (text: string) => T, everyMs = 5_000): () => Promise<T> {
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
