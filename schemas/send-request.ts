import type { MessageId } from './ids.js'
import type { SendContent } from './send-content.js'
import type { StatusPeople } from './status-post.js'
import type { StoredCampaignPlace } from './stored-fields.js'

/** The common optional fields of every send, checked by the schema. */
export interface SendOptions {
  readonly delayMs?: number
  readonly readChat?: boolean
  readonly readMessages?: boolean
  /** `owner:messageid` or the bare id. */
  readonly replyId?: string
  /** Its text, as the caller knows it. It counts for a message that is not stored. */
  readonly quotedText?: string
  /** Groups: comma-separated numbers, or `all`. */
  readonly mentions?: string
  readonly forward?: boolean
  readonly trackSource?: string
  readonly trackId?: string
  readonly async?: boolean
  /** The network's acknowledgement has an event also if the caller waited for it. */
  readonly sentEvent?: boolean
  /** Agents pause in the chat for so long, from the time at which the message is stored. */
  readonly pauseChatbotMinutes?: number
}

export interface SendRequest {
  /** Made by the node that got the call, so that asking again is safe. */
  readonly messageid: MessageId
  /** The caller chose its id. One that was used is refused. */
  readonly isChosen?: boolean
  /** Set by the router: it was asked before and nobody knows what became of it, so the owner looks for its row first. */
  readonly isRepeat?: boolean
  readonly number: string
  readonly content: SendContent
  readonly options: SendOptions
  readonly idempotencyKey?: string
  /** SHA-256 of the body as hex; the same key with another hash is refused. */
  readonly requestHash?: string
  /** Of a queued send that was scheduled: how long after its time it was queued, and how long after it it may still leave. */
  readonly scheduled?: { readonly lateMs: number; readonly expireAfterMs: number }
  /** The recipient of a campaign that it is for. Its files stay: they are for others, too. */
  readonly campaign?: StoredCampaignPlace
  /** Further values of placeholders, which go before those of the chat. */
  readonly vars?: Readonly<Record<string, string>>
  /** Its text has no placeholders: what looks like one is sent as it is. */
  readonly isLiteral?: boolean
  /** The people of a status post. Its `number` is the chat of status posts. */
  readonly post?: StatusPeople
}

export interface SendCommand extends SendRequest {
  readonly type: 'send'
}

/** Sends a message at a time. A command of its own: a node that does not know times refuses it, and does not send the message now. */
export interface ScheduleRequest extends SendRequest {
  readonly schedule: RequestedSchedule
}

export interface ScheduleCommand extends ScheduleRequest {
  readonly type: 'schedule'
}

/** Changes a message of this account for everyone who has it. It has no row: whoever does not hear of its end may ask again. */
export interface ReviseRequest {
  /** Of the change itself; made by the node that got the call, so that phones take one that is asked twice for one. */
  readonly messageid: MessageId
  /** Of the message: `owner:messageid` or the bare id. */
  readonly id: string
  readonly revision: RequestedRevision
}

export interface ReviseCommand extends ReviseRequest {
  readonly type: 'revise'
}

export type RequestedRevision =
  /** `text`: with placeholders still in it, unless it has none (`isLiteral`). */
  | { readonly kind: 'edit'; readonly text: string; readonly isLiteral?: boolean }
  | { readonly kind: 'delete' }
  /** Pins any message of a chat for all members; 0 seconds unpin it. */
  | { readonly kind: 'pin'; readonly seconds: number }
  /** Keeps any message of a chat whose messages disappear, or lets it disappear. */
  | { readonly kind: 'keep'; readonly isKept: boolean }

/** The asynchronous sends of an instance. */
export interface QueueStatus {
  readonly status: 'idle' | 'queued' | 'processing' | 'waiting_connection' | 'resetting'
  readonly pending: number
  /** One of them is being sent. */
  readonly processingNow: boolean
  readonly acceptingNewMessages: boolean
  readonly sessionReady: boolean
  /** They are being canceled. */
  readonly resetting: boolean
}

export interface SendReply {
  /** The message record as stored: after the network's ack (status `sent`), after the bounded wait (`pending`), or `queued`. */
  readonly record: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  /** True if an earlier call under the same Idempotency-Key has sent the message. Not set by nodes of 0.4.1. */
  readonly isFormer?: true
}

/** The network has taken the change. */
export interface ReviseReply {
  /** Of the message that was changed. */
  readonly messageid: MessageId
  readonly timestampMs: number
  /** Of the change, as JSON. */
  readonly content: unknown
}

/** When a message is to leave. */
export interface Schedule {
  /** Unix milliseconds. */
  readonly atMs: number
  /** As the caller wrote it. */
  readonly asked: string
  /** IANA name of the time zone in which it is meant; '' for an instant. */
  readonly zone: string
  /** Time after `atMs` from which the message must not leave. */
  readonly expireAfterMs: number
}

/** As a caller asks for it. `expireAfterMs`: the setting `SEND_MAX_AGE_MS` when absent. */
export type RequestedSchedule = Omit<Schedule, 'expireAfterMs'> & Partial<Pick<Schedule, 'expireAfterMs'>>
