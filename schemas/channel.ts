/** Channels and their posts, as network, actors and API share them. Types, and their bounds. */
import type { Jid } from './ids.js'

/** Maximum of channels of a list, and of posts of a page. */
export const CHANNELS_MAX = 2_000
export const POSTS_MAX = 100

/** A channel as the account sees it. Empty where the network says nothing. */
export interface Channel {
  readonly id: Jid
  readonly name: string
  readonly description: string
  readonly link: string
  readonly subscribers: number | null
  readonly verified: boolean
  readonly picture: string
  readonly state: string
  readonly role: string
  readonly muted: boolean
  readonly reactionCodes: string
  /** Milliseconds since 1970. */
  readonly created: number | null
}

export interface ChannelPage {
  readonly channels: readonly Channel[]
  /** Cursor of the next page; empty at the end. */
  readonly after: string
}

/** Views and reactions of a post. */
export interface ChannelPostCounts {
  readonly serverid: number
  readonly viewsCount: number | null
  readonly reactionCounts: Readonly<Record<string, number>>
}

export interface ChannelPost extends ChannelPostCounts {
  readonly messageid: string
  readonly type: string
  /** Milliseconds since 1970. */
  readonly timestamp: number
  /** Empty for a post that was deleted. */
  readonly messageType: string
  readonly text: string
  readonly message: unknown
}

/** How a channel is named: by its JID, or by the key of its link. */
export type ChannelName = { readonly jid: Jid } | { readonly invite: string }

/** Fields of a channel that its owner changes. `picture`: JPEG in base64; empty removes it. */
export interface ChannelChange {
  readonly name?: string
  readonly description?: string
  readonly picture?: string
  readonly reactionCodes?: 'all' | 'basic' | 'none'
}

export interface ChannelSearch {
  /** Empty: lists the channels of `view`. */
  readonly text: string
  readonly view: 'RECOMMENDED' | 'TRENDING' | 'POPULAR' | 'NEW'
  readonly countryCodes: readonly string[]
  readonly limit: number
  readonly after: string
}

/** What an account may do with a channel without further fields. */
export type ChannelAction = 'follow' | 'unfollow' | 'mute' | 'unmute' | 'delete' | 'acceptAdmin'

/** What the owner of a channel may do with a person. */
export type ChannelAdminAction = 'remove' | 'revoke' | 'transfer'

export function isChannelJid(jid: string): boolean {
  return jid.endsWith('@newsletter')
}
