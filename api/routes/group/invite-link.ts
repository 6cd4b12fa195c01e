import type { InviteLinkReply } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid, inviteLink } from './record.js'

export const tellInviteLink = instanceRoute({
  method: 'GET',
  path: '/group/invitelink/:groupJID',
  name: 'tellInviteLink',
  area: 'Group',
  scope: 'token',
  summary: 'Show the invitation of a group, for its admins',
  schema: 'group/invite-link.json',
  errors: groupErrors,
  async handle({ instance, params }, { ports }): Promise<InviteLinkReply> {
    const asked = { type: 'inviteCode', group: groupJid(params.groupJID ?? ''), isReset: false } as const
    return { inviteLink: inviteLink((await ports.router.ask(instance.id, asked)).inviteCode) }
  },
})
