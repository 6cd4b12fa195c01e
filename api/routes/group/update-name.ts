import type { UpdateGroupNameReply, UpdateGroupNameRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateGroupName = instanceRoute<UpdateGroupNameRequest>({
  method: 'POST',
  path: '/group/updateName',
  name: 'updateGroupName',
  area: 'Group',
  scope: 'token',
  summary: 'Change the name of a group',
  schema: 'group/update-name.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, name } }, { ports }): Promise<UpdateGroupNameReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'name', name: name.trim() },
    })
    return { response: 'Group name updated', ...groupAfter(changed, instance.owner) }
  },
})
