import type { UpdateGroupDescriptionReply, UpdateGroupDescriptionRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateGroupDescription = instanceRoute<UpdateGroupDescriptionRequest>({
  method: 'POST',
  path: '/group/updateDescription',
  name: 'updateGroupDescription',
  area: 'Group',
  scope: 'token',
  summary: 'Change the description of a group',
  schema: 'group/update-description.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, description } }, { ports }): Promise<UpdateGroupDescriptionReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'topic', topic: description },
    })
    return { response: 'Group description updated', ...groupAfter(changed, instance.owner) }
  },
})
