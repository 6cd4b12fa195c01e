/** The fields of stored records, as the network and callers give them. */

import type { Ad } from './generated.js'
import type { Jid, MessageId } from './ids.js'
import type { ChatAddress } from './jid.js'
import type { AccountPresence } from './presence-kind.js'
import type { ConnectionStatus } from './session.js'

/** Grows only in this order, except that `failed`, `canceled` and `deleted` end it. */
export type MessageStatus =
  | 'queued'
  | 'pending'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'played'
  | 'failed'
  | 'canceled'
  | 'deleted'

/** A row of the message table as the actor writes it; the journal adds the record id, the chat and the times. */
export interface NewMessage {
  readonly messageid: MessageId
  /** Id of its record, if one was promised to the caller. Another one is used if it is taken. */
  readonly recordId?: string
  readonly chat: ChatAddress
  readonly fromMe: boolean
  readonly isGroup: boolean
  /** The specification's list plus those of `schemas/records/message.json`. */
  readonly messageType: string
  readonly mediaType?: string
  /** `text`, `media`, `poll`, …: the broad kind beside the exact one. */
  readonly type?: string
  readonly messageTimestampMs: number
  readonly sender: Jid
  readonly senderPn?: Jid
  readonly senderLid?: Jid
  readonly senderName?: string
  readonly source?: 'ios' | 'web' | 'android'
  readonly status: MessageStatus
  readonly text: string
  readonly quoted?: string
  readonly reaction?: string
  readonly edited?: string
  readonly vote?: string
  readonly buttonOrListid?: string
  readonly convertOptions?: string
  /** It pins another message of its chat until then, in milliseconds since 1970; 0: it unpins it. */
  readonly pin?: { readonly messageid: MessageId; readonly untilMs: number }
  /** Number that the network gave to a post of a channel. */
  readonly serverId?: number
  /** The ad that brought the person to write it. */
  readonly ad?: AdSource
  /** JSON for callers; binary fields as base64. */
  readonly content: unknown
  /** True for what clients show nowhere by itself. It is stored without an event, and is neither unread nor its chat's last message. */
  readonly isQuiet?: boolean
  /** The encoded `proto.Message`, for retries, quotes, forwards and decrypting votes. Encrypted at rest. */
  readonly proto?: Uint8Array
  readonly trackSource?: string
  readonly trackId?: string
  readonly wasSentByApi?: boolean
  readonly sendFunction?: string
  /** On `queued`: what the caller asked, to be carried out by the lane. On others: what may be sent in its place (`fallbacks.ts`). */
  readonly queuedRequest?: unknown
  readonly idempotencyKey?: string
  readonly requestHash?: string
  /** The recipient of a campaign that it is for. */
  readonly campaign?: StoredCampaignPlace
}

/** Columns of the chat table that the network tells; names as in the specification. Only the given ones are written. */
export interface ChatFields {
  name?: string
  image?: string
  imagePreview?: string
  wa_archived?: boolean
  wa_contactName?: string
  wa_name?: string
  /** Without `@`. */
  wa_username?: string
  wa_ephemeralExpiration?: number
  wa_isBlocked?: boolean
  wa_isGroup?: boolean
  wa_isGroup_admin?: boolean
  wa_isGroup_announce?: boolean
  wa_isGroup_community?: boolean
  wa_isGroup_member?: boolean
  wa_isPinned?: boolean
  wa_muteEndTime?: number
  wa_unreadCount?: number
  wa_lastMsgTimestamp?: number
  wa_label?: readonly string[]
  /** The note of the chat, by its name in the app state; an empty text removes it. */
  wa_note?: { readonly id: string; readonly text: string }
}

/** Columns of the chat table that callers tell; names as in the specification. Only the given ones are written. */
export interface LeadFields {
  readonly lead_name?: string
  readonly lead_fullName?: string
  readonly lead_email?: string
  readonly lead_personalid?: string
  readonly lead_status?: string
  /** Joined by commas. */
  readonly lead_tags?: string
  readonly lead_notes?: string
  readonly lead_isTicketOpen?: boolean
  readonly lead_assignedAttendant_id?: string
  readonly lead_kanbanOrder?: number
  /** Milliseconds since 1970, as the two below. */
  readonly chatbot_disableUntil?: number
  readonly chatbot_agentResetMemoryAt?: number
  readonly chatbot_lastTriggerAt?: number
  readonly chatbot_lastTrigger_id?: string
  readonly [customField: `lead_field${string}`]: string
}

/** Columns of the instance table that the actor writes. */
export interface InstanceFields {
  status?: ConnectionStatus
  /** The account's own number JID and LID; null after a log-out. */
  ownerJid?: Jid | null
  ownerLid?: Jid | null
  profileName?: string
  /** Without `@`; '' when there is none. */
  profileUsername?: string
  profilePicUrl?: string
  isBusiness?: boolean
  platform?: string
  lastDisconnectAt?: Date
  lastDisconnectReason?: string
  /** Whether the instance should be connected; a new owner brings it up when true. */
  desiredConnected?: boolean
  /** JSON of `CallSettings`. */
  callSettings?: string
  /** JSON of `ReadingSettings`. */
  readingSettings?: string
  /** Words by which people opt out, one per line. */
  optOutWords?: string
  /** JSON of `AccountLimits`. */
  limits?: string
  presence?: AccountPresence
  /** JSON of `WatchedPerson`, a list. */
  watched?: string
}

export interface LabelFields {
  readonly labelid: string
  readonly name: string
  /** 0 to 19, of the network's palette. */
  readonly color: number
  readonly isDeleted: boolean
}

/** A ready answer of the phone; these are texts. */
export interface PhoneQuickReplyFields {
  /** Id at the network: mostly the time of its creation in seconds since 1970. */
  readonly id: string
  readonly shortcut: string
  readonly text: string
  readonly isDeleted: boolean
}

export interface ContactFields {
  readonly address: ChatAddress
  /** As in the phone's address book; '' was removed from it. */
  readonly contactName?: string
  readonly firstName?: string
  /** As the person calls themselves. */
  readonly pushName?: string
  /** Without `@`; '' when the person has removed it. */
  readonly username?: string
}

/** The recipient of a campaign that a message is sent for. */
export interface StoredCampaignPlace {
  readonly folderId: string
  readonly ordinal: number
}

/** The ad behind a message. Types, and the fields that a chat keeps of the first one. */

/** Fields that are not known are absent. */
export type AdSource = Ad

/** Columns of a chat that come from the first ad, with the field of the message's ad. */
export const leadAdFields = {
  lead_adSource: 'source',
  lead_adSourceId: 'sourceId',
  lead_adSourceUrl: 'sourceUrl',
  lead_adSourceApp: 'sourceApp',
  lead_adTitle: 'title',
  lead_adClickId: 'ctwaClid',
  lead_adRef: 'ref',
} as const satisfies Readonly<Record<string, keyof AdSource>>
