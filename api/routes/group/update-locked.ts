import type { UpdateLockedReply, UpdateLockedRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateLocked = instanceRoute<UpdateLockedRequest>({
  method: 'POST',
  path: '/group/updateLocked',
  name: 'updateLocked',
  area: 'Group',
  scope: 'token',
  summary: 'Allow only admins, or all members, to change a group',
  schema: 'group/update-locked.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, locked } }, { ports }): Promise<UpdateLockedReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'locked', isSet: locked },
    })
    return {
      response: locked ? 'Only admins may change the group now' : 'All members may change the group now',
      ...groupAfter(changed, instance.owner),
    }
  },
})
