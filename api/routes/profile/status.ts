import type { SetProfileStatusReply, SetProfileStatusRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'

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
