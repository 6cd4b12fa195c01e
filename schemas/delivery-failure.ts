/** Why an attempt to deliver an event failed: the words and sentences that are stored, and the code that callers get beside them. */
import type { DeliveryAttempt } from './generated.js'

// Bound: 4,000, a reason as it is stored.

export type DeliveryFailureCode = Exclude<DeliveryAttempt['code'], ''>

export interface DeliveryFailureKind {
  /** Empty: nothing failed. */
  readonly code: DeliveryAttempt['code']
  /** Status of the answer; 0 when there was none. */
  readonly statusCode: number
}

export const BLOCKED_TWICE = 'The delivery blocked the gateway until it ended itself, twice.'
/** Beginning of the reason of deliveries that were given up by their age, as SQL writes it. */
export const TOO_OLD = 'It was not delivered within '
export const REDIRECTS = 'The receiver redirects '
const ANSWERED = 'The receiver answered '

export function answeredWith(statusCode: number): string {
  return `${ANSWERED}${statusCode}.`
}

/** Words of Node.js, undici and our own client for requests without an answer. */
const WORDS: readonly [DeliveryFailureCode, RegExp][] = [
  ['timeout', /^(TIMEOUT|ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/],
  ['dns', /^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|EBADRESP|EAI_\w+|DNS_\w+)$/],
  ['address', /^(ADDRESS_REFUSED|URL_NOT_ALLOWED)$/],
  ['connect', /^(ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/],
  ['tls', /^(CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|HOSTNAME_MISMATCH|EPROTO)$/],
  ['closed', /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_\w+|HPE_\w+)$/],
]

/** Reads what was stored of an attempt. `statusCode`: as stored; deliveries that wait have it in their reason alone. */
export function deliveryFailure(reason: string, statusCode: number): DeliveryFailureKind {
  if (reason === '') return { code: '', statusCode }
  const told = Number(/^The receiver (?:answered |redirects \()(\d{3})\b/.exec(reason)?.[1] ?? statusCode)
  return { code: chooseCode(reason, told), statusCode: told }
}

function chooseCode(reason: string, statusCode: number): DeliveryFailureCode {
  if (reason === BLOCKED_TWICE) return 'blocked'
  if (reason.startsWith(TOO_OLD)) return 'too_old'
  if (reason.startsWith(REDIRECTS)) return 'redirect'
  if (statusCode > 0) return 'status'
  return WORDS.find(([, form]) => form.test(reason))?.[0] ?? 'other'
}
