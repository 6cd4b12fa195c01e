import { GatewayError } from '../../../schemas/errors.js'
import type { SetProfileNameReply, SetProfileNameRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'

// Bound: 1,048,576, a body or header of a request.

export const setProfileName = instanceRoute<SetProfileNameRequest>({
  method: 'POST',
  path: '/profile/name',
  name: 'setProfileName',
  area: 'Profile',
  scope: 'token',
  summary: 'Change the name that others see',
  schema: 'profile/name.json',
  errors: changeErrors,
  async handle({ instance, body }, { ports }): Promise<SetProfileNameReply> {
    const name = body.name.trim()
    const { updatedAtMs } = await ports.router.ask(instance.id, { type: 'setProfileName', name }).catch(asNameRefused)
    return { success: true, message: 'Profile name updated', profile: { name, updated_at: updatedAtMs } }
  },
})

/** Replaces the error of the network for a name that it does not take by that of the interface. */
function asNameRefused(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'CHANGE_FAILED') throw error
  const said = String(error.fields.provider_message ?? '')
  const isLimited = /^(429|403|463)\b|rate|limit/i.test(said)
  const message = isLimited ? 'Change limit exceeded or account restricted' : 'Error changing name'
  throw new GatewayError('CHANGE_FAILED', { message, fields: error.fields, cause: error })
}
