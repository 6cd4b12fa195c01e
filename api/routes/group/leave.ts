import type { LeaveGroupReply, LeaveGroupRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid } from './record.js'

export const leaveGroup = instanceRoute<LeaveGroupRequest>({
  method: 'POST',
  path: '/group/leave',
  name: 'leaveGroup',
  area: 'Group',
  scope: 'token',
  summary: 'Leave a group',
  schema: 'group/leave.json',
  errors: groupErrors,
  async handle({ instance, body }, { ports }): Promise<LeaveGroupReply> {
    await ports.router.ask(instance.id, { type: 'leaveGroup', group: groupJid(body.groupjid) })
    return { response: 'Group left' }
  },
})
