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

const NO_FACTS: ErrorFacts = { message: '', words: [], param: '', status: null, retryAfterMs: null }

/** Returns the facts of a parsed body, or undefined if it tells of no error. */
export function errorFacts(body: unknown): ErrorFacts | undefined {
  const first = Array.isArray(body) ? body[0] : body
  if (!isObject(first)) return undefined
  const { error } = first
  if (typeof error === 'string') return { ...NO_FACTS, message: error }
  if (isObject(error)) return factsOf(error)
  if (first.object === 'error' || first.type === 'error') return factsOf(first)
  // FastAPI, which many local servers are made with.
  if (typeof first.detail === 'string') return { ...NO_FACTS, message: first.detail }
  return undefined
}

function factsOf(error: Json): ErrorFacts {
  const details = Array.isArray(error.details)
    ? error.details.filter(isObject)
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
    message: typeof error.message === 'string' ? error.message : '',
    words: words.filter((word) => typeof word === 'string').map((word) => word.toLowerCase()),
    param: typeof error.param === 'string' ? error.param : '',
    status: Number.isInteger(status) && status >= 400 && status <= 599 ? status : null,
    retryAfterMs: retryInfoMs(details),
  }
}

/** Reads `{"@type": "…RetryInfo", "retryDelay": "34.4s"}`. */
function retryInfoMs(details: readonly Json[]): number | null {
  const info = details.find((detail) => String(detail['@type']).endsWith('RetryInfo'))
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(info?.retryDelay))?.[1]
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
