import type { SetCallSettingsRequest, ShowCallSettingsReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const setCallSettings = instanceRoute<SetCallSettingsRequest>({
  method: 'POST',
  path: '/instance/callsettings',
  name: 'setCallSettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose the calls that the gateway rejects by itself',
  schema: 'instance/set-call-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body: { people, groups } }, { ports }): Promise<ShowCallSettingsReply> {
    return await ports.router.ask(instance.id, {
      type: 'setCallSettings',
      ...(people === undefined ? {} : { people }),
      ...(groups === undefined ? {} : { groups }),
    })
  },
})
