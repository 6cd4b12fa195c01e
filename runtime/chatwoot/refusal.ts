/** Reasons for which a call of Chatwoot did not succeed. */
import { isObject } from '../../schemas/is-object.js'
import type { RequestOutcome } from '../outgoing/client.js'

// Bound: 2,000, a sentence, cut before.

/**
 * `away`: no answer, or trouble of the server; whether the call was carried out is not known. `busy`: too many calls or messages; nothing was
 * done. `auth`: wrong token, or too few rights. `missing`: there is no such thing. `large`: a proxy or the server refused the size. `invalid`:
 * anything else.
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
export function refusalOf(outcome: RequestOutcome): ChatwootRefusal {
  if (!outcome.answered) return new ChatwootRefusal('away', 0, `Chatwoot did not answer: ${outcome.error}.`)
  const { statusCode, headers, json } = outcome
  const said = json?.type === 'value' && isObject(json.value) ? errorIn(json.value) : ''
  const message = `Chatwoot answered ${statusCode}${said === '' ? redirectIn(headers.location) : `: ${said}`}.`
  const retryAfter = String(headers['retry-after'] ?? '')
  return new ChatwootRefusal(kindOf(statusCode, said), statusCode, message, retryAfter)
}

/** Returns the address to which somebody has moved, such as that with HTTPS. */
function redirectIn(location: string | string[] | undefined): string {
  if (typeof location !== 'string' || !URL.canParse(location)) return ''
  return `, which leads to ${new URL(location).origin.slice(0, TEXT_MAX)}: use the address of Chatwoot itself`
}

function kindOf(statusCode: number, said: string): RefusalKind {
  // A page of a proxy, for the time of a repair or of a move: Chatwoot itself redirects no call of its API.
  if (statusCode >= 300 && statusCode < 400) return 'away'
  if (statusCode >= 500 || statusCode === 408) return 'away'
  // More messages in a conversation than its limit a minute.
  if (statusCode === 429 || (statusCode === 422 && /too many messages/i.test(said))) return 'busy'
  if (statusCode === 401 || statusCode === 403) return 'auth'
  if (statusCode === 404) return 'missing'
  return statusCode === 413 ? 'large' : 'invalid'
}

/** Returns the sentence of an answer, which is `{error}`, `{message}`, `{errors}` or a page. */
function errorIn({ error, message, errors }: Readonly<Record<string, unknown>>): string {
  const said = error ?? message ?? (Array.isArray(errors) ? errors.filter(isText).join(', ') : errors)
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
