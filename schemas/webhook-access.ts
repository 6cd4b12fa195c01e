/**
 * What a receiver of webhooks asks of callers: headers, and the credentials of its URL. Both are secrets, so they are stored sealed, answers mask
 * their values, and another address gets them only if they are given again.
 */

import { isObject } from '../lib/is-object.js'
import { invalidField } from './invalid-field.js'

// Bound: 16,384, 1,000 values, the headers and credentials of a webhook.

export interface WebhookAccess {
  /** The scheme, host and port that may get them. A node of a former release changes the URL without regard to them. */
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** Decoded; empty when the URL has none. */
  readonly username: string
  readonly password: string
}

interface Receiver {
  /** Without credentials. */
  readonly url: string
  readonly access: WebhookAccess
}

export const NO_ACCESS: WebhookAccess = { origin: '', headers: {}, username: '', password: '' }

const MASK = '***'
/** Shorter values are words, and no secrets. */
const SECRET_LENGTH_MIN = 4
const HEADERS_MAX = 20
const VALUE_LENGTH_MAX = 4_096
/** Many servers take 8 KiB of headers in all. */
const HEADERS_LENGTH_MAX = 6_144
const CREDENTIAL_BYTES_MAX = 1_000
// Bound: 1,048,576, a key or a value of a body.
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
// Bound: 1,048,576, a key or a value of a body.
const VALUE = /^[\t\x20-\x7e]*$/
/** Of one connection (RFC 9110 7.6.1), or of HTTP itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const OURS = new Set([
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'traceparent',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
])

/** Returns the headers by which a receiver lets a delivery in. */
export function accessHeaders({ headers, username, password }: WebhookAccess): Record<string, string> {
  if (username === '' && password === '') return { ...headers }
  return { ...headers, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/** Returns the answer of a receiver without the secrets that it sends back, as receivers for tests do. */
export function withoutSecrets(answer: string, { headers, username, password }: WebhookAccess): string {
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  const secrets = [...Object.values(headers), basic, password].filter(({ length }) => length >= SECRET_LENGTH_MIN)
  return secrets.reduce((text, secret) => text.replaceAll(secret, MASK), answer)
}

/** Returns headers as answers and attempts may show them. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]))
}

/** Returns the URL as answers may show it. A user without a password may be a secret itself, so it is masked too. */
export function maskedWebhookUrl(url: string, { username, password }: WebhookAccess): string {
  if (username === '' && password === '') return url
  const shown = new URL(url)
  shown.username = password === '' ? MASK : username
  shown.password = password === '' ? '' : MASK
  return shown.href
}

/** Returns the URL without its credentials. Text that is no URL is left to the guard of addresses. */
export function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * Returns the fields that a call changes. Headers that it leaves out stay, and so does what it gives in the masked form of an answer.
 * @param former null: the webhook is new
 * @throws GatewayError INVALID_REQUEST, also for secrets that would go to another scheme, host or port
 */
export function changedReceiver(
  former: Receiver | null,
  { url: given, headers }: { readonly url?: string; readonly headers?: Readonly<Record<string, string>> },
): Partial<Receiver> {
  if (given === undefined && headers === undefined) return {}
  const stored = former?.access ?? NO_ACCESS
  const url = given === undefined ? undefined : withoutCredentials(given)
  const isElsewhere = former !== null && url !== undefined && readOrigin(url) !== readOrigin(former.url)
  const credentials = given === undefined ? stored : changedCredentials(former, given, isElsewhere)
  const access = {
    origin: readOrigin(url ?? former?.url ?? ''),
    headers: changedHeaders(stored.headers, headers, isElsewhere),
    username: credentials.username,
    password: credentials.password,
  }
  checkPair(access)
  return { ...(url === undefined ? {} : { url }), access }
}

/** Reads stored access. Returns null if it is not of the form that this program writes, or not allowed: a file may be made by a stranger. */
export function parseWebhookAccess(json: string): WebhookAccess | null {
  try {
    const parsed: unknown = JSON.parse(json)
    if (!isObject(parsed) || !isObject(parsed.headers)) return null
    const { origin, headers, username, password } = parsed
    if (typeof origin !== 'string' || typeof username !== 'string' || typeof password !== 'string') return null
    const entries = Object.entries(headers)
    if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return null
    const access = { origin, headers: checkedHeaders(entries), username, password }
    checkCredentials(username, password)
    checkPair(access)
    return access
  } catch {
    return null
  }
}

function changedCredentials(former: Receiver | null, given: string, isElsewhere: boolean) {
  if (!URL.canParse(given)) return NO_ACCESS
  const { username, password } = new URL(given)
  const isMasked = password === MASK || (password === '' && username === MASK)
  if (!isMasked) return checkCredentials(decoded(username), decoded(password))
  if (former === null || isElsewhere || maskedUser(former.access) !== username)
    throw invalidField('url', 'has the masked form of other credentials: send the user and the password again')
  return former.access
}

function maskedUser({ username, password }: WebhookAccess): string | undefined {
  if (username === '' && password === '') return undefined
  const url = new URL('http://host')
  url.username = password === '' ? MASK : username
  return url.username
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalidField('url', 'must have a user and a password whose % signs are written as %25')
  }
}

function checkCredentials(username: string, password: string) {
  if ([username, password].some((one) => Buffer.byteLength(one) > CREDENTIAL_BYTES_MAX))
    throw invalidField('url', `must have a user and a password of at most ${CREDENTIAL_BYTES_MAX} bytes`)
  // Bound: 2,048, a URL. Basic authentication (RFC 7617) parts the two at the first colon.
  if (username.includes(':') || /\p{Cc}/u.test(username + password))
    throw invalidField('url', 'must have a user without a colon, and no control characters')
  return { username, password }
}

function checkPair({ headers, username, password }: WebhookAccess): void {
  const hasBoth = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  if (hasBoth && (username !== '' || password !== ''))
    throw invalidField('headers', 'must not name authorization beside credentials in the URL')
}

function changedHeaders(
  stored: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>> | undefined,
  isElsewhere: boolean,
): Record<string, string> {
  if (given === undefined) {
    if (isElsewhere && Object.keys(stored).length > 0) throw neededAgain()
    return { ...stored }
  }
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  return checkedHeaders(
    Object.entries(given).map(([name, value]): [string, string] => {
      if (value.trim() !== MASK) return [name, value]
      const kept = known.get(name.toLowerCase())
      if (kept === undefined)
        throw invalidField('headers', `has a masked value for ${shown(name)}, which is not stored`)
      if (isElsewhere) throw neededAgain()
      return [name, kept]
    }),
  )
}

function neededAgain() {
  return invalidField(
    'headers',
    'is required with another scheme, host or port of the URL: send the whole values again, or {} for none',
  )
}

/** @throws GatewayError INVALID_REQUEST that names the header */
function checkedHeaders(entries: readonly (readonly [string, string])[]): Record<string, string> {
  if (entries.length > HEADERS_MAX) throw invalidField('headers', `must have at most ${HEADERS_MAX} headers`)
  const names = new Set<string>()
  let length = 0
  for (const [name, value] of entries) {
    const why = wrongness(name, value)
    if (why !== null) throw invalidField('headers', why)
    if (names.has(name.toLowerCase())) throw invalidField('headers', `must not name ${name} twice`)
    names.add(name.toLowerCase())
    length += name.length + value.length + 4
  }
  if (length > HEADERS_LENGTH_MAX)
    throw invalidField('headers', `must have at most ${HEADERS_LENGTH_MAX} characters in all`)
  return Object.fromEntries(entries.map(([name, value]) => [name, value.trim()]))
}

function wrongness(name: string, value: string): string | null {
  if (!NAME.test(name)) return `has ${shown(name)}, which is not a name of a header`
  const lower = name.toLowerCase()
  if (HOP_BY_HOP.has(lower)) return `must not name ${name}: it belongs to the connection`
  if (OURS.has(lower)) return `must not name ${name}: the gateway sets it`
  if (value.length > VALUE_LENGTH_MAX) return `must have at most ${VALUE_LENGTH_MAX} characters in ${name}`
  return VALUE.test(value) ? null : `must have only visible ASCII characters and spaces in ${name}`
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 64))
}

export function readOrigin(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
