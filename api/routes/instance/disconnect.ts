import type { DisconnectReply, DisconnectRequest } from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

export const disconnectInstance = instanceRoute<DisconnectRequest>({
  method: 'POST',
  path: '/instance/disconnect',
  name: 'disconnectInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'End the session of the instance; it must be paired again to connect',
  schema: 'instance/disconnect.json',
  errors: ['INSTANCE_EXPORTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports, options }): Promise<DisconnectReply> {
    await ports.instances.setDesired(instance.id, false)
    const live = await ports.router.ask(instance.id, { type: 'disconnect' })
    const row = (await ports.instances.byId(instance.id)) ?? instance
    return {
      instance: await instanceRecord(row, options, live),
      response: 'Disconnected',
      info: 'The session has ended. POST /instance/connect pairs the instance again.',
    }
  },
})
