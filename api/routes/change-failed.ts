import { GatewayError } from '../../schemas/errors.js'

/** What any change of the account's shared settings may meet. */
export const changeErrors = [
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'KEYS_MISSING',
  'CHANGE_FAILED',
  'OUTCOME_UNKNOWN',
] as const

/** The interface has a text of its own for what the network did not take; what it said stands beside it. */
export function withText(message: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GatewayError) || error.code !== 'CHANGE_FAILED') throw error
    throw new GatewayError('CHANGE_FAILED', { message, fields: error.fields, cause: error })
  }
}
