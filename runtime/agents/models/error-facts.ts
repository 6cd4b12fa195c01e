// Bound: 100, a word of a provider.

/** Reads the bodies of errors, in the forms of all providers. */

export interface ErrorFacts {
  readonly message: string
  /** Words that name the error: code, type, status, reasons. Lower case. */
  readonly words: readonly string[]
  /** The parameter that is refused, if the provider names one. */
  readonly param: string
  /** An HTTP status in the body: of OpenRouter, which answers 200. */
  readonly status: number | null
  /** `RetryInfo` of Gemini. */
  readonly retryAfterMs: number | null
}

type Json = Readonly<Record<string, unknown>>

/** Maximum length of a message that is read. A provider that a tenant names may send megabytes, and patterns run over it. */
const MESSAGE_MAX = 2_000
/** Maximum length of one word, and of a parameter's name. */
const WORD_MAX = 100
/** Maximum number of details that are read. */
const DETAILS_MAX = 20

/** The parts of an answer that are read here, for answers of which only parts are kept. */
export const ERROR_KEPT = {
  error: { message: true, code: true, type: true, status: true, param: true },
  object: true,
  type: true,
  detail: true,
} as const

/** Longest wait that counts. A longer one is a mistake or a quota of a month, and a timer for more than 24 days ends at once. */
export const WAIT_MAX_MS = 24 * 60 * 60_000
const NO_FACTS: ErrorFacts = { message: '', words: [], param: '', status: null, retryAfterMs: null }

/** Returns the facts of a parsed body, or undefined if it tells of no error. */
export function errorFacts(body: unknown): ErrorFacts | undefined {
  const first = Array.isArray(body) ? body[0] : body
  if (!isObject(first)) return undefined
  const { error } = first
  if (typeof error === 'string') return { ...NO_FACTS, message: shortened(error, MESSAGE_MAX) }
  if (isObject(error)) return readErrorFacts(error)
  if (first.object === 'error' || first.type === 'error') return readErrorFacts(first)
  // FastAPI, which many local servers are made with.
  if (typeof first.detail === 'string') return { ...NO_FACTS, message: shortened(first.detail, MESSAGE_MAX) }
  return undefined
}

function readErrorFacts(error: Json): ErrorFacts {
  const details = Array.isArray(error.details)
    ? error.details.slice(0, DETAILS_MAX).filter(isObject)
    : isObject(error.details)
      ? [error.details]
      : []
  const words = [
    error.code,
    error.type,
    error.status,
    ...details.flatMap(({ reason, error_code }) => [reason, error_code]),
  ]
  const status = Number(error.code)
  return {
    message: shortened(error.message, MESSAGE_MAX),
    words: words.map((word) => shortened(word, WORD_MAX).toLowerCase()).filter((word) => word !== ''),
    param: shortened(error.param, WORD_MAX),
    status: Number.isInteger(status) && status >= 400 && status <= 599 ? status : null,
    retryAfterMs: retryInfoMs(details),
  }
}

/** Reads `{"@type": "…RetryInfo", "retryDelay": "34.4s"}`. */
function retryInfoMs(details: readonly Json[]): number | null {
  const info = details.find((detail) => shortened(detail['@type'], WORD_MAX).endsWith('RetryInfo'))
  const seconds = /^(\d{1,15}(?:\.\d{1,15})?)s$/.exec(shortened(info?.retryDelay, WORD_MAX))?.[1]
  return seconds === undefined ? null : Math.min(WAIT_MAX_MS, Math.ceil(Number(seconds) * 1000))
}

/** Returns the first characters of a text, and '' for anything else. */
function shortened(value: unknown, max: number): string {
  return typeof value === 'string' ? value.slice(0, max) : ''
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
