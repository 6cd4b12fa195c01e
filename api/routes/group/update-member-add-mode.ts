import type { UpdateMemberAddModeReply, UpdateMemberAddModeRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateMemberAddMode = instanceRoute<UpdateMemberAddModeRequest>({
  method: 'POST',
  path: '/group/updateMemberAddMode',
  name: 'updateMemberAddMode',
  area: 'Group',
  scope: 'token',
  summary: 'Allow only admins, or all members, to add members',
  schema: 'group/update-member-add-mode.json',
  errors: groupErrors,
  async handle({ instance, body: { groupjid, MemberAddMode: mode } }, { ports }): Promise<UpdateMemberAddModeReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'memberAdd', mode },
    })
    return {
      response: mode === 'admin_add' ? 'Only admins may add members now' : 'All members may add members now',
      ...groupAfter(changed, instance.owner),
    }
  },
})
