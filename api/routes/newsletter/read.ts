import type {
  ChannelPost,
  DeleteChannelPostReply,
  DeleteChannelPostRequest,
  EditChannelPostReply,
  EditChannelPostRequest,
  FindChannelReply,
  FindChannelRequest,
  ListChannelPostsReply,
  ListChannelPostsRequest,
  ListChannelsQuery,
  ListChannelsReply,
  ListChannelUpdatesReply,
  ListChannelUpdatesRequest,
  MarkPostsViewedReply,
  MarkPostsViewedRequest,
  ReactToPostReply,
  ReactToPostRequest,
  SearchChannelsReply,
  SearchChannelsRequest,
  ShowChannelReply,
  ShowChannelRequest,
  SubscribeToChannelReply,
  SubscribeToChannelRequest,
} from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { channelErrors, channelReadErrors, readChannelJid, shownChannel } from './channel.js'

const MINUTES = 60

const revisionErrors = [
  ...channelErrors,
  ...(['MESSAGE_NOT_FOUND', 'NOT_OWN_MESSAGE', 'MESSAGE_NOT_SENT', 'NOT_EDITABLE', 'SEND_REFUSED'] as const),
] as const

export const editChannelPost = instanceRoute<EditChannelPostRequest>({
  method: 'POST',
  path: '/newsletter/messages/edit',
  name: 'editChannelPost',
  area: 'Channels',
  scope: 'token',
  summary: 'Edit a post of a channel',
  schema: 'newsletter/messages-edit.json',
  errors: revisionErrors,
  async handle({ instance, body }, { ports }): Promise<EditChannelPostReply> {
    const revision = { kind: 'edit', text: body.text, isLiteral: true } as const
    const asked = { channel: readChannelJid(body), post: readPost(body), revision, messageid: newMessageId() }
    await ports.router.ask(instance.id, { type: 'reviseChannelPost', ...asked })
    return { response: 'Post edited' }
  },
})

export const deleteChannelPost = instanceRoute<DeleteChannelPostRequest>({
  method: 'POST',
  path: '/newsletter/messages/delete',
  name: 'deleteChannelPost',
  area: 'Channels',
  scope: 'token',
  summary: 'Delete a post of a channel',
  schema: 'newsletter/messages-delete.json',
  errors: revisionErrors,
  async handle({ instance, body }, { ports }): Promise<DeleteChannelPostReply> {
    const revision = { kind: 'delete' } as const
    const asked = { channel: readChannelJid(body), post: readPost(body), revision, messageid: newMessageId() }
    await ports.router.ask(instance.id, { type: 'reviseChannelPost', ...asked })
    return { response: 'Post deleted' }
  },
})

export const markPostsViewed = instanceRoute<MarkPostsViewedRequest>({
  method: 'POST',
  path: '/newsletter/viewed',
  name: 'markPostsViewed',
  area: 'Channels',
  scope: 'token',
  summary: 'Count posts as viewed',
  schema: 'newsletter/viewed.json',
  errors: channelErrors,
  async handle({ instance, body }, { ports }): Promise<MarkPostsViewedReply> {
    await ports.router.ask(instance.id, {
      type: 'markPostsViewed',
      channel: readChannelJid(body),
      posts: body.serverids,
    })
    return { response: 'Posts viewed' }
  },
})

export const reactToPost = instanceRoute<ReactToPostRequest>({
  method: 'POST',
  path: '/newsletter/reaction',
  name: 'reactToPost',
  area: 'Channels',
  scope: 'token',
  summary: 'React to a post of a channel',
  schema: 'newsletter/reaction.json',
  errors: channelErrors,
  async handle({ instance, body }, { ports }): Promise<ReactToPostReply> {
    const { serverid, reaction = '', reactionmessageid } = body
    const messageid = (reactionmessageid ?? newMessageId()) as MessageId
    const asked = { channel: readChannelJid(body), post: serverid, emoji: reaction.trim(), messageid }
    await ports.router.ask(instance.id, { type: 'reactToPost', ...asked })
    return { response: asked.emoji === '' ? 'Reaction removed' : 'Reaction sent' }
  },
})

export const subscribeToChannel = instanceRoute<SubscribeToChannelRequest>({
  method: 'POST',
  path: '/newsletter/subscribe',
  name: 'subscribeToChannel',
  area: 'Channels',
  scope: 'token',
  summary: 'Ask for changes of views and reactions while they happen',
  schema: 'newsletter/subscribe.json',
  errors: [...channelErrors, 'CHANNELS_WATCHED_FULL'],
  async handle({ instance, body }, { ports }): Promise<SubscribeToChannelReply> {
    const asked = { channel: readChannelJid(body), minutes: body.minutes ?? MINUTES }
    const { duration, until } = await ports.router.ask(instance.id, { type: 'subscribeToChannel', ...asked })
    return { response: { duration, until } }
  },
})

/** Returns the post that a call names. @throws GatewayError INVALID_REQUEST */
function readPost({ messageid, serverid }: { readonly messageid?: string; readonly serverid?: number }) {
  if (messageid !== undefined) return { messageid: messageid.slice(messageid.lastIndexOf(':') + 1) as MessageId }
  if (serverid !== undefined) return { serverid }
  throw invalidField('messageid', 'or serverid is missing: one of them names the post')
}

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
    const name = { jid: readChannelJid(body) }
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
    const name = { invite: readKey(body.key) }
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
    const asked = { type: 'listChannelPosts', channel: readChannelJid(body), count, ...before } as const
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
    const asked = { type: 'listChannelUpdates', channel: readChannelJid(body), count, ...from } as const
    return { response: [...(await ports.router.ask(instance.id, asked))] }
  },
})

/** Returns the key in a link. @throws GatewayError INVALID_REQUEST */
function readKey(link: string): string {
  // Bound: 300, a link.
  const key = link.trim().replace(/^(https?:\/\/)?(www\.)?whatsapp\.com\/channel\//i, '')
  // Bound: 300, a link.
  if (/^[\w-]{10,64}$/.test(key)) return key
  throw invalidField('key', 'must be a link such as https://whatsapp.com/channel/… or the part of it after channel/')
}
