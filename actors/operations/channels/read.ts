import type {
  Channel,
  ChannelName,
  ChannelPage,
  ChannelPost,
  ChannelPostCounts,
  ChannelSearch,
} from '../../../schemas/channel.js'
import type { Jid } from '../../../schemas/ids.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

export const EXAMPLE_CHANNEL: Channel = {
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
export const showChannelOperation = operation('showChannel', {
  repeat: true,
  example: EXAMPLE_CHANNEL,
  async run({ connection }: InstanceContext, { name }: { readonly name: ChannelName }): Promise<Channel> {
    const { channels } = await connection()
    return await orUnknown(() => channels.channel(name))
  },
})

/** Answers with the channels that the account owns, administers or follows. */
export const listChannelsOperation = operation('listChannels', {
  repeat: true,
  example: [EXAMPLE_CHANNEL],
  async run({ connection }: InstanceContext): Promise<readonly Channel[]> {
    const { channels } = await connection()
    return await orUnknown(() => channels.followed())
  },
})

/** Answers with a page of the directory of channels. */
export const searchChannelsOperation = operation('searchChannels', {
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
export const listChannelPostsOperation = operation('listChannelPosts', {
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
export const listChannelUpdatesOperation = operation('listChannelUpdates', {
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
