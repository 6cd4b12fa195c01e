/** Status posts of an account: for whom they are, and what becomes of them. Types, and the bounds of a post. */

import type { Jid } from './ids.js'
import type { ChatAddress } from './jid.js'

/** The chat in which the network keeps status posts. */
export const STATUS_CHAT: ChatAddress = { group: 'status@broadcast' as Jid }

/** Maximum of people of a post. The longest list that was tried; the network's own limit is not known. */
export const STATUS_PEOPLE_MAX = 5_000

/** Maximum of people in an answer that lists those who were left out. */
export const LEFT_OUT_LISTED_MAX = 1_000

/** Who may see a post, in the network's words. */
export type StatusAudience = 'contacts' | 'allowlist' | 'denylist'

/** The people whom a caller names for a post. `setting`: those whom the account's phone has set. */
export interface RequestedAudience {
  readonly mode: StatusAudience | 'setting'
  /** Numbers and JIDs as the caller wrote them. */
  readonly people: readonly string[]
  /** ISO code of the country whose national numbers are taken. */
  readonly country: string
  readonly max: number
}

/** Why somebody does not get a post. */
export type LeftOutReason = 'invalid' | 'duplicate' | 'not_on_network' | 'excluded' | 'over_limit' | 'not_checked'

/** Who gets a post, and who was left out. JSON, as callers see it. */
export interface AudienceReport {
  readonly audience: StatusAudience
  /** True if the phone's setting has chosen the audience. */
  readonly isSetting: boolean
  readonly requested: number
  readonly recipients: number
  readonly discarded: number
  /** The first of them. */
  readonly discarded_recipients: readonly { readonly input: string; readonly reason: LeftOutReason }[]
}

/** The people of a post that is about to be sent. */
export interface StatusPeople {
  readonly audience: StatusAudience
  /** JIDs, the account itself last. */
  readonly people: readonly Jid[]
  readonly report: AudienceReport
}

/** A post as stored. */
export interface StoredStatusPost extends StatusPeople {
  /** How many of the people the network has taken. */
  readonly reached: number
}

/** Somebody who has received a post. */
export interface StatusView {
  readonly person: ChatAddress
  readonly name: string
  readonly deliveredMs: number
  /** Null: not seen, or the person hides it. */
  readonly seenMs: number | null
}

/** Returns whether a chat is that of status posts. */
export function isStatusChat({ group }: ChatAddress): boolean {
  return group === STATUS_CHAT.group
}
