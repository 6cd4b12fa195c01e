/** Requests to providers over the guarded client: bounded, not repeated, and with all failures as ModelError. */
import { type ModelAddress, ModelError, type ModelErrorKind, type Provider } from '../../../schemas/agents/models.js'
import type { Outgoing } from '../../outgoing/client.js'
import type { JsonUse } from '../../outgoing/json/json-use.js'
import { type ErrorFacts, errorFacts, WAIT_MAX_MS } from './error-facts.js'

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
// Bound: 200, a word for a failure.
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

/** Makes a ModelError of a provider's answer. */
interface ProviderAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed JSON, or undefined. */
  readonly body: unknown
}

// Bound: 2,000, words of a provider, cut in error-facts.ts.
const QUOTA_WORDS =
  /^(insufficient_quota|billing_hard_limit_reached|billing_not_active|billing_error|enforced_spend_limit_reached|access_terminated)$/
// Bound: 2,000, words of a provider, cut in error-facts.ts.
const NO_MONEY = /credit balance is too low|insufficient balance|insufficient credits|spending limit|spend limit/i
// Bound: 2,000, words of a provider, cut in error-facts.ts.
const TOO_LONG_WORDS = /^(context_length_exceeded|exceed_context_size_error|request_too_large|string_above_max_length)$/
// Bound: 2,000, words of a provider, cut in error-facts.ts.
const TOO_LONG =
  /maximum context length|prompt is too long|input token count .{0,40}exceeds|exceeds? the (model's )?(maximum )?context|context (window|size) .{0,40}exceed/i
// Bound: 2,000, words of a provider, cut in error-facts.ts.
const BLOCKED_WORDS = /^(content_filter|content_policy_violation|responsibleaipolicyviolation|data_inspection_failed)$/
// Bound: 2,000, words of a provider, cut in error-facts.ts.
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
  const kind = classifyFailure(provider, status, facts, shouldRetry(answer))
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

function classifyFailure(
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
  const value = readHeader(headers['x-should-retry'])
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** Reads `retry-after-ms`, then `retry-after` in seconds or as a date. */
function waitMs(headers: ProviderAnswer['headers']): number | null {
  const millis = Number.parseFloat(readHeader(headers['retry-after-ms']))
  if (millis >= 0) return Math.min(WAIT_MAX_MS, Math.ceil(millis))
  const after = readHeader(headers['retry-after']).trim()
  if (after === '') return null
  const seconds = Number(after)
  const waited = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000
  return Number.isFinite(waited) ? Math.min(WAIT_MAX_MS, Math.max(0, Math.ceil(waited))) : null
}

function readHeader(header: string | string[] | undefined): string {
  return Array.isArray(header) ? (header[0] ?? '') : (header ?? '')
}

const LENGTH_MAX = 300
/** Number of characters of a private text that count as a quotation of it. */
const RUN_LENGTH = 16
/** Length of the pieces by which runs are found: each run holds a whole piece that begins at a multiple of this length. */
const PIECE_LENGTH = RUN_LENGTH / 2
/** Maximum length of all private texts that are searched. If there is more, nothing is quoted. */
const PRIVATE_MAX = 1_048_576
/** Maximum number of quotations and of pieces in common that are looked at. If there are more, the line counts as a quotation. */
const QUOTATIONS_MAX = 6
const COMMON_MAX = 10_000
// Bound: 2,000, words of a provider, cut in error-facts.ts.
const QUOTED = /["'`“”‘’«»]([^"'`“”‘’«»]{4,})["'`“”‘’«»]/g
// Bound: 2,000, words of a provider, cut in error-facts.ts.
const LOOKS_SECRET = /[A-Za-z0-9_\-*.]{24,}/g
/** Such as `max_completion_tokens.details`. */
// Bound: 2,000, words of a provider, cut in error-facts.ts.
const IS_NAME = /^[a-z]{1,15}([_.-][a-z]{1,15})*$/

/**
 * Returns what a provider says about an error, on one line and cut, or '' if it quotes a private text. Long words without spaces are
 * replaced, since they may be keys. The time grows with the length of the private texts, up to 1 MiB, and with nothing else.
 */
export function quotable(message: string, privateTexts: readonly string[]): string {
  // Bound: 2,000, words of a provider, cut in error-facts.ts.
  const line = message
    .slice(0, LENGTH_MAX)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters of others must not reach a log
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  if (line === '' || quotes(line, privateTexts)) return ''
  return line.replace(LOOKS_SECRET, (word) => (IS_NAME.test(word) ? word : '…'))
}

function quotes(line: string, privateTexts: readonly string[]): boolean {
  const texts = privateTexts.filter((text) => text !== '')
  if (texts.reduce((sum, { length }) => sum + length, 0) > PRIVATE_MAX) return true
  if (texts.some((text) => text.length <= RUN_LENGTH && text.length >= 4 && line.includes(text))) return true
  const quotations = [...line.matchAll(QUOTED)].map(([, quoted = '']) => quoted)
  if (quotations.length > QUOTATIONS_MAX) return true
  if (quotations.some((quoted) => texts.some((text) => text.includes(quoted)))) return true
  return hasCommonRun(line, texts)
}

/** Returns whether a run of characters stands in the line and in a text. */
function hasCommonRun(line: string, texts: readonly string[]): boolean {
  const pieces = splitPieces(line)
  let common = 0
  for (const text of texts)
    for (let at = 0; at + PIECE_LENGTH <= text.length; at += PIECE_LENGTH)
      for (const start of pieces.get(text.slice(at, at + PIECE_LENGTH)) ?? []) {
        common += 1
        if (common > COMMON_MAX || commonLength(line, start, text, at) >= RUN_LENGTH) return true
      }
  return false
}

/** Returns each piece of the line with the places at which it begins. */
function splitPieces(line: string): ReadonlyMap<string, readonly number[]> {
  const pieces = new Map<string, number[]>()
  for (let start = 0; start + PIECE_LENGTH <= line.length; start += 1) {
    const piece = line.slice(start, start + PIECE_LENGTH)
    const known = pieces.get(piece)
    if (known === undefined) pieces.set(piece, [start])
    else known.push(start)
  }
  return pieces
}

/** Returns the length of the equal run around two places, looking no farther than a whole run. */
function commonLength(line: string, start: number, text: string, at: number): number {
  let before = 0
  while (before < RUN_LENGTH && start > before && at > before && line[start - before - 1] === text[at - before - 1])
    before += 1
  let after = 0
  while (after < RUN_LENGTH && start + after < line.length && line[start + after] === text[at + after]) after += 1
  return before + after
}
