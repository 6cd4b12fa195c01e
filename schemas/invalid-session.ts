import { GatewayError } from './errors.js'

/** Returns the error for a part of a session that is missing or wrong. `why` completes the sentence that the part's name begins: `is missing`. */
export function invalidSession(part: string, why: string): GatewayError {
  return new GatewayError('INVALID_SESSION', {
    message: `The session cannot be taken over: ${part} ${why}. Nothing was changed.`,
    details: [{ field: part, why }],
  })
}
