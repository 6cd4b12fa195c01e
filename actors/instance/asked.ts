import { GatewayError } from '../../schemas/errors.js'

/** What was asked of the network, and neither answered nor surely failed, may have happened. @throws GatewayError */
export async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof GatewayError ? error : new GatewayError('OUTCOME_UNKNOWN', { cause: error })
  }
}
