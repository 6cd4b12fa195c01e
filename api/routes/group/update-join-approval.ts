import type { UpdateJoinApprovalReply, UpdateJoinApprovalRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupAfter, groupErrors, groupJid } from './record.js'

export const updateJoinApproval = instanceRoute<UpdateJoinApprovalRequest>({
  method: 'POST',
  path: '/group/updateJoinApproval',
  name: 'updateJoinApproval',
  area: 'Group',
  scope: 'token',
  summary: 'Require the approval of an admin to join',
  schema: 'group/update-join-approval.json',
  errors: groupErrors,
  async handle(
    { instance, body: { groupjid, IsJoinApprovalRequired: isSet } },
    { ports },
  ): Promise<UpdateJoinApprovalReply> {
    const changed = await ports.router.ask(instance.id, {
      type: 'changeGroup',
      group: groupJid(groupjid),
      change: { kind: 'approval', isSet },
    })
    return {
      response: isSet ? 'Admins are asked before one comes in now' : 'Whoever has the invitation comes in now',
      ...groupAfter(changed, instance.owner),
    }
  },
})
