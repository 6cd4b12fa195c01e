import { errorRetries } from './generated.js'

/** Next step after an error: none, retry later, retry safely, or check first whether it happened. */
export type Retry = 'never' | 'later' | 'safe' | 'check'

interface ErrorParts {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly body?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * A call that failed.
 *
 * Besides the codes of the gateway (its `docs/reference/errors.md`) there are `NO_ANSWER` (status 0: no connection, no answer in time, or an answer cut off)
 * and `NOT_POSTHORN` (the answer is not one of the gateway; a proxy on the way may have written it).
 */
export class PosthornError extends Error {
  override readonly name = 'PosthornError'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** Code of the error, stable across versions. */
  readonly code: string
  /** Next step. An unknown code of a newer gateway counts as `check`. */
  readonly retry: Retry
  /** For `INVALID_REQUEST`: fields and reasons. */
  readonly details: unknown
  /** Id of the request in the logs of the gateway. */
  readonly requestId: string | undefined
  /** Time to wait before a retry, if the gateway named one. */
  readonly retryAfterMs: number | undefined
  /** Other fields of the answer, such as `provider_code`. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(parts: ErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.status = parts.status
    this.code = parts.code
    const known = (errorRetries as Readonly<Record<string, Retry | undefined>>)[parts.code]
    const isRefused = (parts.status >= 400 && parts.status < 500) || isPermanentRedirect(parts.status)
    this.retry = known ?? (isRefused ? 'never' : 'check')
    this.details = parts.details
    this.requestId = parts.requestId
    this.retryAfterMs = parts.retryAfterMs
    this.body = parts.body ?? {}
  }
}

/** Reads the error of an answer that is not a success. */
export function createError(response: Response, text: string): PosthornError {
  const { status, headers } = response
  const common = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  }
  const body = readObject(text)
  if (typeof body?.code !== 'string' || typeof body.error !== 'string')
    return new PosthornError({ ...common, code: 'NOT_POSTHORN', message: strangeAnswer(response) })
  return new PosthornError({ ...common, code: body.code, message: body.error, details: body.details, body })
}

/** Tells whether the address has moved for good, as from http to https. */
export function isPermanentRedirect(status: number): boolean {
  return status === 301 || status === 308
}

function strangeAnswer({ status, type, headers }: Response): string {
  // Browsers hide status and target of a redirect.
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400)
  if (!isRedirect) return `Status ${status} without an error of ours.`
  const target = headers.get('location')?.slice(0, 200)
  return `The answer is a redirect${target === undefined ? '' : ` to ${target}`}, which is not followed: give the address of the gateway itself.`
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Seconds, as the gateway writes it, or a date, as a proxy may. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
