/** The database of the platform: one account with its contacts, conversations and messages. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type ContactFields, checkContact } from './contact-rules.js'
import type {
  Attachment,
  Contact,
  ContactInbox,
  Conversation,
  ConversationStatus,
  Inbox,
  Message,
  MessageStatus,
  User,
  Version,
} from './model.js'
import { refusals } from './refusal.js'

const MINUTE_MS = 60_000
const LONGEST_CONTENT = 150_000
const MOST_ATTACHMENTS = 15
const DELETED = 'This message was deleted'

export type StoreEvent =
  | { readonly event: 'message_created' | 'message_updated'; readonly message: Message }
  | {
      readonly event: 'conversation_created' | 'conversation_updated' | 'conversation_status_changed'
      readonly conversation: Conversation
    }

export interface StoreOptions {
  readonly version: Version
  readonly now: () => number
  readonly messagesPerMinute: number
  readonly onEvent: (event: StoreEvent) => void
}

export interface NewMessage {
  readonly type: Message['type']
  readonly content: string | null
  readonly contentType?: string
  readonly isPrivate?: boolean
  readonly attributes?: Message['attributes']
  readonly sourceId?: string | null
  readonly echoId?: string | null
  readonly sender: Message['sender']
  readonly files?: readonly NewFile[]
}

export interface NewFile {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Buffer
  readonly redirectsTo?: string
}

export class Store {
  readonly account = { id: 1, name: 'Sandbox' }
  readonly users: User[] = []
  readonly inboxes = new Map<number, Inbox>()
  readonly contacts = new Map<number, Contact>()
  readonly contactInboxes = new Map<number, ContactInbox>()
  readonly conversations = new Map<number, Conversation>()
  readonly messages = new Map<number, Message>()
  readonly attachments = new Map<number, Attachment>()
  readonly options: StoreOptions
  readonly #lastIds = new Map<string, number>()

  constructor(options: StoreOptions) {
    this.options = options
  }

  addUser(name: string, role: User['role'], inboxes: number[]): User {
    const user = { id: this.#nextId('user'), name, role, inboxes, token: randomBytes(12).toString('hex') }
    this.users.push(user)
    return user
  }

  addInbox(name: string, channelType: Inbox['channelType']): Inbox {
    const inbox: Inbox = {
      id: this.#nextId('inbox'),
      name,
      channelType,
      identifier: randomBytes(12).toString('hex'),
      hmacToken: randomBytes(12).toString('hex'),
      secret: randomBytes(16).toString('hex'),
      webhookUrl: '',
      locksToSingleConversation: false,
      greeting: '',
    }
    this.inboxes.set(inbox.id, inbox)
    return inbox
  }

  /** @throws Refusal */
  createContact(fields: ContactFields): Contact {
    checkContact(fields, this.contacts.values())
    const contact: Contact = {
      id: this.#nextId('contact'),
      name: fields.name ?? '',
      phone: fields.phone ?? null,
      identifier: fields.identifier ?? null,
      email: fields.email ?? null,
      avatarUrl: fields.avatarUrl ?? '',
      customAttributes: { ...fields.customAttributes },
      additionalAttributes: { ...fields.additionalAttributes },
      createdAt: this.options.now(),
    }
    this.contacts.set(contact.id, contact)
    return contact
  }

  /** Changes a contact; custom and additional attributes are merged. @throws Refusal */
  updateContact(contact: Contact, fields: ContactFields): void {
    // The platform validates the whole contact, so old duplicates refuse unrelated changes too.
    checkContact({ ...contact, ...fields }, this.contacts.values(), contact.id)
    contact.name = fields.name ?? contact.name
    if (fields.phone !== undefined) contact.phone = fields.phone
    if (fields.identifier !== undefined) contact.identifier = fields.identifier
    if (fields.email !== undefined) contact.email = fields.email
    contact.avatarUrl = fields.avatarUrl ?? contact.avatarUrl
    Object.assign(contact.customAttributes, fields.customAttributes)
    Object.assign(contact.additionalAttributes, fields.additionalAttributes)
  }

  contactInboxBySource(inboxId: number, sourceId: string): ContactInbox | undefined {
    for (const one of this.contactInboxes.values()) if (one.inboxId === inboxId && one.sourceId === sourceId) return one
    return undefined
  }

  /** Finds or creates the contact_inbox. Without a source_id an API inbox gets a new one each time. @throws Refusal */
  contactInbox(contactId: number, inboxId: number, sourceId: string = randomUUID()): ContactInbox {
    const found = this.contactInboxBySource(inboxId, sourceId)
    if (found !== undefined && found.contactId !== contactId) throw refusals.unprocessable('source_id should be unique')
    if (found !== undefined) return found
    const made = { id: this.#nextId('contactInbox'), contactId, inboxId, sourceId }
    this.contactInboxes.set(made.id, made)
    return made
  }

  createConversation(link: ContactInbox, fields: Partial<Conversation> = {}): Conversation {
    const now = this.options.now()
    const conversation: Conversation = {
      id: this.#nextId('conversation'),
      uuid: randomUUID(),
      inboxId: link.inboxId,
      contactId: link.contactId,
      contactInboxId: link.id,
      status: fields.status ?? 'open',
      customAttributes: { ...fields.customAttributes },
      labels: [],
      assigneeId: fields.assigneeId ?? null,
      teamId: fields.teamId ?? null,
      lastActivityAt: now,
      contactLastSeenAt: 0,
      createdAt: now,
      messages: [],
      recent: [],
    }
    this.conversations.set(conversation.id, conversation)
    this.options.onEvent({ event: 'conversation_created', conversation })
    return conversation
  }

  setStatus(conversation: Conversation, status: ConversationStatus): void {
    if (conversation.status === status) return
    conversation.status = status
    this.options.onEvent({ event: 'conversation_updated', conversation })
    this.options.onEvent({ event: 'conversation_status_changed', conversation })
  }

  /** @throws Refusal */
  createMessage(conversation: Conversation, given: NewMessage): Message {
    const now = this.options.now()
    this.#checkMessage(conversation, given, now)
    const id = this.#nextId('message')
    const message: Message = {
      id,
      conversationId: conversation.id,
      inboxId: conversation.inboxId,
      content: given.content,
      contentType: given.contentType ?? 'text',
      type: given.type,
      isPrivate: given.isPrivate ?? false,
      status: 'sent',
      attributes: this.#resolved(conversation, given.attributes ?? {}),
      sourceId: given.sourceId ?? null,
      echoId: given.echoId ?? null,
      sender: given.sender,
      createdAt: now,
      attachments: (given.files ?? []).map((file) => this.#attach(id, file)),
    }
    conversation.recent.push(now)
    conversation.messages.push(message)
    conversation.lastActivityAt = now
    this.messages.set(id, message)
    const isFirst =
      message.type === 'incoming' && !conversation.messages.some((m) => m !== message && m.type === 'incoming')
    if (message.type === 'incoming' && ['resolved', 'snoozed'].includes(conversation.status))
      this.setStatus(conversation, 'open')
    this.options.onEvent({ event: 'message_created', message })
    const greeting = this.inboxes.get(conversation.inboxId)?.greeting ?? ''
    if (isFirst && greeting !== '')
      this.createMessage(conversation, { type: 'template', content: greeting, sender: null })
    return message
  }

  /** Sets the status as the platform does: it refuses read → delivered only. Returns whether something changed. */
  setMessageStatus(message: Message, status: MessageStatus, externalError?: string): boolean {
    if (message.status === 'read' && status === 'delivered') return false
    const error = status === 'failed' ? (externalError ?? null) : null
    if (message.status === status && (message.attributes.external_error ?? null) === error) return false
    message.status = status
    message.attributes = { ...message.attributes, external_error: error }
    this.options.onEvent({ event: 'message_updated', message })
    return true
  }

  deleteMessage(message: Message): void {
    message.content = DELETED
    message.attributes = { deleted: true }
    for (const { id } of message.attachments) this.attachments.delete(id)
    message.attachments = []
    this.options.onEvent({ event: 'message_updated', message })
  }

  /** Sends a failed message again: for an API inbox that is only an update. */
  retryMessage(message: Message): boolean {
    if (message.status !== 'failed') return false
    this.setMessageStatus(message, 'sent')
    const { external_error: _, ...kept } = message.attributes
    message.attributes = kept
    return true
  }

  /** Moves everything of one contact to another and destroys it. */
  mergeContacts(base: Contact, mergee: Contact): void {
    for (const link of this.contactInboxes.values()) if (link.contactId === mergee.id) link.contactId = base.id
    for (const one of this.conversations.values()) if (one.contactId === mergee.id) one.contactId = base.id
    this.contacts.delete(mergee.id)
    base.phone ??= mergee.phone
    base.identifier ??= mergee.identifier
    base.email ??= mergee.email
    if (base.name === '') base.name = mergee.name
    base.customAttributes = { ...mergee.customAttributes, ...base.customAttributes }
    base.additionalAttributes = { ...mergee.additionalAttributes, ...base.additionalAttributes }
  }

  deleteConversation(conversation: Conversation): void {
    for (const { id } of conversation.messages) this.messages.delete(id)
    this.conversations.delete(conversation.id)
  }

  #checkMessage(conversation: Conversation, given: NewMessage, now: number): void {
    if (given.type === 'incoming' && this.inboxes.get(conversation.inboxId)?.channelType !== 'Channel::Api')
      throw refusals.unprocessable('Incoming messages are only allowed in Api inboxes')
    if ((given.content ?? '').length > LONGEST_CONTENT)
      throw refusals.unprocessable(`Validation failed: Content is too long (maximum is ${LONGEST_CONTENT} characters)`)
    if ((given.files ?? []).length > MOST_ATTACHMENTS)
      throw refusals.unprocessable('Validation failed: Attachments exceeded maximum allowed')
    const { recent } = conversation
    while (recent[0] !== undefined && recent[0] <= now - MINUTE_MS) recent.shift()
    if (recent.length >= this.options.messagesPerMinute)
      throw refusals.unprocessable('Validation failed: Too many messages')
  }

  /** Resolves a reply within the conversation; both fields are cleared when the target is not in it. */
  #resolved(conversation: Conversation, attributes: Message['attributes']): Message['attributes'] {
    const { in_reply_to, in_reply_to_external_id, ...others } = attributes
    if (in_reply_to == null && in_reply_to_external_id == null) return others
    const target = conversation.messages.find((one) =>
      in_reply_to != null ? one.id === Number(in_reply_to) : one.sourceId === in_reply_to_external_id,
    )
    return { ...others, in_reply_to: target?.id ?? null, in_reply_to_external_id: target?.sourceId ?? null }
  }

  #attach(messageId: number, { fileName, contentType, bytes, redirectsTo }: NewFile): Attachment {
    const [kind = ''] = contentType.split('/')
    const fileType = kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
    const id = this.#nextId('attachment')
    const attachment: Attachment = { id, messageId, fileType, fileName, contentType, bytes, redirectsTo }
    this.attachments.set(id, attachment)
    return attachment
  }

  #nextId(kind: string): number {
    const id = (this.#lastIds.get(kind) ?? 0) + 1
    this.#lastIds.set(kind, id)
    return id
  }
}
