/** Composes the events of a batch: only for what really changed, in the order of the changes. */

import type { MessageUpdateChange } from '../../../actors/instance/ports.js'
import type { EventKind } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { type ChatAddress, chatIdOf, isGroupJid, isLidJid } from '../../../schemas/jid.js'
import type { LabelFields } from '../../../schemas/stored-fields.js'
import { sparseChatRecord } from '../chat-record.js'
import { messageFlags } from '../event-filter.js'
import { newMessageRecord, sparseMessageJson } from '../message-record.js'
import type { InstanceFacts, JournalChange, NewEvent, Write } from './batch.js'
import { keyOf } from './batch.js'
import { type BlockedChats, blockedBy } from './blocklist-changes.js'
import type { ChangedChat } from './chat-changes.js'
import type { ChatResolver } from './chat-resolver.js'
import type { ContactChanges, ContactRow } from './contact-changes.js'
import type { LabelChanges } from './label-changes.js'
import type { LeadChanges } from './lead-changes.js'
import type { Insertion } from './message-inserts.js'
import type { ChangedMessage, MessageUpdates } from './message-updates.js'
import type { OptOuts } from './opt-outs.js'
import type { UniqueEvents } from './unique-events.js'

/** The rows that a batch wrote, by change. */
export interface BatchRows {
  readonly chats: ChatResolver
  readonly contacts: ContactChanges
  readonly leads: LeadChanges
  readonly toldOnce: UniqueEvents
  readonly optOuts: OptOuts
  readonly labels: LabelChanges
  readonly blockedChats: BlockedChats
  readonly updates: MessageUpdates
  readonly insertions: ReadonlyMap<object, Insertion>
  readonly changedChats: ReadonlyMap<string, ChangedChat>
  readonly facts: ReadonlyMap<string, InstanceFacts>
  readonly now: Date
}

export function composeEvents(writes: readonly Write[], rows: BatchRows): readonly NewEvent[] {
  const composer = new EventComposer(rows)
  for (const { instance, changes } of writes) for (const change of changes) composer.add(instance, change)
  return composer.events
}

type ChangeOf<Type extends JournalChange['type']> = Extract<JournalChange, { type: Type }>

class EventComposer {
  readonly events: NewEvent[] = []
  readonly #rows: BatchRows
  /** Records of chats as JSON. A record is the same for all messages of a batch: as it is at the commit. */
  readonly #chatTexts = new Map<string, string>()

  constructor(rows: BatchRows) {
    this.#rows = rows
  }

  add(instance: InstanceId, change: JournalChange): void {
    switch (change.type) {
      case 'message':
        this.#addMessage(instance, change)
        break
      case 'message.update':
        if (change.announce !== undefined)
          this.events.push(...updateEvents(instance, change, this.#rows.updates.changedBy(change)))
        break
      case 'chat': {
        const chat = this.#chatOf(instance, change.chat)
        if (change.announce && chat?.changed) this.#addChat(instance, 'chats', chat)
        break
      }
      case 'contact':
        this.#addContact(instance, change)
        break
      case 'lead': {
        const chat = this.#chatOf(instance, change.chat)
        if (chat !== undefined && this.#rows.leads.hasChanged(instance, chat.id)) this.#addChat(instance, 'leads', chat)
        break
      }
      case 'chat.label': {
        const chat = this.#chatOf(instance, change.chat)
        if (chat?.changed) this.#addChat(instance, 'chat_labels', chat)
        break
      }
      case 'label':
        if (!this.#rows.labels.hasChanged(instance, change.label)) break
        this.events.push({ instance, kind: 'labels', chatId: null, flags: null, body: labelBody(change.label) })
        break
      case 'blocked':
        this.#addBlocked(instance, change)
        break
      case 'event':
        this.#addEvent(instance, change)
        break
      case 'optOut':
        this.#addOptOut(instance, change)
        break
      default:
    }
  }

  #addMessage(instance: InstanceId, change: ChangeOf<'message'>): void {
    const rows = this.#rows
    const insertion = rows.insertions.get(change)
    const chat = insertion && rows.changedChats.get(keyOf(instance, insertion.chatId))
    if (!change.announce || !insertion?.isNew || chat === undefined || insertion.sameAs !== null) return
    const message = sparseMessageJson(recordOfNew(insertion, rows), insertion.content)
    this.events.push({
      instance,
      kind: 'messages',
      chatId: chat.id,
      flags: messageFlags(change.message),
      body: `{"chat":${this.#chatText(instance, chat)},"chatSource":"updated","message":${message}}`,
      traceparent: change.traceparent,
    })
  }

  #addContact(instance: InstanceId, change: ChangeOf<'contact'>): void {
    const contact = this.#rows.contacts.changedRow(instance, change.contact)
    if (!change.announce || contact === undefined) return
    const chatId = this.#rows.chats.chatOf(instance, change.contact.address)
    this.events.push({ instance, kind: 'contacts', chatId, flags: null, body: contactBody(contact) })
  }

  #addBlocked(instance: InstanceId, change: ChangeOf<'blocked'>): void {
    const { chats, blockedChats, changedChats } = this.#rows
    for (const { chatId } of blockedBy(change, instance, chats, blockedChats)) {
      const chat = changedChats.get(keyOf(instance, chatId))
      if (chat?.changed) this.#addChat(instance, 'chats', chat)
    }
  }

  #addEvent(instance: InstanceId, change: ChangeOf<'event'>): void {
    const eventId = this.#rows.toldOnce.claim(instance, change)
    if (eventId === null) return
    const chatId = change.chat === undefined ? null : this.#rows.chats.chatOf(instance, change.chat)
    const body = JSON.stringify(change.body)
    const id = eventId === undefined ? {} : { eventId }
    this.events.push({ instance, kind: change.kind, chatId, flags: null, body, ...id })
  }

