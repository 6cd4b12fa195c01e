/** Reads a webhook of Chatwoot: what it asks of us, if anything. */
import { isObject } from '../../lib/is-object.js'

type Json = Readonly<Record<string, unknown>>

/** The parts of a message that an agent wrote, from a webhook or a list of messages. */
export interface AgentMessage {
  /** 0 if it is no whole number above 0, as is the id of the conversation. */
  readonly cwId: number
  readonly conversationId: number
  readonly content: string
  readonly files: readonly { readonly url: string; readonly type: string; readonly extension: string }[]
  readonly agent: string
  /** Their id of the message that it answers; 0 for none. */
  readonly inReplyTo: number
  readonly isTemplate: boolean
  readonly createdMs: number
  readonly sourceId: string
  /** The error that Chatwoot shows on it; null when there is none. */
  readonly error: string | null
  readonly isDeleted: boolean
  /** Contact of the conversation. */
  readonly contactId: number
  readonly phone: string
  readonly identifier: string
  /** Of the contact in the inbox. */
  readonly contactSource: string
}

export type WebhookFacts =
  | { readonly type: 'message'; readonly message: AgentMessage }
  /** Our own message, which the platform shows now. */
  | { readonly type: 'own'; readonly messageid: string; readonly cwId: number; readonly conversationId: number }
  | { readonly type: 'changed'; readonly message: AgentMessage }
  | { readonly type: 'resolved'; readonly conversationId: number }
  | { readonly type: 'other' }

const OTHER: WebhookFacts = { type: 'other' }
/** Values of `message_type` in lists of messages. */
const TYPES = ['incoming', 'outgoing', 'activity', 'template']
const CONTENT_TYPES = new Set(['', 'text', 'input_csat', 'input_select', 'cards', 'article', 'form'])
/** Limits of a message in Chatwoot. */
const CONTENT_MAX = 150_000
const FILES_MAX = 15
const URL_MAX = 4_000
/** Limit of a `Date`. */
const TIME_MAX_MS = 8.64e15
/** Maximum length of names and identifiers of a contact. */
const NAME_MAX = 1_000
const SOURCE = 'WAID:'

export function webhookFacts(body: Json): WebhookFacts {
  switch (body.event) {
    case 'message_created':
      return createdFacts(body)
    case 'message_updated': {
      const message = agentMessage(body)
      return message === null ? OTHER : { type: 'changed', message }
    }
    case 'conversation_status_changed':
      return body.status === 'resolved' ? { type: 'resolved', conversationId: idOf(body.id) } : OTHER
    default:
      return OTHER
  }
}

function createdFacts(body: Json): WebhookFacts {
  const source = textOf(body.source_id)
  if (source.startsWith(SOURCE)) {
    const conversation = objectOf(body.conversation)
    const conversationId = idOf(conversation.id ?? body.conversation_id)
    return { type: 'own', messageid: source.slice(SOURCE.length, NAME_MAX), cwId: idOf(body.id), conversationId }
  }
  const message = agentMessage(body)
  return message === null ? OTHER : { type: 'message', message }
}

/** Returns null for messages that are not for the person: incoming ones, notes, activities, and our own. */
export function agentMessage(raw: Json): AgentMessage | null {
  const type = typeof raw.message_type === 'number' ? (TYPES[raw.message_type] ?? '') : textOf(raw.message_type)
  if ((type !== 'outgoing' && type !== 'template') || raw.private === true) return null
  if (!CONTENT_TYPES.has(textOf(raw.content_type))) return null
  const conversation = objectOf(raw.conversation)
  const attributes = objectOf(raw.content_attributes)
  const inbox = objectOf(conversation.contact_inbox)
  const sender = objectOf(objectOf(conversation.meta).sender)
  const files = Array.isArray(raw.attachments) ? raw.attachments.map(objectOf) : []
  return {
    cwId: idOf(raw.id),
    conversationId: idOf(conversation.id ?? raw.conversation_id),
    content: textOf(raw.content).slice(0, CONTENT_MAX),
    files: files
      .map((file) => ({ url: textOf(file.data_url), type: textOf(file.file_type), extension: textOf(file.extension) }))
      .filter(({ url }) => url !== '' && url.length <= URL_MAX)
      .slice(0, FILES_MAX),
    agent: (textOf(objectOf(raw.sender).available_name) || textOf(objectOf(raw.sender).name)).slice(0, NAME_MAX),
    inReplyTo: idOf(attributes.in_reply_to),
    isTemplate: type === 'template',
    createdMs: timeOf(raw.created_at),
    sourceId: textOf(raw.source_id),
    error: textOf(attributes.external_error) || null,
    isDeleted: attributes.deleted === true,
    contactId: idOf(inbox.contact_id ?? sender.id),
    phone: textOf(sender.phone_number).slice(0, NAME_MAX),
    identifier: textOf(sender.identifier).slice(0, NAME_MAX),
    contactSource: textOf(inbox.source_id).slice(0, NAME_MAX),
  }
}

/** Reads a stored message. One that a former release stored may have ids that are none. */
export function storedMessage(json: string): AgentMessage {
  // Bound: 262,144, 1,000 values, what we stored of a webhook.
  const message = JSON.parse(json) as AgentMessage
  const { cwId, conversationId, contactId, inReplyTo, createdMs } = message
  return {
    ...message,
    ...{ cwId: idOf(cwId), conversationId: idOf(conversationId), contactId: idOf(contactId) },
    ...{ inReplyTo: idOf(inReplyTo), createdMs: timeOf(createdMs), contactSource: textOf(message.contactSource) },
  }
}

/** Returns the ids of account and inbox; 0 where the webhook has none. */
export function readInboxPlace(body: Json): { readonly accountId: number; readonly inboxId: number } {
  const conversation = objectOf(body.conversation)
  const inboxId = objectOf(body.inbox).id ?? conversation.inbox_id ?? body.inbox_id ?? 0
  return { accountId: idOf(objectOf(body.account).id), inboxId: idOf(inboxId) }
}

/** Returns an id of theirs; 0 for what is none. Others would be refused by PostgreSQL, again at each attempt. */
export function idOf(value: unknown): number {
  const id = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}

/** Reads seconds or milliseconds since 1970, or a text. Returns 0 for what is no time. */
function timeOf(value: unknown): number {
  const ms = typeof value === 'number' ? (value < 100_000_000_000 ? value * 1_000 : value) : Date.parse(textOf(value))
  return ms >= 0 && ms <= TIME_MAX_MS ? ms : 0
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** PostgreSQL stores no NUL. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}
