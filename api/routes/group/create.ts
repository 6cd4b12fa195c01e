import type { CreateGroupRequest, Group } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupOf } from './record.js'

export const createGroup = instanceRoute<CreateGroupRequest>({
  method: 'POST',
  path: '/group/create',
  name: 'createGroup',
  area: 'Group',
  scope: 'token',
  summary: 'Create a group',
  schema: 'group/create.json',
  idempotent: 'kept',
  errors: ['NOT_ON_NETWORK', ...groupErrors],
  async handle({ instance, body: { name, participants } }, { ports }): Promise<Group> {
    const asked = { type: 'createGroup', name: name.trim(), numbers: participants } as const
    return groupOf(await ports.router.ask(instance.id, asked), instance.owner)
  },
})
