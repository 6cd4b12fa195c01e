/** Campaigns, as API, actors and store share them. */
import type { Jid, MessageId } from './ids.js'
import type { PacingHold } from './pacing.js'
import type { SendContent } from './send-content.js'
import type { SendOptions } from './send-request.js'
import type { SendWindow } from './send-window.js'
import { instantOfLocal, localMs } from './time-zone.js'

export type CampaignStatus = 'scheduled' | 'sending' | 'paused' | 'done' | 'deleting'

/** Why a campaign was paused. Only a call resumes it. */
export type PauseReason = 'asked' | 'logged_out' | 'banned' | 'other_account' | 'error_rate' | 'file_gone'

/** Why a recipient failed without a message, or was left out. */
export type RecipientReason =
  | 'not_on_network'
  | 'invalid'
  | 'refused'
  | 'internal'
  | 'duplicate'
  | 'opted_out'
  | 'frequency'

/** Why a campaign cannot send now, or not to all, although it is not paused. It goes on by itself. */
export type HoldReason = 'window' | 'daily_cap' | PacingHold['kind']

/** Shown as the reason of a hold if messages of a campaign wait so long because the node is busy. */
export const NODE_BUSY_MS = 5_000

/**
 * Why a recipient is parked. `refused`: the network has refused a message to this person. `chat_busy`, `behind`: other messages to the person go
 * before. `number_checks`: the look-ups of the day are used up.
 */
export type RecipientHold = HoldReason | 'refused' | 'chat_busy' | 'behind' | 'number_checks'

/** Holds for which only people who never wrote wait. */
export const NEW_CHAT_HOLDS: ReadonlySet<string> = new Set<PacingHold['kind']>([
  'reachout_timelock',
  'new_chat_message_capping',
  'new_chat_refusals',
  'new_chat_budget',
])

/** Numbers of `campaign_recipient.status`. Receipts only raise them. */
export const recipientStatus = {
  waiting: 0,
  taken: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  played: 5,
  failed: 20,
  skipped: 21,
} as const

/** Content and options of a send of a campaign, as stored. */
export interface CampaignSend {
  readonly content: SendContent
  readonly options: SendOptions
}

/** One text of several, of which each recipient gets one. */
export interface TextVariant {
  readonly text: string
  readonly weight: number
}

export interface CampaignCounters {
  readonly total: number
  readonly taken: number
  readonly parked: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly played: number
  /** People who wrote after their message. */
  readonly replied: number
  readonly failed: number
  readonly skipped: number
  readonly deleted: number
}

/** The maximum of messages of a campaign in a day, and the count of the last one. */
export interface DailyCap extends DayCount {
  /** Null: no maximum. */
  readonly dailyCap: number | null
  /** IANA name of the zone whose days count. */
  readonly timezone: string
}

/** Maximum of messages that a person gets of all campaigns of the instance within some days. */
export interface FrequencyCap {
  readonly messages: number
  readonly days: number
}

/** Options of a campaign, as stored. */
export interface CampaignOptions {
  readonly window?: SendWindow
  readonly frequencyCap?: FrequencyCap
  /** Refused messages among the last ones, in percent, above which it is paused. */
  readonly errorRateMax?: number
  /** Share of the turns of the instance. */
  readonly weight?: number
}

export const ERROR_RATE_MAX = 20
export const WEIGHT = 1

/** A campaign that waits, sends or is being deleted, as its instance's actor reads it. */
export interface ActiveCampaign extends CampaignCounters, DailyCap {
  readonly id: string
  readonly folder: string
  readonly status: CampaignStatus
  readonly clears: boolean
  readonly send: CampaignSend | null
  readonly variants: readonly TextVariant[]
  /** Null: it sends at any time. */
  readonly window: SendWindow | null
  /** Null: it leaves nobody out for that. */
  readonly frequencyCap: FrequencyCap | null
  /** In percent. */
  readonly errorRateMax: number
  readonly weight: number
  readonly delayMinMs: number
  readonly delayMaxMs: number
  /** Milliseconds until its next send may leave, by PostgreSQL's clock. */
  readonly waitMs: number
  /** JID; empty before its first send. */
  readonly ownAccount: string
  readonly lastOrdinal: number
  /** `HoldReason`, perhaps one that is over; empty if there was none. */
  readonly holdReason: string
  /** The last answers of the network to its messages: `0` taken, `1` refused. */
  readonly recent: string
}

