import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import type { RequestedRevision } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

export const markPostsViewed = operation('markPostsViewed', {
  // The network counts an account once.
  repeat: true,
  example: null,
  async run(
    { connection }: InstanceContext,
    { channel, posts }: { readonly channel: Jid; readonly posts: readonly number[] },
  ): Promise<null> {
    const { channels } = await connection()
    await orUnknown(() => channels.markViewed(channel, posts))
    return null
  },
})

interface ReactionRequest {
  readonly channel: Jid
  readonly post: number
  /** Empty: it is taken back. */
  readonly emoji: string
  readonly messageid: MessageId
}

export const reactToPost = operation('reactToPost', {
  // A reaction takes the place of the former one.
  repeat: true,
  example: null,
  async run({ connection }: InstanceContext, { channel, post, emoji, messageid }: ReactionRequest): Promise<null> {
    const { channels } = await connection()
    await orUnknown(() => channels.react(channel, post, emoji, messageid))
    return null
  },
})

interface ReviseRequest {
  readonly channel: Jid
  readonly post: { readonly messageid: MessageId } | { readonly serverid: number }
  readonly revision: Extract<RequestedRevision, { kind: 'edit' | 'delete' }>
  /** Of the change; made by the node that got the call. */
  readonly messageid: MessageId
}

/** Edits or deletes a post of the account. One that is not stored is looked up at the network. */
export const reviseChannelPost = operation('reviseChannelPost', {
  // A post that is edited or deleted already stays as it is.
  repeat: true,
  example: null,
  async run(context: InstanceContext, { channel, post, revision, messageid }: ReviseRequest): Promise<null> {
    const stored = await storedPost(context, channel, post)
    if (stored !== null) {
      await context.sends.revise({ type: 'revise', messageid, id: stored, revision })
      return null
    }
    const { channels } = await context.connection()
    const found = await orUnknown(() => channels.findPost(channel, post))
    if (found === null) throw new GatewayError('MESSAGE_NOT_FOUND')
    const proto = revision.kind === 'edit' ? channels.withText(found.proto, revision.text) : null
    await orUnknown(() => channels.revise(channel, found.messageid, proto))
    return null
  },
})

/** Returns the id of a post of the account that is stored. */
async function storedPost(
  { id, reader }: InstanceContext,
  channel: Jid,
  post: ReviseRequest['post'],
): Promise<MessageId | null> {
  const messageid = 'messageid' in post ? post.messageid : await reader.postOfNumber(id, channel, post.serverid)
  if (messageid === null) return null
  const named = await reader.messagesNamed(id, [messageid])
  return named.some(({ fromMe, chat }) => fromMe && chat.group === channel) ? messageid : null
}

/** Asks for live updates of a channel, for so long; 0 minutes end that. */
export const subscribeToChannel = operation('subscribeToChannel', {
  repeat: true,
  example: { duration: 300, until: 1 },
  async run(
    { channelUpdates }: InstanceContext,
    { channel, minutes }: { readonly channel: Jid; readonly minutes: number },
  ) {
    const until = Date.now() + minutes * 60_000
    if (minutes > 0) return { duration: await orUnknown(() => channelUpdates.want(channel, until)), until }
    await channelUpdates.drop(channel)
    return { duration: 0, until }
  },
})
