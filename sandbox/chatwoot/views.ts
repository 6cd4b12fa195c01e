/** Bodies of answers and webhooks. The two show the same records with different names, numbers and times. */
import {
  type Attachment,
  type Contact,
  type ContactInbox,
  type Conversation,
  type Inbox,
  MESSAGE_TYPES,
  type Message,
  type User,
} from './model.js'
import type { Store, StoreEvent } from './store.js'

type Json = Readonly<Record<string, unknown>>
const seconds = (ms: number): number => Math.floor(ms / 1000)

export interface Views {
  user(user: User): Json
  inbox(inbox: Inbox, reader: User): Json
  contact(contact: Contact, options?: { readonly withInboxes: boolean }): Json
  contactInbox(link: ContactInbox): Json
  publicContact(link: ContactInbox): Json
  conversation(conversation: Conversation): Json
  message(message: Message): Json
  webhook(event: StoreEvent): Json
}

/** `url`: address of the platform, for the addresses of files. */
export function createViews(store: Store, url: () => string): Views {
  const attachment = (one: Attachment): Json => {
    const place = `${url()}/rails/active_storage/blobs/redirect/${one.id}/${encodeURIComponent(one.fileName)}`
    return {
      id: one.id,
      message_id: one.messageId,
      file_type: one.fileType,
      account_id: store.account.id,
      extension: null,
      data_url: place,
      thumb_url: one.fileType === 'image' ? place : '',
      file_size: one.bytes.length,
      width: null,
      height: null,
    }
  }
  const sender = (message: Message): Json | undefined => {
    if (message.sender === null) return undefined
    const { kind, id } = message.sender
    if (kind === 'contact') {
      const contact = store.contacts.get(id) ?? store.contacts.get(findContact(store, message))
      return contact === undefined ? undefined : { ...contactEvent(contact), type: 'contact' }
    }
    const user = store.users.find((one) => one.id === id)
    return user === undefined ? undefined : { ...userEvent(user), type: user.role === 'bot' ? 'agent_bot' : 'user' }
  }
  const message = (one: Message): Json => ({
    id: one.id,
    content: one.content,
    inbox_id: one.inboxId,
    ...(one.echoId === null ? {} : { echo_id: one.echoId }),
    conversation_id: one.conversationId,
    message_type: MESSAGE_TYPES.indexOf(one.type),
    content_type: one.contentType,
    status: one.status,
    content_attributes: one.attributes,
    created_at: seconds(one.createdAt),
    private: one.isPrivate,
    source_id: one.sourceId,
    ...optional('sender', sender(one)),
    ...(one.attachments.length === 0 ? {} : { attachments: one.attachments.map(attachment) }),
  })
  const contact = (one: Contact, options = { withInboxes: true }): Json => ({
    additional_attributes: one.additionalAttributes,
    availability_status: 'offline',
    email: one.email,
    id: one.id,
    name: one.name,
    phone_number: one.phone,
    blocked: false,
    identifier: one.identifier,
    thumbnail: one.avatarUrl,
    custom_attributes: one.customAttributes,
    created_at: seconds(one.createdAt),
    ...(options.withInboxes ? { contact_inboxes: listLinks(store, one).map(contactInbox) } : {}),
  })
  const contactInbox = (link: ContactInbox): Json => {
    const inbox = store.inboxes.get(link.inboxId)
    return {
      source_id: link.sourceId,
      inbox: { id: link.inboxId, name: inbox?.name, channel_type: inbox?.channelType, provider: null },
    }
  }
  return {
    user: (user) => ({
      ...userEvent(user),
      account_id: store.account.id,
      role: user.role,
      accounts: [{ id: store.account.id, name: store.account.name, role: user.role, status: 'active' }],
    }),
    inbox: (inbox, reader) => inboxView(inbox, reader, store),
    contact,
    contactInbox,
    publicContact: (link) => {
      const one = store.contacts.get(link.contactId)
      return { id: one?.id, name: one?.name, email: one?.email, phone_number: one?.phone, source_id: link.sourceId }
    },
    conversation: (one) => conversationView(one, store, message, contact),
    message,
    webhook: (happened) =>
      'message' in happened
        ? { event: happened.event, ...messageEvent(happened.message, store, sender, attachment, message) }
        : { event: happened.event, ...conversationEvent(happened.conversation, store, message) },
  }
}

