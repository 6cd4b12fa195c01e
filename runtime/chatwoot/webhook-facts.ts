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
      return body.status === 'resolved' ? { type: 'resolved', conversationId: parseChatwootId(body.id) } : OTHER
    default:
      return OTHER
  }
}

function createdFacts(body: Json): WebhookFacts {
  const source = toText(body.source_id)
  if (source.startsWith(SOURCE)) {
    const conversation = toObject(body.conversation)
    const conversationId = parseChatwootId(conversation.id ?? body.conversation_id)
    return {
      type: 'own',
      messageid: source.slice(SOURCE.length, NAME_MAX),
      cwId: parseChatwootId(body.id),
      conversationId,
    }
  }
  const message = agentMessage(body)
  return message === null ? OTHER : { type: 'message', message }
}

/** Returns null for messages that are not for the person: incoming ones, notes, activities, and our own. */
export function agentMessage(raw: Json): AgentMessage | null {
  const type = typeof raw.message_type === 'number' ? (TYPES[raw.message_type] ?? '') : toText(raw.message_type)
  if ((type !== 'outgoing' && type !== 'template') || raw.private === true) return null
  if (!CONTENT_TYPES.has(toText(raw.content_type))) return null
  const conversation = toObject(raw.conversation)
  const attributes = toObject(raw.content_attributes)
  const inbox = toObject(conversation.contact_inbox)
  const sender = toObject(toObject(conversation.meta).sender)
  const files = Array.isArray(raw.attachments) ? raw.attachments.map(toObject) : []
  return {
    cwId: parseChatwootId(raw.id),
    conversationId: parseChatwootId(conversation.id ?? raw.conversation_id),
    content: toText(raw.content).slice(0, CONTENT_MAX),
    files: files
      .map((file) => ({ url: toText(file.data_url), type: toText(file.file_type), extension: toText(file.extension) }))
      .filter(({ url }) => url !== '' && url.length <= URL_MAX)
      .slice(0, FILES_MAX),
    agent: (toText(toObject(raw.sender).available_name) || toText(toObject(raw.sender).name)).slice(0, NAME_MAX),
    inReplyTo: parseChatwootId(attributes.in_reply_to),
    isTemplate: type === 'template',
    createdMs: parseTime(raw.created_at),
    sourceId: toText(raw.source_id),
    error: toText(attributes.external_error) || null,
    isDeleted: attributes.deleted === true,
    contactId: parseChatwootId(inbox.contact_id ?? sender.id),
    phone: toText(sender.phone_number).slice(0, NAME_MAX),
    identifier: toText(sender.identifier).slice(0, NAME_MAX),
    contactSource: toText(inbox.source_id).slice(0, NAME_MAX),
  }
}

/** Reads a stored message. One that a former release stored may have ids that are none. */
export function storedMessage(json: string): AgentMessage {
  // Bound: 262,144, 1,000 values, what we stored of a webhook.
  const message = JSON.parse(json) as AgentMessage
  const { cwId, conversationId, contactId, inReplyTo, createdMs } = message
  return {
    ...message,
    ...{
      cwId: parseChatwootId(cwId),
      conversationId: parseChatwootId(conversationId),
      contactId: parseChatwootId(contactId),
    },
    ...{
      inReplyTo: parseChatwootId(inReplyTo),
      createdMs: parseTime(createdMs),
      contactSource: toText(message.contactSource),
    },
  }
}

/** Returns the ids of account and inbox; 0 where the webhook has none. */
export function readInboxPlace(body: Json): { readonly accountId: number; readonly inboxId: number } {
  const conversation = toObject(body.conversation)
  const inboxId = toObject(body.inbox).id ?? conversation.inbox_id ?? body.inbox_id ?? 0
  return { accountId: parseChatwootId(toObject(body.account).id), inboxId: parseChatwootId(inboxId) }
}

/** Returns an id of theirs; 0 for what is none. Others would be refused by PostgreSQL, again at each attempt. */
export function parseChatwootId(value: unknown): number {
  const id = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}

/** Reads seconds or milliseconds since 1970, or a text. Returns 0 for what is no time. */
function parseTime(value: unknown): number {
  const ms = typeof value === 'number' ? (value < 100_000_000_000 ? value * 1_000 : value) : Date.parse(toText(value))
  return ms >= 0 && ms <= TIME_MAX_MS ? ms : 0
}

function toObject(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** PostgreSQL stores no NUL. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}
