/** A POST whose answer matters by its status, for webhooks. It follows one redirect of a receiver to itself, and says why it follows no other. */
import type { Dispatcher } from 'undici'
import { REDIRECTS } from '../../schemas/delivery-failure.js'
import { GatewayError } from '../../schemas/errors.js'
import { exchange, type HttpAnswer } from './exchange.js'
import { AddressRefused, type Guard, notAllowed } from './guard.js'

export interface PostOptions {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** For connecting, sending and the whole answer, of a redirect too. */
  readonly timeoutMs: number
  /** As of `GetOptions`. */
  readonly owner?: string
  /** Maximum of bytes of the answer that are kept. The rest is read, up to 64 KiB and 1 s after the head, and dropped. */
  readonly keepBytes?: number
}

/** Outcome of a POST. An answer of any status counts as an answer from its head on, however its body ends. */
export type PostOutcome =
  | {
      readonly answered: true
      readonly statusCode: number
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
      readonly body: string
      /** Set for a redirect that is not followed: a sentence that says why. */
      readonly redirectError?: string
    }
  | {
      readonly answered: false
      /** A word for rows and logs: `ECONNREFUSED`, `TIMEOUT`, `ADDRESS_REFUSED`, … */
      readonly error: string
    }

/** An answer that goes on longer than this is cut, together with its connection. */
const ANSWER_MAX_BYTES = 65_536
/** Time after the head for the body of an answer. */
const ANSWER_MS = 1000
const LOCATION_SHOWN = 200

export async function post(
  agent: Dispatcher,
  guard: Guard,
  userAgent: string,
  options: PostOptions,
): Promise<PostOutcome> {
  const deadline = performance.now() + options.timeoutMs
  try {
    const first = await send(agent, guard, userAgent, options, options.url, deadline)
    const redirect = readRedirect(first, options.url, guard)
    if (!(redirect instanceof URL)) return toOutcome(first, redirect ?? undefined)
    const second = await send(agent, guard, userAgent, options, redirect, deadline)
    const isAgain = isRedirect(second.statusCode)
    return toOutcome(second, isAgain ? `${REDIRECTS}twice, and one redirect is followed. ${ADVICE}` : undefined)
  } catch (error) {
    return { answered: false, error: wordFor(error) }
  }
}

async function send(
  agent: Dispatcher,
  guard: Guard,
  userAgent: string,
  options: PostOptions,
  url: URL,
  deadline: number,
): Promise<HttpAnswer> {
  await guard.prepare(url, options.owner ?? '')
  const leftMs = deadline - performance.now()
  if (leftMs <= 0) throw Object.assign(new Error('No complete answer in time.'), { code: 'TIMEOUT' })
  return exchange(agent, {
    url,
    method: 'POST',
    headers: { ...options.headers, 'user-agent': userAgent },
    body: options.body,
    timeoutMs: leftMs,
    keepBytes: options.keepBytes ?? 0,
    readBytes: ANSWER_MAX_BYTES,
    bodyMs: Math.min(ANSWER_MS, leftMs),
  })
}

const ADVICE = 'Set the address of the webhook to the place where it ends.'

/** Returns where a redirect leads if it is followed, else a sentence that says why it is not. Null: the answer is no redirect. */
function readRedirect({ statusCode, headers }: HttpAnswer, from: URL, guard: Guard): URL | string | null {
  if (!isRedirect(statusCode)) return null
  const given = Array.isArray(headers.location) ? headers.location[0] : headers.location
  if (given === undefined || !URL.canParse(given, from.href)) return `${REDIRECTS}(${statusCode}) to no address.`
  const target = new URL(given, from)
  const refused = `${REDIRECTS}(${statusCode}) to ${`${target.origin}${target.pathname}`.slice(0, LOCATION_SHOWN)}.`
  // Only these keep the method and the body.
  if (statusCode !== 307 && statusCode !== 308) return `${refused} Only 307 and 308 are followed. ${ADVICE}`
  // Headers and body hold secrets and events: the receiver alone may get them.
  if (target.origin !== from.origin)
    return `${refused} Only redirects to the same scheme, host and port are followed. ${ADVICE}`
  try {
    return guard.parse(target.href)
  } catch {
    return `${refused} That address is not allowed.`
  }
}

function toOutcome({ statusCode, headers, body }: HttpAnswer, redirectError: string | undefined): PostOutcome {
  const answer = { answered: true, statusCode, headers, body: body.toString('utf8') } as const
  return redirectError === undefined ? answer : { ...answer, redirectError }
}

export function isRedirect(statusCode: number): boolean {
  return statusCode === 301 || statusCode === 302 || statusCode === 303 || statusCode === 307 || statusCode === 308
}

/** Errors of requests to addresses that others chose. */

/** Maps a failure of a request, or of reading its answer, to an error for the caller. */
export function asFetchError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (wordFor(error) === 'ADDRESS_REFUSED') return notAllowed()
  if (error instanceof Error && error.name === 'TimeoutError') return fetchFailed('It took too long.')
  if (isOfDecoder(error)) return fetchFailed('It is compressed and cannot be read.')
  return new GatewayError('FETCH_FAILED', { details: [{ field: 'url', why: wordFor(error) }], cause: error })
}

function isOfDecoder(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return (
    typeof code === 'string' &&
    (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_BROTLI'))
  )
}

export function fetchFailed(why: string): GatewayError {
  return new GatewayError('FETCH_FAILED', { details: [{ field: 'url', why }] })
}

/** One word that names a failure of the network, without addresses in it. */
export function wordFor(error: unknown): string {
  if (error instanceof AddressRefused) return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return wordFor(error.errors[0])
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'FAILED'
}

export function tooLarge(limitBytes: number): GatewayError {
  return new GatewayError('MEDIA_TOO_LARGE', { fields: { limit_bytes: limitBytes } })
}
