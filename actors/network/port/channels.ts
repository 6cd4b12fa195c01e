/** Channels: look-ups, changes, and posts as the network keeps them. Types only. */
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
import type { Jid, MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'

/** Refusals: CHANNEL_NOT_FOUND; else NETWORK_REFUSED for reads and CHANNEL_REFUSED for changes, with the network's code. */
export interface ChannelNetwork {
  /** @throws GatewayError CHANNEL_NOT_FOUND */
  channel(name: ChannelName): Promise<Channel>
  followed(): Promise<readonly Channel[]>
  search(search: ChannelSearch): Promise<ChannelPage>
  /** Accepts the network's terms for channels, then creates one. */
  create(fields: ChannelChange & { readonly name: string }): Promise<Channel>
  update(channel: Jid, change: ChannelChange): Promise<void>
  /** An `unfollow` of a channel that is not followed counts as done. */
  act(channel: Jid, action: ChannelAction): Promise<void>
  /** Returns the time at which the invitation ends, in milliseconds since 1970; 0 if the network does not say. */
  inviteAdmin(channel: Jid, person: ChatAddress): Promise<number>
  actOnAdmin(channel: Jid, person: ChatAddress, action: ChannelAdminAction): Promise<void>
  /** Returns posts, newest first. `before`: only those before this post. */
  posts(channel: Jid, count: number, before?: number): Promise<readonly ChannelPost[]>
  updates(
    channel: Jid,
    count: number,
    from: { readonly after?: number; readonly sinceMs?: number },
  ): Promise<readonly ChannelPostCounts[]>
  markViewed(channel: Jid, posts: readonly number[]): Promise<void>
  /** Sends a reaction; an empty emoji takes it back. */
  react(channel: Jid, post: number, emoji: string, messageid: MessageId): Promise<void>
  /** Finds a post of the last ones, or by its number. Returns null if there is none, or it was deleted. */
  findPost(
    channel: Jid,
    post: { readonly messageid: string } | { readonly serverid: number },
  ): Promise<FoundPost | null>
  /** Makes of an encoded post one with another text or caption. @throws GatewayError NOT_EDITABLE */
  withText(proto: Uint8Array, text: string): Uint8Array
  /** Puts an encoded message in the place of a post of the account; null deletes the post. Its id stays. */
  revise(channel: Jid, messageid: MessageId, proto: Uint8Array | null): Promise<void>
  /** Asks for live updates of views and reactions. Returns for how many seconds the network keeps the request. */
  liveUpdates(channel: Jid): Promise<number>
}

export interface FoundPost {
  readonly messageid: MessageId
  readonly serverid: number
  readonly proto: Uint8Array
}
