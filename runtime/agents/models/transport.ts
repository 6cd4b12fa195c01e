/** Requests to providers over the guarded client: bounded, not repeated, and with all failures as ModelError. */
import { type ModelAddress, ModelError } from '../../../schemas/agents/models.js'
import type { Outgoing } from '../../outgoing/client.js'
import type { JsonUse } from '../../outgoing/json/json-use.js'
import { classify } from './classify.js'
import { type ErrorFacts, errorFacts } from './error-facts.js'

// Bound: 200, a word for a failure.

export interface ModelRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Bounds and parts of the answer. */
  readonly json: JsonUse
}

export interface ModelResponse {
  readonly status: number
  readonly bytes: Buffer
  /** Parsed, and what the request's `json` keeps. */
  readonly body: unknown
}

/** One call, with all that its requests need. */
export interface ModelExchange {
  readonly address: ModelAddress
  /** As of `classify`. */
  readonly privateTexts: readonly string[]
  readonly signal: AbortSignal
  /** Of `performance.now()`. */
  readonly deadlineMs: number
  /** Called with the words of a refusal before it is thrown. Returns true if a repetition would be sent differently. */
  readonly onRefused?: (facts: ErrorFacts) => boolean
}

/** Words of failures before a request has left. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|DNS_\w+|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/

/**
 * Posts a request.
 * @throws ModelError, or the signal's reason
 */
export async function ask(
  outgoing: Pick<Outgoing, 'request'>,
  exchange: ModelExchange,
  { url, headers, body, json }: ModelRequest,
): Promise<ModelResponse> {
  const { address, signal } = exchange
  const leftMs = exchange.deadlineMs - performance.now()
  signal.throwIfAborted()
  if (leftMs <= 0) throw new ModelError('temporary', 'No time was left for the call.')
  const outcome = await outgoing.request({
    url: new URL(url),
    method: 'POST',
    headers,
    body,
    timeoutMs: leftMs,
    answerMaxBytes: json.bytesMax,
    json,
    signal,
    owner: address.instance,
  })
  signal.throwIfAborted()
  if (!outcome.answered) throw unanswered(outcome.error)
  const { statusCode: status } = outcome
  const parsed = outcome.json?.type === 'value' ? outcome.json.value : undefined
  const error = classify(address.provider, { status, headers: outcome.headers, body: parsed }, exchange.privateTexts)
  if (error?.kind === 'refused') {
    const facts = errorFacts(parsed)
    if (facts !== undefined && exchange.onRefused?.(facts) === true)
      throw new ModelError('temporary', `${error.message} The next call leaves it out.`, { status, retryAfterMs: 0 })
  }
  if (error !== undefined) throw error
  if (outcome.json?.type === 'refused') throw broken(`The answer ${outcome.json.why}.`, status)
  if (parsed === undefined) throw broken('The answer is not JSON.', status)
  return { status, bytes: outcome.body, body: parsed }
}

/** A server that answered with a success and nothing usable in it: the call was perhaps counted. */
export function broken(message: string, status: number | null): ModelError {
  return new ModelError('temporary', message, { status, isPerhapsCounted: true })
}

function unanswered(word: string): ModelError {
  if (word === 'ADDRESS_REFUSED' || word === 'URL_NOT_ALLOWED')
    return new ModelError('address', 'The base URL leads to an address that is not public, or has no http or https.')
  if (word === 'TIMEOUT') return broken('The provider gave no complete answer in time.', null)
  return new ModelError('temporary', `The provider cannot be reached (${word}).`, {
    isPerhapsCounted: !NEVER_SENT.test(word),
  })
}
