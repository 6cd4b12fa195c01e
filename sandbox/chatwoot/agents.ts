/** Agents at the platform: they answer, start conversations, delete, retry and merge in its pages. */
import { randomUUID } from 'node:crypto'
import type { Attributes, Contact, Conversation, ConversationStatus, Inbox, Message, User } from './model.js'
import type { NewFile, Store } from './store.js'

export interface AgentMessage {
  readonly content?: string
  readonly files?: readonly NewFile[]
  /** A note for colleagues. */
  readonly isPrivate?: boolean
  /** Message of this conversation that it answers. */
  readonly inReplyTo?: number
  /** `template`: a greeting, an out-of-office text or a survey of the platform. */
  readonly type?: 'outgoing' | 'template'
  readonly contentType?: string
  readonly attributes?: Attributes
}

export interface NewConversation extends AgentMessage {
  readonly phone?: string
  readonly name?: string
  /** The API inbox that is there from the beginning, when left out. */
  readonly inboxId?: number
  /** A known contact; otherwise one with this number, which is created if there is none. */
  readonly contactId?: number
}

export interface Agents {
  replies(conversationId: number, message: AgentMessage | string): Message
  starts(conversation: NewConversation): { readonly conversation: Conversation; readonly message: Message }
  deletesMessage(messageId: number): void
  /** Presses retry below a failed message. */
  retries(messageId: number): void
  resolves(conversationId: number, status?: ConversationStatus): void
  deletesConversation(conversationId: number): void
  /** Its places in inboxes stay. */
  deletesContact(contactId: number): void
  mergesContacts(baseId: number, mergeeId: number): void
  /** Adds another API inbox, with its agent as member. */
  addsInbox(name: string): Inbox
  deletesInbox(inboxId: number): void
}

export function createAgents(store: Store, agent: User, inbox: Inbox, checkThere: () => void): Agents {
  const findConversation = (id: number): Conversation => known(store.conversations, id, 'conversation')
  const replies = (conversationId: number, given: AgentMessage | string): Message => {
    checkThere()
    const message = typeof given === 'string' ? { content: given } : given
    const type = message.type ?? 'outgoing'
    return store.createMessage(findConversation(conversationId), {
      type,
      content: message.content ?? null,
      contentType: message.contentType ?? 'text',
      isPrivate: message.isPrivate ?? false,
      attributes: {
        ...message.attributes,
        ...(message.inReplyTo === undefined ? {} : { in_reply_to: message.inReplyTo }),
      },
      sender: type === 'template' ? null : { kind: 'user', id: agent.id },
      files: message.files ?? [],
    })
  }
  return {
    replies,
    starts({ phone, name, contactId, inboxId = inbox.id, ...message }) {
      checkThere()
      const contact =
        contactId === undefined ? contactByPhone(store, phone, name) : known(store.contacts, contactId, 'contact')
      // The pages make a contact_inbox of their own, even if the contact has one.
      const link = store.contactInbox(contact.id, inboxId, randomUUID())
      const conversation = store.createConversation(link, { assigneeId: agent.id })
      return { conversation, message: replies(conversation.id, message) }
    },
    deletesMessage: (id) => store.deleteMessage(known(store.messages, id, 'message')),
    retries: (id) => void store.retryMessage(known(store.messages, id, 'message')),
    resolves: (id, status = 'resolved') => store.setStatus(findConversation(id), status),
    deletesConversation: (id) => store.deleteConversation(findConversation(id)),
    deletesContact(id) {
      const contact = known(store.contacts, id, 'contact')
      for (const one of [...store.conversations.values()]) if (one.contactId === id) store.deleteConversation(one)
      // Its places in inboxes go later, by a job: their `source_id` stays taken meanwhile.
      store.contacts.delete(contact.id)
    },
    mergesContacts: (baseId, mergeeId) =>
      store.mergeContacts(known(store.contacts, baseId, 'contact'), known(store.contacts, mergeeId, 'contact')),
    addsInbox(name) {
      const added = store.addInbox(name, 'Channel::Api')
      agent.inboxes.push(added.id)
      return added
    },
    deletesInbox(id) {
      for (const one of [...store.conversations.values()]) if (one.inboxId === id) store.deleteConversation(one)
      for (const link of [...store.contactInboxes.values()])
        if (link.inboxId === id) store.contactInboxes.delete(link.id)
      store.inboxes.delete(id)
    },
  }
}

function contactByPhone(store: Store, phone: string | undefined, name: string | undefined): Contact {
  const found = [...store.contacts.values()].find((one) => phone !== undefined && one.phone === phone)
  return found ?? store.createContact({ name: name ?? phone ?? '', ...(phone === undefined ? {} : { phone }) })
}

function known<T>(records: ReadonlyMap<number, T>, id: number, kind: string): T {
  const record = records.get(id)
  if (record === undefined) throw new Error(`The platform has no ${kind} ${id}.`)
  return record
}
