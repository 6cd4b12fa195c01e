import type { JoinGroupReply, JoinGroupRequest } from '../../../schemas/generated.js'
import { parseInviteCode } from '../../../schemas/invite-code.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupOf } from './record.js'

export const joinGroup = instanceRoute<JoinGroupRequest>({
  method: 'POST',
  path: '/group/join',
  name: 'joinGroup',
  area: 'Group',
  scope: 'token',
  summary: 'Join a group by an invitation',
  schema: 'group/join.json',
  errors: ['INVALID_INVITE', ...groupErrors],
  async handle({ instance, body }, { ports }): Promise<JoinGroupReply> {
    const code = parseInviteCode(body.inviteCode)
    const { group, isPending } = await ports.router.ask(instance.id, { type: 'joinGroup', code })
    return {
      response: isPending ? 'Join request sent to the admins' : 'Group join successful',
      group: groupOf(group, instance.owner),
      needs_refresh: isPending,
    }
  },
})
