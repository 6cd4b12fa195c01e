/** The records of the platform. */
export type MessageType = 'incoming' | 'outgoing' | 'activity' | 'template'
export type MessageStatus = 'sent' | 'delivered' | 'read' | 'failed'
export type ConversationStatus = 'open' | 'resolved' | 'pending' | 'snoozed'
export type Attributes = Record<string, unknown>

/** Numbers of message types in the answers of the API and in the last message of a conversation. */
export const MESSAGE_TYPES: readonly MessageType[] = ['incoming', 'outgoing', 'activity', 'template']

export interface User {
  readonly id: number
  readonly name: string
  readonly token: string
  readonly role: 'administrator' | 'agent' | 'bot'
  /** Inboxes that an agent is a member of. */
  readonly inboxes: number[]
}

export interface Inbox {
  readonly id: number
  name: string
  readonly channelType: 'Channel::Api' | 'Channel::WebWidget'
  readonly identifier: string
  readonly hmacToken: string
  readonly secret: string
  webhookUrl: string
  locksToSingleConversation: boolean
  greeting: string
}

export interface Contact {
  readonly id: number
  name: string
  phone: string | null
  identifier: string | null
  email: string | null
  avatarUrl: string
  customAttributes: Attributes
  additionalAttributes: Attributes
  readonly createdAt: number
}

export interface ContactInbox {
  readonly id: number
  contactId: number
  readonly inboxId: number
  readonly sourceId: string
}

export interface Conversation {
  /** Number that paths and webhooks show. */
  readonly id: number
  readonly uuid: string
  readonly inboxId: number
  contactId: number
  readonly contactInboxId: number
  status: ConversationStatus
  customAttributes: Attributes
  labels: readonly string[]
  assigneeId: number | null
  teamId: number | null
  lastActivityAt: number
  contactLastSeenAt: number
  readonly createdAt: number
  /** In the order of creation. */
  readonly messages: Message[]
  /** Times of the messages of the last minute. */
  readonly recent: number[]
}

export interface Attachment {
  readonly id: number
  readonly messageId: number
  readonly fileType: 'image' | 'audio' | 'video' | 'file'
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
  /** Address to which its `data_url` redirects; undefined: the storage of the platform. */
  readonly redirectsTo?: string | undefined
}

export interface Message {
  readonly id: number
  readonly conversationId: number
  readonly inboxId: number
  content: string | null
  readonly contentType: string
  readonly type: MessageType
  readonly isPrivate: boolean
  status: MessageStatus
  attributes: Attributes
  readonly sourceId: string | null
  readonly echoId: string | null
  readonly sender: { readonly kind: 'user' | 'contact'; readonly id: number } | null
  readonly createdAt: number
  attachments: Attachment[]
}

export interface Version {
  readonly text: string
  /** Keeps all `content_attributes` of a new message; older releases keep `in_reply_to` and `items` only. */
  readonly keepsAttributes: boolean
  readonly signsInboxWebhooks: boolean
  readonly refusesPrivateWebhooks: boolean
}

/** @throws Error if the text is not a version */
export function parseVersion(text: string, allowsPrivateNetwork: boolean): Version {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+$/.exec(text) ?? []
  if (major === undefined) throw new Error(`"${text}" is not a version such as 4.15.0.`)
  const number = Number(major) * 1000 + Number(minor)
  return {
    text,
    keepsAttributes: number > 4003,
    signsInboxWebhooks: number >= 4013,
    refusesPrivateWebhooks: number >= 4014 && !allowsPrivateNetwork,
  }
}
