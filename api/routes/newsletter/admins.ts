import type { ChannelAdminAction } from '../../../schemas/channel.js'
import type {
  AcceptChannelAdminReply,
  AcceptChannelAdminRequest,
  InviteChannelAdminReply,
  InviteChannelAdminRequest,
  RemoveChannelAdminReply,
  RemoveChannelAdminRequest,
  RevokeChannelInviteReply,
  RevokeChannelInviteRequest,
  TransferChannelReply,
  TransferChannelRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute } from '../../route.js'
import { channelErrors, channelOf } from './channel-of.js'

const adminErrors = [...channelErrors, 'NOT_ON_NETWORK'] as const

export const inviteChannelAdmin = instanceRoute<InviteChannelAdminRequest>({
  method: 'POST',
  path: '/newsletter/admin/invite',
  name: 'inviteChannelAdmin',
  area: 'Channels',
  scope: 'token',
  summary: 'Invite a person to administer a channel',
  schema: 'newsletter/admin-invite.json',
  idempotent: 'kept',
  errors: [...adminErrors, 'SEND_REFUSED'],
  async handle({ instance, body }, { ports }): Promise<InviteChannelAdminReply> {
    const { phone, caption = '' } = body
    const asked = { channel: channelOf(body), phone, caption, messageid: newMessageId() }
    const { expires, messageid } = await ports.router.ask(instance.id, { type: 'inviteChannelAdmin', ...asked })
    return { response: { expires, messageid } }
  },
})

export const acceptChannelAdmin = instanceRoute<AcceptChannelAdminRequest>({
  method: 'POST',
  path: '/newsletter/admin/accept',
  name: 'acceptChannelAdmin',
  area: 'Channels',
  scope: 'token',
  summary: 'Accept an invitation to administer a channel',
  schema: 'newsletter/admin-accept.json',
  errors: channelErrors,
  async handle({ instance, body }, { ports }): Promise<AcceptChannelAdminReply> {
    await ports.router.ask(instance.id, { type: 'actOnChannel', channel: channelOf(body), action: 'acceptAdmin' })
    return { response: 'Invitation accepted' }
  },
})

export const removeChannelAdmin = instanceRoute<RemoveChannelAdminRequest>({
  method: 'POST',
  path: '/newsletter/admin/remove',
  name: 'removeChannelAdmin',
  area: 'Channels',
  scope: 'token',
  summary: 'Remove an administrator of a channel',
  schema: 'newsletter/admin-remove.json',
  errors: adminErrors,
  async handle({ instance, body }, { ports }): Promise<RemoveChannelAdminReply> {
    await actOnAdmin(instance.id, ports, body, 'remove')
    return { response: 'Administrator removed' }
  },
})

export const revokeChannelInvite = instanceRoute<RevokeChannelInviteRequest>({
  method: 'POST',
  path: '/newsletter/admin/revoke',
  name: 'revokeChannelInvite',
  area: 'Channels',
  scope: 'token',
  summary: 'Take back an invitation to administer a channel',
  schema: 'newsletter/admin-revoke.json',
  errors: adminErrors,
  async handle({ instance, body }, { ports }): Promise<RevokeChannelInviteReply> {
    await actOnAdmin(instance.id, ports, body, 'revoke')
    return { response: 'Invitation revoked' }
  },
})

export const transferChannel = instanceRoute<TransferChannelRequest>({
  method: 'POST',
  path: '/newsletter/owner/transfer',
  name: 'transferChannel',
  area: 'Channels',
  scope: 'token',
  summary: 'Make an administrator the owner of a channel',
  schema: 'newsletter/owner-transfer.json',
  errors: adminErrors,
  async handle({ instance, body }, { ports }): Promise<TransferChannelReply> {
    await actOnAdmin(instance.id, ports, body, 'transfer', body.quitAdmin === true)
    return { response: 'Channel transferred' }
  },
})

async function actOnAdmin(
  instance: InstanceId,
  { router }: ApiPorts,
  body: RemoveChannelAdminRequest,
  action: ChannelAdminAction,
  quits = false,
): Promise<void> {
  const asked = { channel: channelOf(body), phone: body.phone, action }
  await router.ask(instance, { type: 'actOnChannelAdmin', ...asked, ...(quits ? { quits } : {}) })
}
