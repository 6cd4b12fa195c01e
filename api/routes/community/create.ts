import type { CreateCommunityReply, CreateCommunityRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupOf } from '../group/record.js'

export const createCommunity = instanceRoute<CreateCommunityRequest>({
  method: 'POST',
  path: '/community/create',
  name: 'createCommunity',
  area: 'Group',
  scope: 'token',
  summary: 'Create a community',
  schema: 'community/create.json',
  idempotent: 'kept',
  errors: groupErrors,
  async handle({ instance, body: { name } }, { ports }): Promise<CreateCommunityReply> {
    const community = await ports.router.ask(instance.id, { type: 'createCommunity', name: name.trim() })
    return { group: groupOf(community, instance.owner), failed: [] }
  },
})
