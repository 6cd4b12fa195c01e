import type { ShowCallSettingsReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const showCallSettings = instanceRoute({
  method: 'GET',
  path: '/instance/callsettings',
  name: 'showCallSettings',
  area: 'Instance',
  scope: 'token',
  summary: 'Show the calls that the gateway rejects by itself',
  schema: 'instance/call-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<ShowCallSettingsReply> {
    return await ports.router.ask(instance.id, { type: 'showCallSettings' })
  },
})
