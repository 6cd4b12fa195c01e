import type { SendGroupInviteReply, SendGroupInviteRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseAddress } from '../../../schemas/jid.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { GroupInviteContent, TextContent } from '../../../schemas/send-content.js'
import type { ApiPorts } from '../../ports.js'
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
    if (body.code !== undefined || body.expiration !== undefined)
      return sendReply(await askSend(call, await cardOf(call, ports), ports))
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

/** @throws GatewayError INVALID_REQUEST, INVALID_NUMBER, GROUP_NOT_FOUND */
async function cardOf(
  { instance, body }: { readonly instance: Pick<InstanceRow, 'id'>; readonly body: SendGroupInviteRequest },
  { router }: Pick<ApiPorts, 'router'>,
): Promise<GroupInviteContent> {
  const { code, expiration, text } = body
  if (code === undefined) throw invalidField('code', 'is required with expiration')
  if (expiration === undefined) throw invalidField('expiration', 'is required with code')
  if (parseAddress(body.number, 'number').group !== undefined)
    throw invalidField('number', 'must be a person: the code is for one person alone')
  const expiresSeconds = Math.floor(Date.parse(expiration) / 1000)
  const asked = {
    type: 'groupInfo',
    group: groupJid(body.groupjid),
    isFresh: false,
    withInvite: false,
    withRequests: false,
  } as const
  const { group } = await router.ask(instance.id, asked)
  return {
    kind: 'groupInvite',
    ...{ group: group.jid, groupName: group.name, code, expiresSeconds },
    ...(text === undefined || text === '' ? {} : { text }),
  }
}
