import { GatewayError } from '../../../schemas/errors.js'
import type {
  Group,
  InviteInfoRequest,
  InviteLinkReply,
  JoinGroupReply,
  JoinGroupRequest,
  ResetInviteCodeReply,
  ResetInviteCodeRequest,
} from '../../../schemas/generated.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { isGroupJid } from '../../../schemas/jid.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute } from '../../route.js'
import { groupErrors, groupJid, inviteLink, makeGroup } from './record.js'

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
      group: makeGroup(group, instance.owner, inviteCode),
      needs_refresh: false,
    }
  },
})

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
    return makeGroup(await ports.router.ask(instance.id, { type: 'inviteInfo', code }), instance.owner)
  },
})

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

/**
 * The code of an invitation, alone or at the end of its URL.
 * @throws GatewayError INVALID_INVITE
 */
function parseInviteCode(input: string): string {
  // Bound: 1,048,576, a field of a request.
  const text = input.trim().replace(/^(https?:\/\/)?chat\.whatsapp\.com\/(invite\/)?/i, '')
  // Bound: 5,000, a field of a request.
  const [code = ''] = text.split(/[/?#]/, 1)
  // Bound: 1,048,576, a field of a request.
  if (/^[\w-]{10,50}$/.test(code)) return code
  const why = 'must be a code of 10 to 50 letters and digits, or a URL with one'
  throw new GatewayError('INVALID_INVITE', { details: [{ field: 'inviteCode', why }] })
}

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
      group: makeGroup(group, instance.owner),
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
