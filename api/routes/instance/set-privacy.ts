import type { SetPrivacyRequest, ShowPrivacyReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { changeErrors } from '../change-failed.js'

export const setPrivacy = instanceRoute<SetPrivacyRequest>({
  method: 'POST',
  path: '/instance/privacy',
  name: 'setPrivacy',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Change privacy settings of the account',
  schema: 'instance/set-privacy.json',
  errors: [...changeErrors, 'NETWORK_REFUSED'],
  async handle({ instance, body }, { ports }): Promise<ShowPrivacyReply> {
    const { disappearing, ...settings } = body
    const changed = await ports.router.ask(instance.id, {
      type: 'setPrivacy',
      settings,
      ...(disappearing === undefined ? {} : { disappearingSeconds: disappearing }),
    })
    return { ...changed.settings, disappearing: changed.disappearingSeconds }
  },
})
