import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'

const OF_CONNECTION: ReadonlySet<ErrorCode> = new Set(['INSTANCE_MOVING', 'INSTANCE_NOT_CONNECTED', 'NOT_LOGGED_IN'])

/** Returns true if the error says only that there is no connection now. */
export function isOfConnection(error: unknown): boolean {
  return error instanceof GatewayError && OF_CONNECTION.has(error.code)
}
