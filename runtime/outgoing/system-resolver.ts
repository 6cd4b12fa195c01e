/**
 * Resolves names as the system does (hosts file, search domains, name servers of resolv.conf), but with c-ares: `getaddrinfo` blocks one of
 * libuv's few threads for seconds when a name server is silent, and files, compression and passwords need these threads too.
 */
import { promises as dns, type LookupAddress } from 'node:dns'
import { candidates, parseHosts, parseResolvConf, watchedFile } from './hosts.js'

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
