import { GatewayError } from '../../schemas/errors.js'

/**
 * Waits for an answer of the network. A request that was neither answered nor surely refused may have been carried out.
 * @throws GatewayError OUTCOME_UNKNOWN then, and the errors of `work`
 */
export async function orUnknown<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof GatewayError ? error : new GatewayError('OUTCOME_UNKNOWN', { cause: error })
  }
}
