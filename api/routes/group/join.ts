import { GatewayError } from '../../../schemas/errors.js'
import type { JoinGroupReply, JoinGroupRequest } from '../../../schemas/generated.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parseInviteCode } from '../../../schemas/invite-code.js'
import { isGroupJid } from '../../../schemas/jid.js'
import type { ApiPorts } from '../../ports.js'
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
  errors: ['INVALID_INVITE', 'MESSAGE_NOT_FOUND', ...groupErrors],
  async handle({ instance, body }, { ports }): Promise<JoinGroupReply> {
    if ((body.inviteCode === undefined) === (body.messageid === undefined))
      throw invalidField('inviteCode', 'is required, or messageid, and not both')
    const invitation =
      body.messageid === undefined
        ? { code: parseInviteCode(body.inviteCode ?? '') }
        : await sentInvitation(body.messageid, instance.id, ports)
    const { group, isPending } = await ports.router.ask(instance.id, { type: 'joinGroup', ...invitation })
    return {
      response: isPending ? 'Join request sent to the admins' : 'Group join successful',
      group: groupOf(group, instance.owner),
      needs_refresh: isPending,
    }
  },
})

/**
 * Reads the invitation of a stored message.
 * @throws GatewayError MESSAGE_NOT_FOUND; INVALID_REQUEST for a message that invites nobody
 */
async function sentInvitation(messageid: string, instance: InstanceId, { messages }: Pick<ApiPorts, 'messages'>) {
  const id = messageid.slice(messageid.lastIndexOf(':') + 1)
  const [message] = (await messages.find(instance, { id, limit: 1, offset: 0 })).messages
  if (message === undefined) throw new GatewayError('MESSAGE_NOT_FOUND')
  const { groupJid, inviteCode, inviteExpiration } = (message.content ?? {}) as Record<string, unknown>
  const isInvitation = typeof groupJid === 'string' && isGroupJid(groupJid) && typeof inviteCode === 'string'
  if (!isInvitation || inviteCode === '' || message.fromMe)
    throw invalidField('messageid', 'must be the id of a received message with an invitation to a group')
  const admin = (message.sender_lid || message.sender) as Jid
  const expiresSeconds = Number(inviteExpiration)
  const sent = { group: groupJid as Jid, expiresSeconds: Number.isFinite(expiresSeconds) ? expiresSeconds : 0, admin }
  return { code: inviteCode, sent }
}