/** A recipient whose turn may come. */
export interface WaitingRecipient {
  readonly ordinal: number
  readonly address: Jid
  readonly wasParked: boolean
  /** True if it is parked until the account may write to people who never wrote. */
  readonly isParkedAsNew: boolean
  /** True if an earlier entry of the same person is parked. */
  readonly isBehind: boolean
  readonly attempts: number
  /** IANA name; null if it is not known. */
  readonly timezone: string | null
  readonly isSuppressed: boolean
  /** The person has got as many messages as `frequencyCap` allows. */
  readonly isTooFrequent: boolean
  /** Whether the person had written when this was read; null if the pacing did not depend on it then. */
  readonly hasWritten: boolean | null
  /** Null: those of the campaign. */
  readonly send: CampaignSend | null
  readonly vars: Readonly<Record<string, string>> | null
}

/** A campaign as the API shows it. */
export interface CampaignRow extends CampaignCounters, DailyCap {
  readonly id: string
  readonly folder: string
  readonly info: string
  readonly status: CampaignStatus
  readonly reason: string
  readonly holdReason: string
  readonly holdUntil: Date | null
  readonly source: string
  /** JSON with its window, if it has one. */
  readonly options: string
  readonly delayMinMs: number
  readonly delayMaxMs: number
  readonly scheduledAt: Date
  readonly nextAt: Date | null
  /** Time for which its last message waited because the node was busy. */
  readonly nodeWaitMs: number
  readonly created: Date
  readonly updated: Date
  readonly started: Date | null
  readonly ended: Date | null
}

/** A recipient as the API shows it. */
export interface RecipientRow {
  readonly ordinal: number
  readonly address: string
  readonly place: number
  readonly status: number
  readonly attempts: number
  readonly dueAt: Date | null
  readonly messageid: MessageId | null
  readonly variant: number | null
  readonly reason: string | null
  readonly error: string | null
  readonly providerCode: number | null
  readonly trackId: string | null
  readonly repliedAt: Date | null
  readonly updated: Date | null
}

/** Time for which the first message of a person counts as a reply to a campaign. */
export const REPLY_DAYS = 7
/** Maximum of recipients of one campaign. */
export const CAMPAIGN_RECIPIENTS_MAX = 1_000_000
/** Maximum of recipients of all campaigns of an instance that are stored, finished ones included. */
export const STORED_RECIPIENTS_MAX = 3_000_000
/** Maximum of campaigns of an instance that are stored, finished ones included. */
export const STORED_CAMPAIGNS_MAX = 1_000
/** Maximum of campaigns of an instance that are not finished. */
export const OPEN_CAMPAIGNS_MAX = 100

/** Returns true if a campaign sends nothing more. */
export function isEnded(status: CampaignStatus): boolean {
  return status === 'done' || status === 'deleting'
}

// Days of a campaign, in its time zone, and its maximum of messages in one of them.

/** Messages of one day, as stored. */
interface DayCount {
  /** Days since 1970. */
  readonly day: number
  readonly dayTaken: number
}

interface Capped extends DayCount {
  /** Null: no maximum. */
  readonly dailyCap: number | null
  /** IANA name. */
  readonly timezone: string
}

const DAY_MS = 86_400_000

/** Returns the number of the local day since 1970. */
export function dayIn(timezone: string, atMs: number): number {
  return Math.floor(localMs(timezone, atMs) / DAY_MS)
}

/** Returns the messages that count for this day. A clock that was set back a little does not begin a day twice. */
export function takenOn(today: number, { day, dayTaken }: DayCount): number {
  return isSameDay(today, day) ? dayTaken : 0
}

/** Returns the count with one message more. The statement that takes a recipient does the same. */
export function withOneMore(today: number, count: DayCount): DayCount {
  return { day: isSameDay(today, count.day) ? count.day : today, dayTaken: takenOn(today, count) + 1 }
}

/** Returns the time until a campaign may send again, 0 while it has not reached its maximum of the day. */
export function capWaitMs({ dailyCap, timezone, ...count }: Capped, atMs: number): number {
  if (dailyCap === null) return 0
  const today = dayIn(timezone, atMs)
  if (takenOn(today, count) < dailyCap) return 0
  return Math.max(1, instantOfLocal(timezone, (Math.max(today, count.day) + 1) * DAY_MS) - atMs)
}

function isSameDay(today: number, day: number): boolean {
  return day === today || day === today + 1
}
