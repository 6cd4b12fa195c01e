import type { BlocklistReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'

export const listBlocked = instanceRoute({
  method: 'GET',
  path: '/chat/blocklist',
  name: 'listBlocked',
  area: 'Chat',
  scope: 'read',
  summary: 'List the blocked people',
  schema: 'chat/blocklist.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING'],
  async handle({ instance }, { ports }): Promise<BlocklistReply> {
    return { blockList: [...(await ports.router.ask(instance.id, { type: 'blocklist' }))] }
  },
})
