/** Makes a ModelError of a provider's answer. */
import { ModelError, type ModelErrorKind, type Provider } from '../../../schemas/agents/models.js'
import { type ErrorFacts, errorFacts, WAIT_MAX_MS } from './error-facts.js'
import { quotable } from './quotable.js'

// Bound: 2,000, words of a provider, cut in error-facts.ts.

export interface ProviderAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed JSON, or undefined. */
  readonly body: unknown
}

const QUOTA_WORDS =
  /^(insufficient_quota|billing_hard_limit_reached|billing_not_active|billing_error|enforced_spend_limit_reached|access_terminated)$/
const NO_MONEY = /credit balance is too low|insufficient balance|insufficient credits|spending limit|spend limit/i
const TOO_LONG_WORDS = /^(context_length_exceeded|exceed_context_size_error|request_too_large|string_above_max_length)$/
const TOO_LONG =
  /maximum context length|prompt is too long|input token count .{0,40}exceeds|exceeds? the (model's )?(maximum )?context|context (window|size) .{0,40}exceed/i
const BLOCKED_WORDS = /^(content_filter|content_policy_violation|responsibleaipolicyviolation|data_inspection_failed)$/
const KEY_WORDS =
  /^(api_key_invalid|invalid_api_key|authentication_error|permission_error|permission_denied|unauthenticated)$/

const SENTENCES: Readonly<Record<ModelErrorKind, string>> = {
  temporary: 'The provider cannot answer now.',
  refused: 'The provider refuses the request.',
  key: 'The provider refuses the key, or the key may not use this model.',
  quota: 'The account at the provider has no quota or no money left.',
  too_long: 'The messages are too long for this model.',
  blocked: 'The provider refuses the content.',
  address: 'The base URL is not allowed.',
}

/**
 * Returns the error that an answer means, or undefined if it means none.
 * @param privateTexts Texts that must not be in the message: prompts, and the key.
 */
export function classify(
  provider: Provider,
  answer: ProviderAnswer,
  privateTexts: readonly string[],
): ModelError | undefined {
  const facts = errorFacts(answer.body)
  if (answer.status >= 300 && answer.status <= 399)
    return new ModelError('address', 'The base URL leads to another address. Redirects are not followed.', answer)
  if (answer.status < 400 && facts === undefined) return undefined
  const status = answer.status < 400 ? (facts?.status ?? 502) : answer.status
  const kind = kindOf(provider, status, facts, shouldRetry(answer))
  // The words of a refused key often hold parts of it.
  const said = kind === 'key' || facts === undefined ? '' : quotable(facts.message, privateTexts)
  return new ModelError(
    kind,
    said === '' ? `${SENTENCES[kind]} (HTTP ${status})` : `${SENTENCES[kind]} It says: ${said}`,
    {
      status,
      retryAfterMs: facts?.retryAfterMs ?? waitMs(answer.headers),
    },
  )
}

function kindOf(
  provider: Provider,
  status: number,
  facts: ErrorFacts | undefined,
  isRetryable: boolean | undefined,
): ModelErrorKind {
  const words = facts?.words ?? []
  const message = facts?.message ?? ''
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word))
  if (status === 402 || has(QUOTA_WORDS)) return 'quota'
  if (status < 500 && NO_MONEY.test(message)) return 'quota'
  if (status === 401 || has(KEY_WORDS)) return 'key'
  if (status < 500 && (has(TOO_LONG_WORDS) || TOO_LONG.test(message))) return 'too_long'
  if (status < 500 && has(BLOCKED_WORDS)) return 'blocked'
  if (isRetryable !== undefined) return isRetryable ? 'temporary' : 'refused'
  if (status === 403) return provider === 'custom' || provider === 'gemini' || provider === 'openai' ? 'key' : 'refused'
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) return 'temporary'
  return 'refused'
}

function shouldRetry({ headers }: ProviderAnswer): boolean | undefined {
  const value = textOf(headers['x-should-retry'])
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** Reads `retry-after-ms`, then `retry-after` in seconds or as a date. */
function waitMs(headers: ProviderAnswer['headers']): number | null {
  const millis = Number.parseFloat(textOf(headers['retry-after-ms']))
  if (millis >= 0) return Math.min(WAIT_MAX_MS, Math.ceil(millis))
  const after = textOf(headers['retry-after']).trim()
  if (after === '') return null
  const seconds = Number(after)
  const waited = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000
  return Number.isFinite(waited) ? Math.min(WAIT_MAX_MS, Math.max(0, Math.ceil(waited))) : null
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? (header[0] ?? '') : (header ?? '')
}
