import type { Group, GroupInfoRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid, groupOf } from './record.js'

export const tellGroup = instanceRoute<GroupInfoRequest>({
  method: 'POST',
  path: '/group/info',
  name: 'tellGroup',
  area: 'Group',
  scope: 'read',
  keyChat: { chat: 'groupjid' },
  summary: 'Show a group with its members',
  schema: 'group/info.json',
  errors: groupErrors,
  async handle({ instance, key, body, warnings }, { ports }): Promise<Group> {
    const { groupjid, getInviteLink = false, getRequestsParticipants: withRequests = false } = body
    // Everyone with the link can join, so a key that may only read does not get it.
    if (getInviteLink && key !== null) warnings.push('getInviteLink: needs the token of the instance, ignored')
    const withInvite = getInviteLink && key === null
    const group = groupJid(groupjid)
    const asked = { type: 'groupInfo', group, withInvite, withRequests, isFresh: body.force ?? false } as const
    const told = await ports.router.ask(instance.id, asked)
    return groupOf(told.group, instance.owner, told.inviteCode, told.requests)
  },
})
