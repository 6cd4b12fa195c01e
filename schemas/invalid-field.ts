import { GatewayError } from './errors.js'

/** Returns the error for one wrong field. `why` completes the sentence that the field's name begins: `must be a URL`. */
export function invalidField(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${field} ${why}.`,
    details: [{ field, why }],
  })
}
