import type { Group, InviteInfoRequest } from '../../../schemas/generated.js'
import { parseInviteCode } from '../../../schemas/invite-code.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupOf } from './record.js'

export const tellInvitation = instanceRoute<InviteInfoRequest>({
  method: 'POST',
  path: '/group/inviteInfo',
  name: 'tellInvitation',
  area: 'Group',
  scope: 'token',
  summary: 'Show the group of an invitation',
  schema: 'group/invite-info.json',
  errors: ['INVALID_INVITE', ...groupErrors],
  async handle({ instance, body }, { ports }): Promise<Group> {
    const code = parseInviteCode(body.invitecode)
    return groupOf(await ports.router.ask(instance.id, { type: 'inviteInfo', code }), instance.owner)
  },
})
