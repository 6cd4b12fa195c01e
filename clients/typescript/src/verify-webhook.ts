/** Checks that a webhook comes from the gateway: signatures as in Standard Webhooks 1.0, by Web Crypto. */
import type { PosthornEvent } from './generated.js'

export interface VerifyOptions {
  /** Largest difference between the time of the delivery and now, both ways. Default: 300 seconds. */
  readonly toleranceSeconds?: number
  /** Present time. Default: now. */
  readonly now?: Date
}

/** A webhook that must not be believed. Answer it with status 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly reason: 'missing_header' | 'invalid_time' | 'too_old' | 'too_new' | 'wrong_signature' | 'invalid_body'

  constructor(reason: WebhookError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Bytes that Web Crypto takes: not of shared memory. */
type Bytes = Uint8Array<ArrayBuffer>

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const PREFIX = 'whsec_'
const TOLERANCE_SECONDS = 300

/**
 * Resolves with the event of a webhook whose signature fits one of the secrets. While a secret is replaced, give both. For webhooks with batches:
 * `verifyWebhookBatch`.
 *
 * @param body The body as it was received: bytes or text, not parsed.
 * @param headers Headers of the request, of `fetch` or of Node.js.
 * @throws WebhookError if it is not signed by one of the secrets, is too old, or is no JSON
 * @throws TypeError if a secret is not `whsec_` and base64
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderValues,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<PosthornEvent> {
  const event = await verifiedJson(body, headers, secrets, options)
  if (Array.isArray(event))
    throw new WebhookError('invalid_body', 'The body of the webhook is a batch: use verifyWebhookBatch.')
  return event as PosthornEvent
}

/**
 * Resolves with the events of a webhook with batches, in order, as `verifyWebhook` does with one. A single event is a list of one, so that a receiver
 * takes both while the option is set.
 */
export async function verifyWebhookBatch(
  body: string | Uint8Array,
  headers: HeaderValues,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<readonly PosthornEvent[]> {
  return [await verifiedJson(body, headers, secrets, options)].flat() as PosthornEvent[]
}

async function verifiedJson(
  body: string | Uint8Array,
  headers: HeaderValues,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions,
): Promise<unknown> {
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(parseKey)
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  checkTime(timestamp, toleranceSeconds, now.getTime() / 1000)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookError('wrong_signature', 'No signature of the webhook fits a secret.')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    throw new WebhookError('invalid_body', 'The body of the webhook is not JSON.')
  }
}

/** Tries each signature with each key. `verify` compares in constant time. */
async function isSigned(signed: Bytes, signatures: string, keys: readonly Bytes[]): Promise<boolean> {
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [readBytes(one.slice(3))] : []))
    .filter((bytes) => bytes !== undefined)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  for (const raw of keys) {
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
    for (const signature of given) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

function checkTime(timestamp: string, toleranceSeconds: number, nowSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookError('invalid_time', 'The header webhook-timestamp is not a number of seconds.')
  const seconds = Number(timestamp)
  if (seconds < nowSeconds - toleranceSeconds) throw new WebhookError('too_old', 'The webhook is too old.')
  if (seconds > nowSeconds + toleranceSeconds) throw new WebhookError('too_new', 'The time of the webhook is ahead.')
}

function readHeader(headers: HeaderValues, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : ownHeader(headers, name)
  if (typeof value !== 'string' || value === '')
    throw new WebhookError('missing_header', `The header ${name} is missing.`)
  return value
}

function ownHeader(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string): unknown {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'object' ? found[0] : found
}

function isHeaders(headers: HeaderValues): headers is Headers {
  return typeof (headers as Headers).get === 'function'
}

function parseKey(secret: string): Bytes {
  const key = secret.startsWith(PREFIX) ? readBytes(secret.slice(PREFIX.length)) : undefined
  if (key === undefined || key.length === 0) throw new TypeError('A secret must be whsec_ followed by base64.')
  return key
}

/** Decodes base64; undefined if it is none. */
function readBytes(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
