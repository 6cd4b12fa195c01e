/** A call that failed, as the gateway or the network told it. */
export class Problem extends Error {
  /** Code of `docs/reference/errors.md`; `OFFLINE` if no answer came. */
  readonly code: string
  /** HTTP status; 0 if no answer came. */
  readonly status: number
  readonly requestId: string | undefined
  /** Reason for each field that does not fit. */
  readonly fields: Readonly<Record<string, string>>

  constructor(code: string, status: number, message: string, requestId?: string, details?: unknown) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.requestId = requestId
    this.fields = readFields(details)
  }
}

/** Reads the answer to a failed call. Something between us and the gateway may have written it, so that any body is possible. */
export async function readProblem(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body: unknown = await response.json().catch(() => null)
  const { code, error, details } = isObject(body) ? body : {}
  return new Problem(
    typeof code === 'string' ? code : `HTTP_${response.status}`,
    response.status,
    typeof error === 'string' ? error : `${response.status} ${response.statusText}`.trim(),
    requestId,
    details,
  )
}

/** Returns true for errors that another try does not mend. */
export function isFinal(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readFields(details: unknown): Record<string, string> {
  if (!Array.isArray(details)) return {}
  const pairs = details.flatMap((one: unknown) =>
    isObject(one) && typeof one.field === 'string' && typeof one.why === 'string'
      ? [[one.field, one.why] as const]
      : [],
  )
  return Object.fromEntries(pairs)
}
