/** Kinds of failures of a batch, by the error of the statement or of the connection. */
import pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import { isProgramError } from '../../../schemas/program-error.js'

// Ours: codes of PostgreSQL and our own ids.

const LOCK_NOT_AVAILABLE = '55P03'
const QUERY_CANCELED = '57014'

/**
 * Maps the error of a batch of which nothing was written. The caller of an error of the program must not be sent to repair a store that
 * is in order.
 */
export function toStoreError(error: unknown): GatewayError {
  return new GatewayError(isProgramError(error) ? 'INTERNAL' : 'STORE_UNAVAILABLE', { cause: error })
}

/** Returns true when the connection cannot be used, or PostgreSQL takes no statements. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? isOutage(error.code) : isTimeout(error)
}

/** Returns true when the values of the statement are the fault: data exceptions, constraints, limits of the program (an entry too large for an index). */
export function isDataFault(error: unknown): boolean {
  // A value is nested deeper than it can be written as JSON.
  if (error instanceof RangeError) return true
  return error instanceof pg.DatabaseError && error.code !== undefined && /^(22|23|54)/.test(error.code)
}

/** Returns true for serialization failures and deadlocks: a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && /^40/.test(error.code)
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
}

/** Returns true for the lock timeout and the statement timeout. */
export function isDelay(error: unknown): boolean {
  return isLockTimeout(error) || (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED)
}

/**
 * Returns true when the statement is not at fault: connection exceptions, resources exhausted (a full disk), an operator's stop, a
 * read-only standby, and a prepared statement that a change of the schema made invalid (the next connection prepares it again).
 */
function isOutage(code: string | undefined): boolean {
  if (code === QUERY_CANCELED) return false
  return code !== undefined && (/^(08|53|57|58)/.test(code) || ['25006', '0A000', '26000', 'XX000'].includes(code))
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout|Connection terminated|ECONN|EPIPE/i.test(error.message)
}
