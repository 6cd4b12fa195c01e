import type { RetryTurnReply, RetryTurnRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const retryTurn = instanceRoute<RetryTurnRequest>({
  method: 'POST',
  path: '/agent/turns/retry',
  name: 'retryTurn',
  area: 'Agent',
  scope: 'token',
  summary: 'Answer the messages of a turn that gave no answer',
  schema: 'agent/retry-turn.json',
  errors: ['TURN_NOT_FOUND', 'TURN_NOT_RETRYABLE', 'INSTANCE_MOVING'],
  async handle({ instance, body: { id } }, { ports }): Promise<RetryTurnReply> {
    return await ports.router.ask(instance.id, { type: 'retryTurn', id })
  },
})
