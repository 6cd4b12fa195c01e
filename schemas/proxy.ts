// Bound: 1,048,576, a field of a request.

/** Addresses of proxies: how they are read, and how they are shown without their secret. */

export type ProxyScheme = 'http' | 'https' | 'socks5' | 'socks5h'

/** A proxy, as its URL names it. */
export interface ProxyAddress {
  readonly scheme: ProxyScheme
  /** Name or address, without brackets. */
  readonly host: string
  readonly port: number
  /** Decoded; empty when the proxy needs none. */
  readonly username: string
  readonly password: string
}

/** The proxy of one instance, as it is stored: sealed as a whole. */
export interface ProxySettings {
  readonly url: string
  /** What to use when the proxy fails: nothing (`never`), no proxy (`none`), or another proxy, by its URL. */
  readonly fallback: string
}

const DEFAULT_PORTS: Readonly<Record<ProxyScheme, number>> = { http: 80, https: 443, socks5: 1080, socks5h: 1080 }
const URL_LENGTH_MAX = 2_048
/** Limit of SOCKS5 (RFC 1929). */
const CREDENTIAL_BYTES_MAX = 255
const HIDDEN = '***'

/** Reads the URL of a proxy. Returns what is wrong with it, as in "must be …", instead of throwing: the text may hold a password. */
export function parseProxyUrl(text: string): ProxyAddress | string {
  if (text.length > URL_LENGTH_MAX) return `must be at most ${URL_LENGTH_MAX} characters`
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):\/\/(.*)$/is.exec(text.trim()) ?? []
  if (!isScheme(scheme.toLowerCase()))
    return 'must be a URL that begins with http://, https://, socks5:// or socks5h://'
  // The URL parser knows the forms of hosts of http only.
  const asHttp = `http://${rest}`
  if (!URL.canParse(asHttp)) return 'must be a URL with a host, as in socks5h://user:password@proxy.example.com:1080'
  const url = new URL(asHttp)
  if ((url.pathname !== '/' && url.pathname !== '') || url.search !== '' || url.hash !== '')
    return 'must have no path, query or fragment; write special characters of a password as %XX'
  return withCredentials(scheme.toLowerCase() as ProxyScheme, url, asHttp)
}

/** Returns the URL as answers and logs may show it. A user without a password may be a secret itself, so it is hidden too. */
export function maskedProxyUrl(text: string): string {
  const proxy = parseProxyUrl(text)
  if (typeof proxy === 'string') return ''
  const { scheme, username, password } = proxy
  const user = password === '' ? HIDDEN : `${encodeURIComponent(username)}:${HIDDEN}`
  return `${scheme}://${username === '' && password === '' ? '' : `${user}@`}${formatHostPort(proxy)}`
}

/** Returns true for the masked form of a URL with credentials, as answers show it. */
export function isMaskedProxyUrl(text: string): boolean {
  const proxy = parseProxyUrl(text)
  return (
    typeof proxy !== 'string' && (proxy.password === HIDDEN || (proxy.password === '' && proxy.username === HIDDEN))
  )
}

/** Returns host and port, for sentences. */
export function formatHostPort({ host, port }: Pick<ProxyAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Reads stored settings. Returns null if they are not of the form that this program writes. */
export function parseProxySettings(json: string): ProxySettings | null {
  let given: unknown
  try {
    // Bound: 10,000, settings of a proxy.
    given = JSON.parse(json)
  } catch {
    return null
  }
  const { url, fallback } = (typeof given === 'object' ? (given ?? {}) : {}) as Partial<ProxySettings>
  if (typeof url !== 'string' || typeof parseProxyUrl(url) === 'string') return null
  if (typeof fallback !== 'string') return null
  const isFallback = fallback === 'never' || fallback === 'none' || typeof parseProxyUrl(fallback) !== 'string'
  return isFallback ? { url, fallback } : null
}

function isScheme(scheme: string): scheme is ProxyScheme {
  return Object.hasOwn(DEFAULT_PORTS, scheme)
}

function withCredentials(scheme: ProxyScheme, url: URL, asHttp: string): ProxyAddress | string {
  const username = decoded(url.username)
  const password = decoded(url.password)
  if (username === null || password === null) return 'must have a user and a password whose % signs are written as %25'
  if ([username, password].some((one) => Buffer.byteLength(one) > CREDENTIAL_BYTES_MAX))
    return `must have a user and a password of at most ${CREDENTIAL_BYTES_MAX} bytes`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (/[\u0000-\u001f\u007f]/.test(username + password)) return 'must have no control characters'
  if (!scheme.startsWith('socks') && username.includes(':')) return 'must have a user without a colon'
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') return 'must name a host'
  // The parser of http URLs leaves port 80 out.
  const port = url.port === '' && /:0*80\/?$/.test(asHttp) ? 80 : Number(url.port || DEFAULT_PORTS[scheme])
  return port === 0 ? 'must have a port of 1 to 65535' : { scheme, host, port, username, password }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
