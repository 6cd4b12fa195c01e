import { GatewayError } from './errors.js'

// Ours: codes of PostgreSQL.

/** undici fails a request in these words when the network is the reason. */
const NETWORK_FAILURES: ReadonlySet<string> = new Set(['fetch failed', 'terminated'])

/**
 * Whether an error says that our program is wrong: an error of the language, a failed assertion, a statement that PostgreSQL does not
 * understand. A retry meets the same error, and no store, network or caller is to blame.
 */
export function isProgramError(error: unknown): boolean {
  if (error instanceof GatewayError) return error.code === 'INTERNAL'
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  // Class 42 of PostgreSQL is a wrong statement; 42501 of it is a permission that the operator has not given.
  if (code === 'ERR_ASSERTION' || (typeof code === 'string' && /^42(?!501)...$/.test(code))) return true
  if (error instanceof TypeError) return !NETWORK_FAILURES.has(error.message)
  return [ReferenceError, RangeError, SyntaxError, EvalError, URIError].some((kind) => error instanceof kind)
}
