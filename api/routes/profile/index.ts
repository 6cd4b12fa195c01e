import { GatewayError } from '../../../schemas/errors.js'
import type {
  SetProfileImageReply,
  SetProfileImageRequest,
  SetProfileNameReply,
  SetProfileNameRequest,
  SetProfileStatusReply,
  SetProfileStatusRequest,
} from '../../../schemas/generated.js'
import { instanceRoute, type Route } from '../../route.js'
import { changeErrors } from '../change-failed.js'
import { makePortrait } from '../portrait.js'

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
  // Bound: 1,048,576, a body or header of a request.
  const isLimited = /^(429|403|463)\b|rate|limit/i.test(said)
  const message = isLimited ? 'Change limit exceeded or account restricted' : 'Error changing name'
  throw new GatewayError('CHANGE_FAILED', { message, fields: error.fields, cause: error })
}

export const setProfileImage = instanceRoute<SetProfileImageRequest>({
  method: 'POST',
  path: '/profile/image',
  name: 'setProfileImage',
  area: 'Profile',
  scope: 'token',
  summary: 'Change the picture that others see',
  schema: 'profile/image.json',
  errors: ['URL_NOT_ALLOWED', 'FETCH_FAILED', ...changeErrors],
  async handle({ instance, body: { image } }, { ports }): Promise<SetProfileImageReply> {
    const jpeg = await makePortrait(image, instance.id, ports.linkPreviews)
    const { updatedAtMs } = await ports.router.ask(instance.id, { type: 'setProfileImage', jpeg })
    const isRemoved = jpeg === null
    const message = isRemoved ? 'Profile image removed' : 'Profile image updated'
    const profile = { image_updated: !isRemoved, image_removed: isRemoved, updated_at: updatedAtMs }
    return { success: true, message, profile }
  },
})

export const setProfileStatus = instanceRoute<SetProfileStatusRequest>({
  method: 'POST',
  path: '/profile/status',
  name: 'setProfileStatus',
  area: 'Profile',
  scope: 'token',
  summary: 'Change the about text that others see',
  schema: 'profile/status.json',
  errors: changeErrors,
  async handle({ instance, body }, { ports }): Promise<SetProfileStatusReply> {
    const text = body.text.trim()
    const { updatedAtMs } = await ports.router.ask(instance.id, { type: 'setProfileStatus', text })
    const message = text === '' ? 'Profile status removed' : 'Profile status updated'
    return { success: true, message, profile: { status: text, updated_at: updatedAtMs } }
  },
})

/** Routes of the area, in the order of the documentation. */
export const profileRoutes: readonly Route[] = [setProfileName, setProfileStatus, setProfileImage]
