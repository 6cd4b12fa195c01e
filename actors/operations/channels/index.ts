import type {
  Channel,
  ChannelAction,
  ChannelAdminAction,
  ChannelChange,
  ChannelName,
  ChannelPage,
  ChannelPost,
  ChannelPostCounts,
  ChannelSearch,
} from '../../../schemas/channel.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Jid, MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, toChatId } from '../../../schemas/jid.js'
import type { RequestedRevision } from '../../../schemas/send-request.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import { parsePerson } from '../contacts/person.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

const EXAMPLE_CHANNEL: Channel = {
  id: '120363000000000001@newsletter' as Jid,
  name: 'Our news',
  description: '',
  link: 'https://whatsapp.com/channel/0029VaAAAAAAAAAAAAAAAA01',
  subscribers: 10,
  verified: false,
  picture: '',
  state: 'ACTIVE',
  role: 'OWNER',
  muted: false,
  reactionCodes: 'all',
  created: 1,
}

/** Answers with a channel, by its JID or the key of its link. */
const showChannelOperation = operation('showChannel', {
  repeat: true,
  example: EXAMPLE_CHANNEL,
  async run({ connection }: InstanceContext, { name }: { readonly name: ChannelName }): Promise<Channel> {
    const { channels } = await connection()
    return await orUnknown(() => channels.channel(name))
  },
})

/** Answers with the channels that the account owns, administers or follows. */
const listChannelsOperation = operation('listChannels', {
  repeat: true,
  example: [EXAMPLE_CHANNEL],
  async run({ connection }: InstanceContext): Promise<readonly Channel[]> {
    const { channels } = await connection()
    return await orUnknown(() => channels.followed())
  },
})

/** Answers with a page of the directory of channels. */
const searchChannelsOperation = operation('searchChannels', {
  repeat: true,
  example: { channels: [EXAMPLE_CHANNEL], after: '' },
  async run({ connection }: InstanceContext, { search }: { readonly search: ChannelSearch }): Promise<ChannelPage> {
    const { channels } = await connection()
    return await orUnknown(() => channels.search(search))
  },
})

interface PostsRequest {
  readonly channel: Jid
  readonly count: number
  readonly before?: number
}

/** Answers with posts as the network keeps them, newest first. */
const listChannelPostsOperation = operation('listChannelPosts', {
  repeat: true,
  example: [
    {
      ...{ serverid: 101, messageid: '3EB0C767D097B7C7C030', type: 'text', timestamp: 1, viewsCount: 5 },
      ...{ reactionCounts: { '👍': 1 }, messageType: 'text', text: 'Hello', message: 'Hello' },
    },
  ],
  async run(
    { connection }: InstanceContext,
    { channel, count, before }: PostsRequest,
  ): Promise<readonly ChannelPost[]> {
    const { channels } = await connection()
    return await orUnknown(() => channels.posts(channel, count, before))
  },
})

interface UpdatesRequest {
  readonly channel: Jid
  readonly count: number
  readonly after?: number
  readonly sinceMs?: number
}

/** Answers with views and reactions of posts. */
const listChannelUpdatesOperation = operation('listChannelUpdates', {
  repeat: true,
  example: [{ serverid: 101, viewsCount: 5, reactionCounts: { '👍': 1 } }],
  async run(
    { connection }: InstanceContext,
    { channel, count, after, sinceMs }: UpdatesRequest,
  ): Promise<readonly ChannelPostCounts[]> {
    const { channels } = await connection()
    const from = { ...(after === undefined ? {} : { after }), ...(sinceMs === undefined ? {} : { sinceMs }) }
    return await orUnknown(() => channels.updates(channel, count, from))
  },
})

