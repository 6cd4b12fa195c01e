import type {
  ChannelPost,
  FindChannelReply,
  FindChannelRequest,
  ListChannelPostsReply,
  ListChannelPostsRequest,
  ListChannelsQuery,
  ListChannelsReply,
  ListChannelUpdatesReply,
  ListChannelUpdatesRequest,
  SearchChannelsReply,
  SearchChannelsRequest,
  ShowChannelReply,
  ShowChannelRequest,
} from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { instanceRoute } from '../../route.js'
import { channelOf, channelReadErrors, shownChannel } from './channel-of.js'

// Bound: 300, a link.

/** Maximum of posts, or of channels of a search, when the caller gives none. */
const COUNT = 50

export const listChannels = instanceRoute<undefined, ListChannelsQuery>({
  method: 'GET',
  path: '/newsletter/list',
  name: 'listChannels',
  area: 'Channels',
  scope: 'read',
  summary: 'List the channels that the account owns, administers or follows',
  schema: 'newsletter/list.json',
  errors: channelReadErrors,
  async handle({ instance }, { ports }): Promise<ListChannelsReply> {
    const channels = await ports.router.ask(instance.id, { type: 'listChannels' })
    return { response: channels.map(shownChannel) }
  },
})

export const showChannel = instanceRoute<ShowChannelRequest>({
  method: 'POST',
  path: '/newsletter/info',
  name: 'showChannel',
  area: 'Channels',
  scope: 'read',
  summary: 'Show a channel',
  schema: 'newsletter/info.json',
  errors: channelReadErrors,
  async handle({ instance, body }, { ports }): Promise<ShowChannelReply> {
    const name = { jid: channelOf(body) }
    return { response: shownChannel(await ports.router.ask(instance.id, { type: 'showChannel', name })) }
  },
})

export const findChannel = instanceRoute<FindChannelRequest>({
  method: 'POST',
  path: '/newsletter/link',
  name: 'findChannel',
  area: 'Channels',
  scope: 'read',
  summary: 'Show the channel behind a link',
  schema: 'newsletter/link.json',
  errors: channelReadErrors,
  async handle({ instance, body }, { ports }): Promise<FindChannelReply> {
    const name = { invite: keyOf(body.key) }
    return { response: shownChannel(await ports.router.ask(instance.id, { type: 'showChannel', name })) }
  },
})

export const searchChannels = instanceRoute<SearchChannelsRequest>({
  method: 'POST',
  path: '/newsletter/search',
  name: 'searchChannels',
  area: 'Channels',
  scope: 'read',
  isSearch: true,
  summary: 'Search the directory of channels',
  schema: 'newsletter/search.json',
  errors: channelReadErrors,
  async handle({ instance, body }, { ports }): Promise<SearchChannelsReply> {
    const { searchText = '', view = 'RECOMMENDED', countryCodes = [], limit = COUNT, after = '' } = body
    const search = { text: searchText.trim(), view, countryCodes, limit, after }
    const page = await ports.router.ask(instance.id, { type: 'searchChannels', search })
    return { response: { after: page.after, data: page.channels.map(shownChannel) } }
  },
})

export const listChannelPosts = instanceRoute<ListChannelPostsRequest>({
  method: 'POST',
  path: '/newsletter/messages',
  name: 'listChannelPosts',
  area: 'Channels',
  scope: 'read',
  isSearch: true,
  summary: 'List the posts of a channel',
  schema: 'newsletter/messages.json',
  errors: channelReadErrors,
  async handle({ instance, body }, { ports }): Promise<ListChannelPostsReply> {
    const { count = COUNT, beforeid } = body
    const before = beforeid === undefined ? {} : { before: beforeid }
    const asked = { type: 'listChannelPosts', channel: channelOf(body), count, ...before } as const
    const posts = await ports.router.ask(instance.id, asked)
    return { response: posts.map((post) => ({ ...post, message: post.message as ChannelPost['message'] })) }
  },
})

export const listChannelUpdates = instanceRoute<ListChannelUpdatesRequest>({
  method: 'POST',
  path: '/newsletter/updates',
  name: 'listChannelUpdates',
  area: 'Channels',
  scope: 'read',
  summary: "List views and reactions of a channel's posts",
  schema: 'newsletter/updates.json',
  errors: channelReadErrors,
  async handle({ instance, body }, { ports }): Promise<ListChannelUpdatesReply> {
    const { count = COUNT, afterid, since } = body
    const from = {
      ...(afterid === undefined ? {} : { after: afterid }),
      ...(since === undefined ? {} : { sinceMs: since }),
    }
    const asked = { type: 'listChannelUpdates', channel: channelOf(body), count, ...from } as const
    return { response: [...(await ports.router.ask(instance.id, asked))] }
  },
})

/** Returns the key in a link. @throws GatewayError INVALID_REQUEST */
function keyOf(link: string): string {
  const key = link.trim().replace(/^(https?:\/\/)?(www\.)?whatsapp\.com\/channel\//i, '')
  if (/^[\w-]{10,64}$/.test(key)) return key
  throw invalidField('key', 'must be a link such as https://whatsapp.com/channel/… or the part of it after channel/')
}
