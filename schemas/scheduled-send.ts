/** Sends with a time of their own, as API, actors and store share them. */
import type { MessageId } from './ids.js'
import type { ChatAddress } from './jid.js'
import type { RequestedSchedule, Schedule, SendCommand } from './send-request.js'
import type { NewMessage } from './stored-fields.js'

// Bound: 1,048,576, a field of a request.

export type ScheduledStatus = 'scheduled' | 'canceled' | 'failed'

/** The row of the message and the request, as they are stored until then. */
export interface ScheduledContent {
  readonly row: NewMessage
  readonly request: SendCommand
}

/** A send as it is stored. */
export interface ScheduledSend extends ScheduledContent {
  readonly messageid: MessageId
  readonly status: ScheduledStatus
  readonly schedule: Schedule
  readonly revision: number
  /** The change that was made last; '' for none. */
  readonly lastChange: string
  /** Time since it was due, by PostgreSQL's clock; negative before. */
  readonly lateMs: number
  /** Time since it was accepted. */
  readonly ageMs: number
  readonly requestHash: string | null
  /** Id of the record, which the message keeps; '' for a send of a former release. */
  readonly recordId: string
  /** The message record, with status `scheduled`. */
  readonly record: Readonly<Record<string, unknown>>
}

export interface RescheduleRequest {
  /** Id of the change, by which a repeated call is recognized. */
  readonly messageid: MessageId
  /** Of the message. */
  readonly id: string
  /** The revision that the caller has seen. */
  readonly revision: number
  readonly schedule?: RequestedSchedule
  readonly expireAfterMs?: number
  readonly text?: string
  readonly trackId?: string
}

export interface CancelScheduledRequest {
  /** Exactly one of them. */
  readonly id?: string
  readonly chat?: string
  readonly trackId?: string
}

export interface CancelScheduledReply {
  readonly canceled: number
  /** The message of the call, if it names one. */
  readonly messageid?: MessageId
}

const KINDS = new Set([
  ...['text', 'contact', 'location', 'reaction', 'menu', 'carousel', 'pix', 'media'],
  ...['locationRequest', 'payment', 'forward', 'event', 'channelInvite'],
])
const ROW_TEXTS = [
  'messageid',
  'messageType',
  'mediaType',
  'type',
  'sender',
  'senderPn',
  'senderLid',
  'source',
  'text',
  'quoted',
  'reaction',
  'trackSource',
  'trackId',
  'sendFunction',
] as const

/** Reads stored contents. Returns null if they are of no send: they may come from a file that a stranger made. */
export function parseScheduledContent(text: string, messageid: string): ScheduledContent | null {
  try {
    // Bound: 1,048,576, 20,000 values, what a request sends.
    const value = JSON.parse(text) as ScheduledContent
    return isContent(value, messageid) ? value : null
  } catch {
    return null
  }
}

/** Returns true for a content of a kind that can be sent. */
export function isSendContent(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'kind' in content && KINDS.has(String(content.kind))
}

function isContent({ row, request }: ScheduledContent, messageid: string): boolean {
  const { content, options, number } = request
  return (
    row.messageid === messageid &&
    request.messageid === messageid &&
    ROW_TEXTS.every((field) => row[field] === undefined || typeof row[field] === 'string') &&
    isAddress(row.chat) &&
    row.fromMe &&
    row.status === 'queued' &&
    typeof row.isGroup === 'boolean' &&
    Number.isSafeInteger(row.messageTimestampMs) &&
    typeof number === 'string' &&
    isSendContent(content) &&
    typeof options === 'object' &&
    options !== null
  )
}

function isAddress({ pn, lid, group }: ChatAddress): boolean {
  const all = [pn, lid, group].filter((jid) => jid !== undefined)
  return all.length > 0 && all.every((jid) => typeof jid === 'string' && /^[\w.:-]{1,80}@[a-z.]{1,20}$/.test(jid))
}