function inboxView(inbox: Inbox, reader: User, store: Store): Json {
  const isApi = inbox.channelType === 'Channel::Api'
  const secrets = reader.role === 'administrator' && isApi
  return {
    id: inbox.id,
    avatar_url: '',
    channel_id: inbox.id,
    name: inbox.name,
    channel_type: inbox.channelType,
    greeting_enabled: inbox.greeting !== '',
    greeting_message: inbox.greeting,
    enable_auto_assignment: true,
    lock_to_single_conversation: inbox.locksToSingleConversation,
    ...(isApi ? { webhook_url: inbox.webhookUrl, inbox_identifier: inbox.identifier, hmac_mandatory: false } : {}),
    ...(secrets ? { hmac_token: inbox.hmacToken } : {}),
    ...(secrets && store.options.version.signsInboxWebhooks ? { secret: inbox.secret } : {}),
  }
}

function conversationView(
  one: Conversation,
  store: Store,
  message: (message: Message) => Json,
  contact: (contact: Contact, options: { withInboxes: boolean }) => Json,
): Json {
  const person = store.contacts.get(one.contactId)
  const last = one.messages.at(-1)
  const assignee = store.users.find(({ id }) => id === one.assigneeId)
  return {
    meta: {
      sender: person === undefined ? {} : contact(person, { withInboxes: false }),
      channel: store.inboxes.get(one.inboxId)?.channelType,
      ...optional('assignee', assignee && userEvent(assignee)),
      hmac_verified: false,
    },
    id: one.id,
    messages: last === undefined ? [] : [message(last)],
    account_id: store.account.id,
    uuid: one.uuid,
    additional_attributes: {},
    can_reply: true,
    contact_last_seen_at: seconds(one.contactLastSeenAt),
    custom_attributes: one.customAttributes,
    inbox_id: one.inboxId,
    labels: one.labels,
    muted: false,
    snoozed_until: null,
    status: one.status,
    created_at: seconds(one.createdAt),
    timestamp: seconds(one.lastActivityAt),
    unread_count: 0,
    last_activity_at: seconds(one.lastActivityAt),
    priority: null,
  }
}

function conversationEvent(one: Conversation, store: Store, message: (message: Message) => Json): Json {
  const person = store.contacts.get(one.contactId)
  const assignee = store.users.find(({ id }) => id === one.assigneeId)
  const last = one.messages.findLast(({ type }) => type !== 'activity')
  const link = store.contactInboxes.get(one.contactInboxId)
  return {
    additional_attributes: {},
    can_reply: true,
    channel: store.inboxes.get(one.inboxId)?.channelType,
    contact_inbox: {
      id: link?.id,
      contact_id: link?.contactId,
      inbox_id: link?.inboxId,
      source_id: link?.sourceId,
      hmac_verified: false,
    },
    id: one.id,
    inbox_id: one.inboxId,
    messages: last === undefined ? [] : [message(last)],
    labels: one.labels,
    meta: {
      sender: person === undefined ? null : { ...contactEvent(person), type: 'contact' },
      assignee: assignee === undefined ? null : userEvent(assignee),
      team: null,
      hmac_verified: false,
    },
    status: one.status,
    custom_attributes: one.customAttributes,
    snoozed_until: null,
    unread_count: 0,
    last_activity_at: seconds(one.lastActivityAt),
    timestamp: seconds(one.lastActivityAt),
    created_at: seconds(one.createdAt),
  }
}

function messageEvent(
  one: Message,
  store: Store,
  sender: (message: Message) => Json | undefined,
  attachment: (attachment: Attachment) => Json,
  message: (message: Message) => Json,
): Json {
  const conversation = store.conversations.get(one.conversationId)
  return {
    account: store.account,
    additional_attributes: {},
    content_attributes: one.attributes,
    content_type: one.contentType,
    content: one.content,
    conversation: conversation === undefined ? null : conversationEvent(conversation, store, message),
    created_at: new Date(one.createdAt).toISOString(),
    id: one.id,
    inbox: { id: one.inboxId, name: store.inboxes.get(one.inboxId)?.name },
    message_type: one.type,
    private: one.isPrivate,
    sender: sender(one) ?? null,
    source_id: one.sourceId,
    ...(one.attachments.length === 0 ? {} : { attachments: one.attachments.map(attachment) }),
  }
}

function contactEvent(one: Contact): Json {
  return {
    additional_attributes: one.additionalAttributes,
    custom_attributes: one.customAttributes,
    email: one.email,
    id: one.id,
    identifier: one.identifier,
    name: one.name,
    phone_number: one.phone,
    thumbnail: one.avatarUrl,
    blocked: false,
  }
}

function userEvent({ id, name }: User): Json {
  return { id, name, available_name: name, avatar_url: '', availability_status: 'online' }
}

function listLinks(store: Store, contact: Contact): readonly ContactInbox[] {
  return [...store.contactInboxes.values()].filter(({ contactId }) => contactId === contact.id)
}

function findContact(store: Store, message: Message): number {
  return store.conversations.get(message.conversationId)?.contactId ?? 0
}

function optional(name: string, value: unknown): Json {
  return value === undefined ? {} : { [name]: value }
}
