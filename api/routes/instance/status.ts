import type { StatusReply } from '../../../schemas/generated.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'

export const showStatus = instanceRoute({
  method: 'GET',
  path: '/instance/status',
  name: 'showStatus',
  area: 'Instance',
  summary: 'Tell how the instance is, with its QR or pairing code while pairing',
  schema: 'instance/status.json',
  errors: ['INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports, options }): Promise<StatusReply> {
    const live = await ports.router.ask(instance.id, { type: 'status' })
    const { connected, loggedIn, jid } = live
    return { instance: await instanceRecord(instance, options, live), status: { connected, loggedIn, jid } }
  },
})
