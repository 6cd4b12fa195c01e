import type { ShowPrivacyReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const showPrivacy = instanceRoute({
  method: 'GET',
  path: '/instance/privacy',
  name: 'showPrivacy',
  area: 'Instance',
  scope: 'token',
  summary: 'Show the privacy settings of the account',
  schema: 'instance/privacy.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NETWORK_REFUSED', 'OUTCOME_UNKNOWN'],
  async handle({ instance }, { ports }): Promise<ShowPrivacyReply> {
    const { settings, disappearingSeconds } = await ports.router.ask(instance.id, { type: 'showPrivacy' })
    return { ...settings, disappearing: disappearingSeconds }
  },
})
