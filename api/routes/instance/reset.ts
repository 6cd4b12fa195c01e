import type { ResetReply, ResetRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const resetInstance = instanceRoute<ResetRequest>({
  method: 'POST',
  path: '/instance/reset',
  name: 'resetInstance',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Close the connection and open it again, with the same pairing',
  schema: 'instance/reset.json',
  errors: ['INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'INSTANCE_NOT_FOUND'],
  async handle({ instance }, { ports }): Promise<ResetReply> {
    const live = await ports.router.ask(instance.id, { type: 'reset' })
    return {
      response: 'Reset accepted',
      resetting: live.status === 'connecting',
      instanceId: instance.id,
      queuedRecoveryAttempted: false,
    }
  },
})
