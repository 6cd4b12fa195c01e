import { GatewayError } from '../../schemas/errors.js'
import { watchFrames } from '../network/port/sent-frames.js'

/**
 * Waits for an answer of the network. A request that was neither answered nor surely refused may have been carried out.
 * @throws GatewayError OUTCOME_UNKNOWN then; NETWORK_REFUSED for a refusal that `work` does not map; INTERNAL if `work` failed before it sent
 * anything; and the errors of `work`
 */
export function orUnknown<T>(work: () => Promise<T>): Promise<T> {
  return watchFrames(work, (error, isSent) => {
    if (error instanceof GatewayError) return error
    if (!isSent) return new GatewayError('INTERNAL', { cause: error })
    const { data: code, message } = error as { data?: unknown; message?: string }
    if (typeof code !== 'number') return new GatewayError('OUTCOME_UNKNOWN', { cause: error })
    const fields = { provider: 'whatsapp', provider_code: code, provider_message: message }
    return new GatewayError('NETWORK_REFUSED', { fields, cause: error })
  })
}
