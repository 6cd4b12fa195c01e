/** Types only. */
import type { CampaignRow, CampaignSend, FrequencyCap, RecipientRow, TextVariant } from '../campaign.js'
import type { InstanceId, Jid } from '../ids.js'
import type { SendWindow } from '../send-window.js'

export interface NewRecipient {
  readonly address: Jid
  /** Null: those of the campaign. */
  readonly send: CampaignSend | null
  readonly vars?: Readonly<Record<string, string>>
}

export interface NewCampaign {
  readonly id: string
  /** Undefined: `info`, or else the time of creation. */
  readonly folder?: string
  readonly info: string
  readonly send: CampaignSend | null
  readonly variants: readonly TextVariant[]
  /** Days and hours in which it sends. */
  readonly window?: SendWindow
  readonly frequencyCap?: FrequencyCap
  /** Refused messages among the last ones, in percent, above which it is paused. */
  readonly errorRateMax?: number
  /** Share of the turns of the instance. */
  readonly weight?: number
  /** Maximum of messages in a day of `timezone`. */
  readonly dailyCap?: number
  /** IANA name; default UTC. */
  readonly timezone?: string
  readonly delayMinMs: number
  readonly delayMaxMs: number
  /** Milliseconds from now; 0 or less: at once. */
  readonly startsInMs: number
  readonly recipients: readonly NewRecipient[]
  /** Leaves out every further entry of an address. */
  readonly dedupe: boolean
  /** Leaves out people who got a message of a campaign within so many days. */
  readonly skipRecentDays?: number
  readonly idempotencyKey?: string
  readonly requestHash?: string
}

export interface CreatedCampaign {
  readonly id: string
  readonly count: number
  /** Entries that were left out because their address stands before them. */
  readonly duplicates: number
  /** Entries that were left out because the person got a message of a campaign lately. */
  readonly recent: number
  /** True if an earlier call with the same idempotency key made it. */
  readonly isFormer: boolean
}

/** A campaign as it would be created, with the recipients that its rules leave. */
export interface PreviewedCampaign extends CreatedCampaign {
  readonly kept: readonly NewRecipient[]
}

/** Which recipients: those that wait or are under way, that were sent, that failed, that were skipped, or that replied. */
export type RecipientFilter = 'scheduled' | 'sent' | 'failed' | 'skipped' | 'replied'

export interface RecipientQuery {
  readonly filter: RecipientFilter | null
  readonly limit: number
  readonly offset: number
  /** Only those with a higher ordinal. In place of `offset`. */
  readonly after?: number
}

/** Recipients that a new campaign takes from another one. */
type CopiedRecipients = 'failed' | 'all'

/** What became of recipients in a time. */
export interface CourseRow {
  readonly at: Date
  readonly sent: number
  readonly replied: number
  readonly failed: number
  readonly skipped: number
}

/** Recipients that share a reason. Empty: WhatsApp refused the message, and the recipient has its sentence. */
export interface CourseReason {
  readonly state: 'parked' | 'failed' | 'skipped'
  readonly reason: string
  readonly count: number
}

export interface CampaignCourse {
  readonly stepMinutes: number
  /** The oldest first; only the newest ones of a long campaign. */
  readonly rows: readonly CourseRow[]
  /** The most frequent first. */
  readonly reasons: readonly CourseReason[]
}

export interface CampaignDirectory {
  /**
   * Returns the campaign that `create` would make, and its recipients. Stores nothing.
   * @throws GatewayError as `create`
   */
  preview(instance: InstanceId, campaign: NewCampaign): Promise<PreviewedCampaign>
  /**
   * Stores a campaign with its recipients, all of it or nothing.
   * @throws GatewayError CAMPAIGN_EXISTS, CAMPAIGNS_FULL, IDEMPOTENCY_CONFLICT, INSTANCE_NOT_FOUND, INSTANCE_EXPORTED
   */
  create(instance: InstanceId, campaign: NewCampaign): Promise<CreatedCampaign>
  /**
   * Stores a campaign for recipients of another one, in their order. Returns null if there is no such campaign.
   * @throws GatewayError CAMPAIGN_EXISTS, CAMPAIGNS_FULL, IDEMPOTENCY_CONFLICT, INSTANCE_NOT_FOUND, INSTANCE_EXPORTED
   */
  copy(
    instance: InstanceId,
    source: string,
    which: CopiedRecipients,
    campaign: Omit<NewCampaign, 'recipients' | 'send' | 'variants' | 'dedupe' | 'delayMinMs' | 'delayMaxMs' | 'info'>,
  ): Promise<CreatedCampaign | null>
  /**
   * Returns the part of recipients who never wrote to the account, from 0 to 1: of the first ones of a campaign, or of these.
   * @throws GatewayError RATE_LIMITED when it takes too long
   */
  strangers(instance: InstanceId, of: string | readonly Jid[]): Promise<number>
  /** Returns the campaigns of an instance, newest first: all, unfinished ones, or finished ones. */
  list(instance: InstanceId, which: 'all' | 'active' | 'archived'): Promise<readonly CampaignRow[]>
  find(instance: InstanceId, id: string): Promise<CampaignRow | null>
  /** @throws GatewayError RATE_LIMITED when it takes too long */
  course(instance: InstanceId, campaign: CampaignRow): Promise<CampaignCourse>
  /** Returns recipients of a campaign, in their order. */
  recipients(instance: InstanceId, id: string, query: RecipientQuery): Promise<readonly RecipientRow[]>
}
