import type { ResetInviteCodeReply, ResetInviteCodeRequest } from '../../../schemas/generated.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid, groupOf, inviteLink } from './record.js'

export const resetInviteCode = instanceRoute<ResetInviteCodeRequest>({
  method: 'POST',
  path: '/group/resetInviteCode',
  name: 'resetInviteCode',
  area: 'Group',
  scope: 'token',
  summary: 'Create a new invitation; the former one ends',
  schema: 'group/reset-invite-code.json',
  errors: groupErrors,
  async handle({ instance, body }, { ports }): Promise<ResetInviteCodeReply> {
    const asked = { type: 'inviteCode', group: groupJid(body.groupjid), isReset: true } as const
    const { inviteCode, group } = await ports.router.ask(instance.id, asked)
    return {
      InviteLink: inviteLink(inviteCode),
      group: groupOf(group, instance.owner, inviteCode),
      needs_refresh: false,
    }
  },
})
