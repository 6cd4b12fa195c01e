import { GatewayError } from '../../schemas/errors.js'

/** Error codes of all changes of the account's shared settings. */
export const changeErrors = [
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'KEYS_MISSING',
  'CHANGE_FAILED',
  'OUTCOME_UNKNOWN',
] as const

/** Replaces the text of an error of the network by that of the interface. The network's own words stand beside it. */
export function withText(message: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GatewayError) || error.code !== 'CHANGE_FAILED') throw error
    throw new GatewayError('CHANGE_FAILED', { message, fields: error.fields, cause: error })
  }
}
