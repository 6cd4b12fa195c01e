import type { BlockReply, BlockRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const blockPerson = instanceRoute<BlockRequest>({
  method: 'POST',
  path: '/chat/block',
  name: 'blockPerson',
  area: 'Chat',
  scope: 'token',
  summary: 'Block a person, or unblock them',
  schema: 'chat/block.json',
  errors: [
    'INVALID_NUMBER',
    'NOT_ON_NETWORK',
    'INSTANCE_NOT_FOUND',
    'INSTANCE_NOT_CONNECTED',
    'INSTANCE_MOVING',
    'CHANGE_FAILED',
    'OUTCOME_UNKNOWN',
  ],
  async handle({ instance, body: { number, block } }, { ports }): Promise<BlockReply> {
    const blocked = await ports.router.ask(instance.id, { type: 'block', number, isBlocked: block })
    return { response: block ? 'Contact blocked' : 'Contact unblocked', blockList: [...blocked] }
  },
})