const markPostsViewed = operation('markPostsViewed', {
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

const reactToPost = operation('reactToPost', {
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
const reviseChannelPost = operation('reviseChannelPost', {
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
const subscribeToChannel = operation('subscribeToChannel', {
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

interface InviteRequest {
  readonly channel: Jid
  readonly phone: string
  readonly caption: string
  /** Id of the message with the invitation; made by the node that got the call. */
  readonly messageid: MessageId
}

/** Invites a person to administer a channel, then sends the message by which phones show the invitation. */
const inviteChannelAdmin = operation('inviteChannelAdmin', {
  // The message may not go out twice.
  repeat: false,
  example: ({ messageid }: InviteRequest) => ({ expires: 0, messageid }),
  async run(context: InstanceContext, { channel, phone, caption, messageid }: InviteRequest) {
    const { channels } = await context.connection()
    const person = await addressOfPerson(context, phone)
    const { name } = await orUnknown(() => channels.channel({ jid: channel }))
    const expires = await orUnknown(() => channels.inviteAdmin(channel, person))
    const content = { kind: 'channelInvite', channel, name, caption, expiresMs: expires } as const
    const number = toChatId(person)
    await context.sends.send({ type: 'send', messageid, number, content, options: {}, isLiteral: true })
    return { expires, messageid }
  },
})

interface AdminRequest {
  readonly channel: Jid
  readonly phone: string
  readonly action: ChannelAdminAction
  /** After a transfer: the account is no administrator either. */
  readonly quits?: boolean
}

/** Removes an administrator, takes an invitation back, or makes an administrator the owner. */
const actOnChannelAdmin = operation('actOnChannelAdmin', {
  repeat: false,
  example: null,
  async run(context: InstanceContext, { channel, phone, action, quits }: AdminRequest): Promise<null> {
    const { channels } = await context.connection()
    const person = await addressOfPerson(context, phone)
    await orUnknown(() => channels.actOnAdmin(channel, person, action))
    const { own } = context.account
    if (quits !== true || own === null) return null
    await orUnknown(() => channels.actOnAdmin(channel, own, 'remove')).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error
      // The channel has its new owner, and the caller must know it.
      const message = `The channel was transferred, and the account is still an administrator: ${error.message}`
      throw new GatewayError(error.code, { message, fields: error.fields, cause: error })
    })
    return null
  },
})

/** Returns both addresses of a person. The network names people of channels by their LID, so one that is not known is looked up. */
async function addressOfPerson(context: InstanceContext, phone: string): Promise<ChatAddress> {
  const known = await bothAddresses(context.id, parsePerson(phone), context.reader)
  if (known.lid !== undefined) return known
  const { contacts } = await context.connection()
  const found = await orUnknown(() => contacts.lookUp(known))
  if (found === null) throw new GatewayError('NOT_ON_NETWORK')
  return found
}

const createChannel = operation('createChannel', {
  // There would be two channels.
  repeat: false,
  example: EXAMPLE_CHANNEL,
  async run(
    { connection }: InstanceContext,
    { fields }: { readonly fields: ChannelChange & { readonly name: string } },
  ): Promise<Channel> {
    const { channels } = await connection()
    return await orUnknown(() => channels.create(fields))
  },
})

/** Changes fields of a channel, and reads it again: sources disagree about the form of the settings, so only the network says what they are. */
const changeChannel = operation('changeChannel', {
  repeat: false,
  example: EXAMPLE_CHANNEL,
  async run(
    { connection }: InstanceContext,
    { channel, change }: { readonly channel: Jid; readonly change: ChannelChange },
  ): Promise<Channel> {
    const { channels } = await connection()
    await orUnknown(() => channels.update(channel, change))
    return await orUnknown(() => channels.channel({ jid: channel })).catch((error: unknown) => {
      // It was changed, whatever became of the second request.
      throw new GatewayError('OUTCOME_UNKNOWN', { cause: error })
    })
  },
})

const actOnChannel = operation('actOnChannel', {
  repeat: false,
  example: null,
  async run(
    { connection }: InstanceContext,
    { channel, action }: { readonly channel: Jid; readonly action: ChannelAction },
  ): Promise<null> {
    const { channels } = await connection()
    await orUnknown(() => channels.act(channel, action))
    return null
  },
})

export const channelOperations = [
  actOnChannel,
  actOnChannelAdmin,
  changeChannel,
  createChannel,
  inviteChannelAdmin,
  listChannelPostsOperation,
  listChannelsOperation,
  listChannelUpdatesOperation,
  markPostsViewed,
  reactToPost,
  reviseChannelPost,
  searchChannelsOperation,
  showChannelOperation,
  subscribeToChannel,
] as const
