/** Reasons for which a call of Chatwoot did not succeed. */
import { isObject } from '../../lib/is-object.js'
import type { RequestOutcome } from '../outgoing/client.js'

// Bound: 2,000, a sentence, cut before.

/**
 * `away`: no answer, trouble of the server, or an answer of something before it; whether the call was carried out is not known. `busy`: too
 * many calls or messages; nothing was done. `auth`: wrong token, or too few rights. `missing`: there is no such thing. `large`: the call or its
 * answer is too large. `invalid`: anything else.
 */
export type RefusalKind = 'away' | 'busy' | 'auth' | 'missing' | 'large' | 'invalid'

export class ChatwootRefusal extends Error {
  readonly kind: RefusalKind
  /** 0 without an answer. */
  readonly statusCode: number
  /** Seconds or a date, as the answer has it. */
  readonly retryAfter: string

  constructor(kind: RefusalKind, statusCode: number, message: string, retryAfter = '') {
    super(message)
    this.kind = kind
    this.statusCode = statusCode
    this.retryAfter = retryAfter
  }
}

const TEXT_MAX = 300
/** Characters of a sentence that are looked at. */
const READ_MAX = 2_000

/** Returns the refusal of an outcome that is no success. */
export function chatwootRefusal(outcome: RequestOutcome): ChatwootRefusal {
  if (!outcome.answered) return new ChatwootRefusal('away', 0, `Chatwoot did not answer: ${outcome.error}.`)
  const { statusCode, headers } = outcome
  const said = ownSentence(outcome)
  const rest = said === null ? pageIn(statusCode, headers.location) : said === '' ? '' : `: ${said}`
  const message = `Chatwoot answered ${statusCode}${rest}.`
  const retryAfter = String(headers['retry-after'] ?? '')
  return new ChatwootRefusal(classifyRefusal(statusCode, said), statusCode, message, retryAfter)
}

/**
 * Fields of Chatwoot's refusals, of which Rails adds `status` to its own. Gateways and other frameworks have more, such as `path` or `timestamp`.
 */
const OWN_FIELDS = new Set(['error', 'errors', 'message', 'attributes', 'success', 'error_code', 'status'])

/**
 * Returns the sentence of an answer in the form of Chatwoot: JSON with `error`, `errors`, or `message` and `attributes`, and nothing of others.
 * Returns null for all else: a page of a proxy says nothing about a message, a token or an inbox.
 */
function ownSentence({ statusCode, headers, json }: Extract<RequestOutcome, { answered: true }>): string | null {
  if (json?.type !== 'value' || !isObject(json.value)) return null
  if (!String(headers['content-type'] ?? '').includes('json')) return null
  const names = Object.keys(json.value)
  // Rails has no such path: the address is another one, and says nothing about what was asked for.
  if (names.some((name) => !OWN_FIELDS.has(name) || (name === 'status' && statusCode === 404))) return null
  const { error, message, errors, attributes } = json.value
  const isOfModel = isText(message) && (Array.isArray(attributes) || statusCode === 422)
  if (!isText(error) && (statusCode === 404 || (errors === undefined && !isOfModel))) return null
  return firstSentence(error ?? message ?? (Array.isArray(errors) ? errors.filter(isText).join(', ') : errors))
}

function pageIn(statusCode: number, location: string | string[] | undefined): string {
  const isPage = statusCode >= 400 && statusCode < 500 && statusCode !== 429
  return isPage ? ' with a page that is not of Chatwoot: look at what stands before it' : redirectIn(location)
}

/** Returns the address to which somebody has moved, such as that with HTTPS. */
function redirectIn(location: string | string[] | undefined): string {
  if (typeof location !== 'string' || !URL.canParse(location)) return ''
  return `, which leads to ${new URL(location).origin.slice(0, TEXT_MAX)}: use the address of Chatwoot itself`
}

function classifyRefusal(statusCode: number, said: string | null): RefusalKind {
  // Chatwoot itself redirects no call of its API.
  if (statusCode < 400 || statusCode >= 500 || statusCode === 408) return 'away'
  // More messages in a conversation than its limit a minute.
  if (statusCode === 429 || (statusCode === 422 && /too many messages/i.test(said ?? ''))) return 'busy'
  // A page of a proxy, for the time of a repair or of a mistake in its settings.
  if (said === null) return 'away'
  if (statusCode === 401 || statusCode === 403) return 'auth'
  if (statusCode === 404) return 'missing'
  return statusCode === 413 ? 'large' : 'invalid'
}

function firstSentence(said: unknown): string {
  if (!isText(said)) return ''
  return said
    .slice(0, READ_MAX)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX)
    .replace(/\.$/, '')
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
