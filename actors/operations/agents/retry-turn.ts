import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Opens a turn for the messages of one that gave no answer. Needs no connection: the turn waits for one. */
export const retryTurn = operation('retryTurn', {
  // Two turns of one chat are never open, but the first may have ended.
  repeat: false,
  example: { id: 'r0123456789abcd' },
  async run({ sends }: InstanceContext, { id }: { readonly id: string }) {
    if (sends.agentTurns === null) throw new GatewayError('TURN_NOT_FOUND')
    return { id: await sends.agentTurns.retry(id) }
  },
})
