/** Pacing of sends that nobody waits for, as actors, store and API share it. Types only. */

/** The lanes whose sends are paced, from the first to the last in turn. Direct sends are never paced. */
export type PacedKind = 'async' | 'scheduled' | 'campaign'

/** The chat of a paced send. */
export interface PacedChat {
  /** True for a group, and for a person who has written to the account. */
  readonly isKnown: boolean
}

export type PaceDecision =
  | { readonly now: true }
  /** The whole kind waits: for its pause, for the rate of the instance, or because the network has refused too many messages. */
  | { readonly now?: false; readonly waitMs: number; readonly reason: 'pace' | 'rate' | 'network_rest' }
  | ParkDecision

/** Only people who never wrote wait. */
export interface ParkDecision {
  readonly now?: false
  readonly parkMs: number
  readonly reason: ParkReason
}

/** Why people who never wrote wait, and how long. */
export interface NewChatHold {
  readonly reason: PacingHold['kind']
  readonly ms: number
}

/** `network_lock`: the account may not begin chats. `limit`: its quota, or refusals in a row. `budget`: the new chats of the day are used up. */
export type ParkReason = 'limit' | 'budget' | 'network_lock'

/** How to treat a send that the network has refused. */
export type AfterRefusal =
  | { readonly next: 'fail' }
  /** `isOfPerson`: the network refuses this recipient, not the account. The send is tried once more. */
  | { readonly next: 'park'; readonly ms: number; readonly isOfPerson?: boolean }

/** Settings of the installation. */
export interface PacingSettings {
  /** Sends of one instance in a minute; 0: no limit. */
  readonly sendsPerMinute: number
  /** Messages to people who never wrote, in a day; 0: no limit. */
  readonly newChatsPerDay: number
  /** The same for the first days of a number, a figure for each day. */
  readonly newChatsWarmUp: readonly number[]
  /** Sends to which the budget of new chats applies. */
  readonly newChatsOf: 'campaigns' | 'all'
  /** Maximum time that is added at random to the end of a restriction. */
  readonly releaseJitterMs: number
}

/** The stored pacing of an instance. Times are Unix milliseconds by PostgreSQL's clock. */
export interface StoredPacing {
  readonly nowMs: number
  /** Time at which the instance was created. */
  readonly createdAtMs: number
  /** Null if it was paired before pairings were noted. */
  readonly pairedAtMs: number | null
  /** Time since which the number is in use, as the owner of the instance says. */
  readonly inUseSinceMs: number | null
  /** What becomes of it with the pairing that has begun. */
  readonly offeredSinceMs: number | null
  /** Pause between two asynchronous sends; null: as the installation has it. */
  readonly delayMinMs: number | null
  readonly delayMaxMs: number | null
  /** Time before which no asynchronous send leaves. */
  readonly nextAtMs: number | null
  /** JSON of `PacerState`; empty when there is none. */
  readonly state: string
}

/** A part of the pacing that is written. */
export interface PacingFields {
  readonly pairedAtMs?: number
  readonly inUseSinceMs?: number | null
  readonly offeredSinceMs?: number | null
  readonly delayMinMs?: number
  readonly delayMaxMs?: number
  readonly nextAtMs?: number
  readonly state?: string
}

/** Parked sends, by reason. */
export type ParkedCounts = Readonly<Partial<Record<ParkReason, number>>>

/** A reason for which paced sends wait. */
export interface PacingHold {
  readonly kind:
    | 'reachout_timelock'
    | 'new_chat_message_capping'
    | 'new_chat_refusals'
    | 'new_chat_budget'
    | 'rate_limit'
  readonly untilMs: number
}

/** What sends of a kind may leave on the rest of the UTC day. */
export interface PacingOutlook {
  readonly nowMs: number
  /** The number is in use since then. */
  readonly inUseSinceMs: number
  /** 0: no limit. */
  readonly sendsPerMinute: number
  /** End of a rest of all sends; null: there is none. */
  readonly restUntilMs: number | null
  /** Messages to people who never wrote; null: no limit. */
  readonly newChats: {
    readonly left: number
    /** Why none may leave now; null if some may. */
    readonly hold: PacingHold['kind'] | null
    readonly untilMs: number | null
    /** How many may leave on the days after this one; the last figure is that of all further days. Null: no limit. Missing from nodes of the former release. */
    readonly coming?: readonly (number | null)[]
  } | null
}

/** The pacing as callers see it. */
export interface PacingReport {
  /** Sends that wait because their recipients never wrote. */
  readonly parked: number
  /** New chats of the UTC day. Null: no limit. */
  readonly budget: { readonly day: string; readonly used: number; readonly left: number | null }
  /** Time before which no asynchronous send leaves; null: the next leaves at once. */
  readonly nextSendAtMs: number | null
  readonly holds: readonly PacingHold[]
}
