import type {
  DeleteChannelPostReply,
  DeleteChannelPostRequest,
  EditChannelPostReply,
  EditChannelPostRequest,
  MarkPostsViewedReply,
  MarkPostsViewedRequest,
  ReactToPostReply,
  ReactToPostRequest,
  SubscribeToChannelReply,
  SubscribeToChannelRequest,
} from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { newMessageId } from '../../../schemas/message-id.js'
import { instanceRoute } from '../../route.js'
import { channelErrors, channelOf } from './channel-of.js'

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
    const asked = { channel: channelOf(body), post: postOf(body), revision, messageid: newMessageId() }
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
    const asked = { channel: channelOf(body), post: postOf(body), revision, messageid: newMessageId() }
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
    await ports.router.ask(instance.id, { type: 'markPostsViewed', channel: channelOf(body), posts: body.serverids })
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
    const asked = { channel: channelOf(body), post: serverid, emoji: reaction.trim(), messageid }
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
    const asked = { channel: channelOf(body), minutes: body.minutes ?? MINUTES }
    const { duration, until } = await ports.router.ask(instance.id, { type: 'subscribeToChannel', ...asked })
    return { response: { duration, until } }
  },
})

/** Returns the post that a call names. @throws GatewayError INVALID_REQUEST */
function postOf({ messageid, serverid }: { readonly messageid?: string; readonly serverid?: number }) {
  if (messageid !== undefined) return { messageid: messageid.slice(messageid.lastIndexOf(':') + 1) as MessageId }
  if (serverid !== undefined) return { serverid }
  throw invalidField('messageid', 'or serverid is missing: one of them names the post')
}
