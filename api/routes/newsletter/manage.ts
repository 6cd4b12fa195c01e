import type { ChannelAction, ChannelChange } from '../../../schemas/channel.js'
import type {
  CreateChannelReply,
  CreateChannelRequest,
  FollowChannelReply,
  FollowChannelRequest,
  SetChannelDescriptionReply,
  SetChannelDescriptionRequest,
  SetChannelNameReply,
  SetChannelNameRequest,
  SetChannelPictureReply,
  SetChannelPictureRequest,
  SetChannelSettingsReply,
  SetChannelSettingsRequest,
} from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { ApiPorts } from '../../ports.js'
import { instanceRoute, type Route } from '../../route.js'
import { portraitOf } from '../portrait.js'
import { channelErrors, channelOf, shownChannel } from './channel-of.js'

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
    const jpeg = picture === undefined ? null : await portraitOf(picture, instance.id, ports.linkPreviews, 'picture')
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
    const channel = channelOf(body)
    const picture = (await portraitOf(body.picture, instance.id, ports.linkPreviews, 'picture')) ?? ''
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
    changed(instance.id, ports, { channel: channelOf(body), change: { name: body.name.trim() } }),
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
    changed(instance.id, ports, { channel: channelOf(body), change: { description: body.description } }),
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
    changed(instance.id, ports, { channel: channelOf(body), change: { reactionCodes: body.reactionCodes } }),
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
      await ports.router.ask(instance.id, { type: 'actOnChannel', channel: channelOf(body), action })
      return { response }
    },
  })
}

async function changed(
  instance: InstanceId,
  { router }: ApiPorts,
  asked: { readonly channel: ReturnType<typeof channelOf>; readonly change: ChannelChange },
) {
  return { response: shownChannel(await router.ask(instance, { type: 'changeChannel', ...asked })) }
}
