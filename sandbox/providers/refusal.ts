/** A request that a provider refuses, with the status and the words that it really uses, as far as they are known. */
export class Refusal extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

export interface OpenAiErrorFacts {
  readonly type?: string
  readonly param?: string | null
  readonly code?: string | null
}

export function openAiError(
  message: string,
  { type = 'invalid_request_error', param = null, code = null }: OpenAiErrorFacts = {},
) {
  return { error: { message, type, param, code } }
}

export function anthropicError(type: string, message: string, details?: object) {
  return {
    type: 'error',
    error: { type, message, ...(details === undefined ? {} : { details }) },
    request_id: 'req_011CSandbox',
  }
}

export function geminiError(code: number, status: string, message: string, details: readonly object[] = []) {
  return { error: { code, message, status, ...(details.length === 0 ? {} : { details }) } }
}
