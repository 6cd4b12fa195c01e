import { GatewayError } from '../../../schemas/errors.js'

/** Maps a refusal of the network to an error with its code. Throws other errors as they are. */
export function refusedAs(code: 'CHANGE_FAILED' | 'CHANNEL_REFUSED' | 'NETWORK_REFUSED'): (error: unknown) => never {
  return (error) => {
    const { data: provider_code, message: provider_message } = error as { data?: unknown; message?: string }
    if (typeof provider_code !== 'number') throw error
    const message = `WhatsApp refused it (${provider_code}); nothing was changed.`
    const fields = { provider: 'whatsapp', provider_code, provider_message }
    throw new GatewayError(code, { message, fields, cause: error })
  }
}
