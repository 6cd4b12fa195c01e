import { isObject } from '../lib/is-object.js'
import { GatewayError } from './errors.js'

/** Returns the error for one wrong field. `why` completes the sentence that the field's name begins: `must be a URL`. */
export function invalidField(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${field} ${why}.`,
    details: [{ field, why }],
  })
}

/** Returns an error of fetching a URL with the field in which the caller sent it. Returns other errors as they are. */
export function inUrlField(field: string, error: unknown): unknown {
  if (!(error instanceof GatewayError) || (error.code !== 'URL_NOT_ALLOWED' && error.code !== 'FETCH_FAILED'))
    return error
  const { code, message, details, fields } = error
  const told = Array.isArray(details) ? details.filter(isObject) : []
  const named = told.length === 0 ? [{ field, why: message }] : told.map((one) => ({ ...one, field }))
  return new GatewayError(code, { message, details: named, fields, cause: error })
}
