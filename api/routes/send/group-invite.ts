import type { SendGroupInviteReply, SendGroupInviteRequest } from '../../../schemas/generated.js'
import type { TextContent } from '../../../schemas/send-content.js'
import { instanceRoute } from '../../route.js'
import { groupJid, inviteLink } from '../group/record.js'
import { askSend } from './ask.js'
import { checkAddresses, sendErrors } from './options.js'
import { sendReply } from './reply.js'

export const sendGroupInvite = instanceRoute<SendGroupInviteRequest>({
  method: 'POST',
  path: '/send/group-invite',
  name: 'sendGroupInvite',
  area: 'Send',
  scope: 'token',
  summary: 'Send the invitation of a group, for its admins',
  schema: 'send/group-invite.json',
  idempotent: true,
  errors: [...sendErrors, 'NOT_GROUP_ADMIN', 'NETWORK_REFUSED'],
  async handle(call, { ports }): Promise<SendGroupInviteReply> {
    const { instance, body } = call
    checkAddresses(body)
    const asked = { type: 'inviteCode', group: groupJid(body.groupjid), isReset: false } as const
    const { inviteCode, group } = await ports.router.ask(instance.id, asked)
    const url = inviteLink(inviteCode)
    const content: TextContent = {
      kind: 'text',
      text: body.text ? `${body.text}\n\n${url}` : url,
      linkPreview: { url, title: group.name || url },
    }
    return sendReply(await askSend(call, content, ports))
  },
})
