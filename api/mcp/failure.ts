/** Tells an agent why its call failed, and how to go on. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { errors, type GatewayError, type Retry } from '../../schemas/errors.js'

// Bound: 1,048,576, a body or header of a request.

const ADVICE: Readonly<Record<Retry, string>> = {
  never: 'The same call fails again. Change it, or tell the person.',
  later: 'Nothing was done. The same call may succeed later.',
  safe: 'Nothing was done. Repeat the call.',
  check: 'It may have happened. Look with read_messages before you repeat it.',
}

/** Names of fields of tools, by their names in the API. */
const FIELDS: Readonly<Record<string, string>> = {
  number: 'to',
  replyid: 'reply_to',
  docName: 'file_name',
  listButton: 'list_button',
  chatid: 'chat',
  'Idempotency-Key': 'idempotency_key',
}

export interface Failure {
  readonly code: string
  readonly error: string
  readonly details?: unknown
  readonly retry: Retry
  readonly advice: string
  readonly retry_after_seconds?: number
  /** Finds an error of ours in the logs. */
  readonly request_id?: string
  /** Proof for a repeated call after a person agreed. */
  readonly confirm?: string
}

export function failureOf(error: GatewayError, requestId: string): Failure {
  const { retry } = errors[error.code]
  const { retryAfterSeconds: after } = error
  return {
    code: error.code,
    error: renamed(error.message),
    ...(error.details === undefined ? {} : { details: renamedDetails(error.details) }),
    retry,
    advice: ADVICE[retry],
    ...(after === undefined ? {} : { retry_after_seconds: Math.max(1, Math.ceil(after)) }),
    ...(error.status === 500 ? { request_id: requestId } : {}),
  }
}

export function failedResult(failure: Failure): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(failure) }] }
}

function renamed(message: string): string {
  return message.replace(/^Invalid request: ([\w-]+) /, (all, field: string) =>
    Object.hasOwn(FIELDS, field) ? `Invalid request: ${FIELDS[field]} ` : all,
  )
}

function renamedDetails(details: unknown): unknown {
  if (!Array.isArray(details)) return details
  return details.map((detail: { readonly field?: unknown }) => {
    const field = String(detail.field)
    return Object.hasOwn(FIELDS, field) ? { ...detail, field: FIELDS[field] } : detail
  })
}
