import type { ChannelAction, ChannelAdminAction, ChannelChange } from '../../../schemas/channel.js'
import type {
  AcceptChannelAdminReply,
  AcceptChannelAdminRequest,
  CreateChannelReply,
  CreateChannelRequest,
  FollowChannelReply,
  FollowChannelRequest,
  InviteChannelAdminReply,
  InviteChannelAdminRequest,
  RemoveChannelAdminReply,
  RemoveChannelAdminRequest,
  RevokeChannelInviteReply,
  RevokeChannelInviteRequest,
  SetChannelDescriptionReply,
  SetChannelDescriptionRequest,
  SetChannelNameReply,
  SetChannelNameRequest,
  SetChannelPictureReply,
  SetChannelPictureRequest,
  SetChannelSettingsReply,
  SetChannelSettingsRequest,
  TransferChannelReply,
  TransferChannelRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute, type Route } from '../../route.js'
import { makePortrait } from '../portrait.js'
import { channelErrors, readChannelJid, shownChannel } from './channel.js'

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
    const asked = { channel: readChannelJid(body), phone, caption, messageid: newMessageId() }
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
    await ports.router.ask(instance.id, { type: 'actOnChannel', channel: readChannelJid(body), action: 'acceptAdmin' })
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
  const asked = { channel: readChannelJid(body), phone: body.phone, action }
  await router.ask(instance, { type: 'actOnChannelAdmin', ...asked, ...(quits ? { quits } : {}) })
}

const pictureErrors = ['URL_NOT_ALLOWED', 'FETCH_FAILED'] as const

export const createChannel = instanceRoute<CreateChannelRequest>({
  method: 'POST',
  path: '/newsletter/create',
  name: 'createChannel',
  area: 'Channels',
  scope: 'token',
  summary: 'Create a channel',
  schema: 'newsletter/create.json',
  idempotent: 'kept',
  errors: [...channelErrors, ...pictureErrors],
  async handle({ instance, body: { name, description, picture } }, { ports }): Promise<CreateChannelReply> {
    const jpeg = picture === undefined ? null : await makePortrait(picture, instance.id, ports.linkPreviews, 'picture')
    const fields = {
      name: name.trim(),
      ...(description === undefined ? {} : { description }),
      ...(jpeg === null ? {} : { picture: jpeg }),
    }
    return { response: shownChannel(await ports.router.ask(instance.id, { type: 'createChannel', fields })) }
  },
})

export const setChannelPicture = instanceRoute<SetChannelPictureRequest>({
  method: 'POST',
  path: '/newsletter/picture',
  name: 'setChannelPicture',
  area: 'Channels',
  scope: 'token',
  summary: 'Change the picture of a channel',
  schema: 'newsletter/picture.json',
  errors: [...channelErrors, ...pictureErrors],
  async handle({ instance, body }, { ports }): Promise<SetChannelPictureReply> {
    const channel = readChannelJid(body)
    const picture = (await makePortrait(body.picture, instance.id, ports.linkPreviews, 'picture')) ?? ''
    return await changed(instance.id, ports, { channel, change: { picture } })
  },
})

export const setChannelName = instanceRoute<SetChannelNameRequest>({
  method: 'POST',
  path: '/newsletter/name',
  name: 'setChannelName',
  area: 'Channels',
  scope: 'token',
  summary: 'Change the name of a channel',
  schema: 'newsletter/name.json',
  errors: channelErrors,
  handle: ({ instance, body }, { ports }): Promise<SetChannelNameReply> =>
    changed(instance.id, ports, { channel: readChannelJid(body), change: { name: body.name.trim() } }),
})

export const setChannelDescription = instanceRoute<SetChannelDescriptionRequest>({
  method: 'POST',
  path: '/newsletter/description',
  name: 'setChannelDescription',
  area: 'Channels',
  scope: 'token',
  summary: 'Change the description of a channel',
  schema: 'newsletter/description.json',
  errors: channelErrors,
  handle: ({ instance, body }, { ports }): Promise<SetChannelDescriptionReply> =>
    changed(instance.id, ports, { channel: readChannelJid(body), change: { description: body.description } }),
})

export const setChannelSettings = instanceRoute<SetChannelSettingsRequest>({
  method: 'POST',
  path: '/newsletter/settings',
  name: 'setChannelSettings',
  area: 'Channels',
  scope: 'token',
  summary: 'Change with which emojis people may react to posts',
  schema: 'newsletter/settings.json',
  errors: channelErrors,
  handle: ({ instance, body }, { ports }): Promise<SetChannelSettingsReply> =>
    changed(instance.id, ports, { channel: readChannelJid(body), change: { reactionCodes: body.reactionCodes } }),
})

export const followChannel = actionRoute('follow', 'followChannel', 'Follow a channel', 'Channel followed')
export const unfollowChannel = actionRoute(
  'unfollow',
  'unfollowChannel',
  'No longer follow a channel',
  'Channel unfollowed',
)
export const muteChannel = actionRoute('mute', 'muteChannel', 'Mute a channel', 'Channel muted')
export const unmuteChannel = actionRoute('unmute', 'unmuteChannel', 'No longer mute a channel', 'Channel unmuted')
export const deleteChannel = actionRoute('delete', 'deleteChannel', 'Delete a channel for good', 'Channel deleted')

/** Routes that name a channel and nothing else. */
function actionRoute(action: ChannelAction, name: string, summary: string, response: string): Route {
  return instanceRoute<FollowChannelRequest>({
    method: 'POST',
    path: `/newsletter/${action}`,
    name,
    area: 'Channels',
    scope: 'token',
    summary,
    schema: `newsletter/${action}.json`,
    errors: channelErrors,
    async handle({ instance, body }, { ports }): Promise<FollowChannelReply> {
      await ports.router.ask(instance.id, { type: 'actOnChannel', channel: readChannelJid(body), action })
      return { response }
    },
  })
}

async function changed(
  instance: InstanceId,
  { router }: ApiPorts,
  asked: { readonly channel: ReturnType<typeof readChannelJid>; readonly change: ChannelChange },
) {
  return { response: shownChannel(await router.ask(instance, { type: 'changeChannel', ...asked })) }
}
