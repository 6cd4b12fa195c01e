import type { SetProfileImageReply, SetProfileImageRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'
import { portraitOf } from '../portrait.js'

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
    const jpeg = await portraitOf(image, instance.id, ports.linkPreviews)
    const { updatedAtMs } = await ports.router.ask(instance.id, { type: 'setProfileImage', jpeg })
    const isRemoved = jpeg === null
    const message = isRemoved ? 'Profile image removed' : 'Profile image updated'
    const profile = { image_updated: !isRemoved, image_removed: isRemoved, updated_at: updatedAtMs }
    return { success: true, message, profile }
  },
})