  #addOptOut(instance: InstanceId, change: ChangeOf<'optOut'>): void {
    const person = this.#rows.optOuts.suppressedBy(change)
    if (person === undefined) return
    const { chat, messageid, word } = change
    const event = { JID: chatIdOf(chat), LID: chat.lid ?? '', Action: 'opted_out', Word: word, MessageID: messageid }
    const chatId = this.#rows.chats.chatOf(instance, chat)
    this.events.push({ instance, kind: 'suppressions', chatId, flags: null, body: JSON.stringify({ event }) })
  }

  #addChat(instance: InstanceId, kind: EventKind, chat: ChangedChat): void {
    const body = `{"chat":${this.#chatText(instance, chat)}}`
    this.events.push({ instance, kind, chatId: chat.id, flags: null, body })
  }

  #chatOf(instance: InstanceId, address: ChatAddress): ChangedChat | undefined {
    const chatId = this.#rows.chats.chatOf(instance, address)
    return chatId === null ? undefined : this.#rows.changedChats.get(keyOf(instance, chatId))
  }

  #chatText(instance: InstanceId, chat: ChangedChat): string {
    const key = keyOf(instance, chat.id)
    let text = this.#chatTexts.get(key)
    if (text === undefined) {
      text = JSON.stringify(sparseChatRecord(chat, this.#rows.facts.get(instance)?.owner ?? ''))
      this.#chatTexts.set(key, text)
    }
    return text
  }
}

/** Returns the record of a message that this batch inserted. */
export function recordOfNew(insertion: Insertion, rows: BatchRows): Record<string, unknown> {
  const { instance, chatId, id, message } = insertion
  const chat = rows.changedChats.get(keyOf(instance, chatId))
  const place = {
    id,
    wa_chatid: String(chat?.wa_chatid ?? ''),
    wa_chatlid: String(chat?.wa_chatlid ?? ''),
    chat_name: String(chat?.name ?? ''),
    now: rows.now,
  }
  return newMessageRecord(message, place, rows.facts.get(instance)?.owner ?? '')
}

/** One event per chat: an update names messages by their ids at the network, which are unique per chat only. */
function* updateEvents(
  instance: InstanceId,
  change: MessageUpdateChange,
  changed: readonly ChangedMessage[],
): Generator<NewEvent> {
  const { type, state, event } = change.announce ?? { type: '', state: '', event: {} }
  const byChat = new Map<number, ChangedMessage[]>()
  for (const message of changed) {
    const known = byChat.get(message.chat_id)
    if (known === undefined) byChat.set(message.chat_id, [message])
    else known.push(message)
  }
  for (const [chatId, messages] of byChat) {
    const body = {
      type,
      state,
      status: messages[0]?.status,
      ids: messages.map((message) => message.id),
      event: { ...inChat(event, messages[0]?.chatJids), MessageIDs: messages.map((message) => message.messageid) },
    }
    const { traceparent } = change
    yield { instance, kind: 'messages_update', chatId, flags: null, body: JSON.stringify(body), traceparent }
  }
}

/** The event with its chat named as events of kind `messages` name it, and so the sender in a chat of two. */
function inChat(event: Readonly<Record<string, unknown>>, jids: ChangedMessage['chatJids'] | undefined) {
  const [chatid, chatlid] = jids ?? []
  if (chatid === undefined || chatlid === undefined) return event
  const chat = { Chat: chatid, chat_lid: chatlid, IsGroup: isGroupJid(chatid) }
  if (event.Sender !== chatlid && event.Sender !== chatid) return { ...event, ...chat }
  return { ...event, ...chat, Sender: chatid, sender_pn: isLidJid(chatid) ? '' : chatid, sender_lid: chatlid }
}

function labelBody({ labelid, name, color, isDeleted }: LabelFields): string {
  return JSON.stringify({ label: { id: labelid, labelid, name, color, deleted: isDeleted } })
}

function contactBody({ jid, lid, contact_name, contact_FirstName, push_name }: ContactRow): string {
  return JSON.stringify({
    event: { JID: jid, LID: lid, FullName: contact_name, FirstName: contact_FirstName, PushName: push_name },
    contact: { jid, contact_name, contact_FirstName },
  })
}
