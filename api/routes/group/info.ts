import type { Group, GroupInfoRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid, groupOf } from './record.js'

export const tellGroup = instanceRoute<GroupInfoRequest>({
  method: 'POST',
  path: '/group/info',
  name: 'tellGroup',
  area: 'Group',
  summary: 'A group, with its members',
  schema: 'group/info.json',
  errors: groupErrors,
  async handle({ instance, body }, { ports }): Promise<Group> {
    const { groupjid, getInviteLink: withInvite = false, getRequestsParticipants: withRequests = false } = body
    const group = groupJid(groupjid)
    const asked = { type: 'groupInfo', group, withInvite, withRequests, isFresh: body.force ?? false } as const
    const told = await ports.router.ask(instance.id, asked)
    return groupOf(told.group, instance.owner, told.inviteCode, told.requests)
  },
})
