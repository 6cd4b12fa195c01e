/** Composes the events of a batch: only for what really changed, in the order of the changes. */
import type { EventBody, MessageUpdateChange } from '../../../actors/instance/ports.js'
import { isChannelJid } from '../../../schemas/channel.js'
import type { EventKind } from '../../../schemas/generated.js'
import type { InstanceId } from '../../../schemas/ids.js'
import {
  type ChatAddress,
  chatNames,
  isGroupJid,
  isLidJid,
  type NamedPerson,
  type NamePerson,
  senderNames,
  toChatAddress,
  toChatId,
} from '../../../schemas/jid.js'
import { isNote, type NoteContent } from '../../../schemas/message-note.js'
import { isStatusChat } from '../../../schemas/status-post.js'
import type { LabelFields, NewMessage } from '../../../schemas/stored-fields.js'
import { sparseChatRecord } from '../chat-record.js'
import { messageFlags } from '../event-filter.js'
import { newMessageRecord, sparseMessageJson } from '../message-record.js'
import { type InstanceFacts, type JournalChange, joinKey, type NewEvent, type Write } from './batch.js'
import { type BlockedChats, blockedBy } from './blocklist-changes.js'
import type { ChangedChat } from './chat-changes.js'
import type { ChatResolver } from './chat-resolver.js'
import type { ContactChanges, ContactRow } from './contact-changes.js'
import { findSender, type KnownPeople } from './known-people.js'
import type { LabelChanges } from './label-changes.js'
import type { LeadChanges } from './lead-changes.js'
import type { Insertion } from './message-inserts.js'
import type { ChangedMessage, MessageUpdates } from './message-updates.js'
import type { JournalOptOuts } from './opt-outs.js'
import type { UniqueEvents } from './unique-events.js'

/** The rows that a batch wrote, by change. */
export interface BatchRows {
  readonly chats: ChatResolver
  // Undefined where the batch holds none of their changes.
  readonly contacts: ContactChanges | undefined
  /** People whom events name. */
  readonly people: KnownPeople | undefined
  readonly leads: LeadChanges | undefined
  readonly toldOnce: UniqueEvents | undefined
  readonly optOuts: JournalOptOuts | undefined
  readonly labels: LabelChanges | undefined
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
        this.#addUpdate(instance, change)
        break
      case 'chat': {
        const chat = this.#findChat(instance, change.chat)
        if (change.announce && chat?.changed) this.#addChat(instance, 'chats', chat)
        break
      }
      case 'contact':
        this.#addContact(instance, change)
        break
      case 'lead':
      case 'lead.source': {
        const chat = this.#findChat(instance, change.chat)
        if (chat !== undefined && this.#rows.leads?.hasChanged(instance, chat.id))
          this.#addChat(instance, 'leads', chat)
        break
      }
      case 'chat.label': {
        const chat = this.#findChat(instance, change.chat)
        if (chat?.changed) this.#addChat(instance, 'chat_labels', chat)
        break
      }
      case 'label':
        if (!this.#rows.labels?.hasChanged(instance, change.label)) break
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
    if (change.announce && insertion !== undefined && isNote(change.message)) {
      const named = (person: ChatAddress) => this.#named(instance, person)
      this.events.push(...noteEvents(insertion, named, change.traceparent))
      return
    }
    const chat = insertion && rows.changedChats.get(joinKey(instance, insertion.chatId))
    if (!change.announce || !insertion?.isNew || chat === undefined || insertion.sameAs !== null) return
    if (change.update !== undefined) {
      this.#addPlaceholder(instance, change, insertion)
      return
    }
    const message = sparseMessageJson(recordOfNew(insertion, rows), insertion.content)
    this.events.push({
      instance,
      kind: chooseKind(change.message),
      chatId: chat.id,
      flags: messageFlags(change.message),
      body: `{"chat":${this.#chatText(instance, chat)},"chatSource":"updated","message":${message}${postText(change.message)}}`,
      traceparent: change.traceparent,
    })
  }

  /** Tells of a message whose content may come later. */
  #addPlaceholder(
    instance: InstanceId,
    { update, message, traceparent }: ChangeOf<'message'>,
    { id, chatId }: Insertion,
  ) {
    if (update === undefined) return
    const { type, state, event } = update
    const filled = { ...this.#filled(instance, event), MessageIDs: [message.messageid] }
    const body = JSON.stringify({ type, state, status: message.status, ids: [id], event: filled })
    this.events.push({ instance, kind: 'messages_update', chatId, flags: null, body, traceparent })
  }

  #addUpdate(instance: InstanceId, change: ChangeOf<'message.update'>): void {
    const changed = this.#rows.updates.changedBy(change)
    if (changed.length === 0) return
    for (const row of changed) if (change.leaving !== undefined) this.#addLeaving(instance, change, change.leaving, row)
    if (change.announce === undefined) return
    const event = this.#filled(instance, change.announce.event)
    this.events.push(...updateEvents(instance, change, event, changed))
  }

  /** Emits a queued message when it leaves, as one that is sent at once is emitted when it is written. */
  #addLeaving(
    instance: InstanceId,
    { traceparent }: ChangeOf<'message.update'>,
    message: NewMessage,
    { id, chat_id: chatId, created, shown_ms }: ChangedMessage,
  ): void {
    const chat = this.#rows.changedChats.get(joinKey(instance, chatId))
    if (chat === undefined) return
    const place = {
      id,
      wa_chatid: String(chat.wa_chatid),
      wa_chatlid: String(chat.wa_chatlid),
      chat_name: String(chat.name),
      now: this.#rows.now,
      ...(created === undefined ? {} : { created }),
    }
    const shown = { ...message, messageTimestampMs: shown_ms ?? message.messageTimestampMs }
    const record = newMessageRecord(shown, place, this.#rows.facts.get(instance)?.owner ?? '')
    const text = sparseMessageJson(record, JSON.stringify(message.content ?? null))
    this.events.push({
      instance,
      kind: chooseKind(message),
      chatId,
      flags: messageFlags(message),
      body: `{"chat":${this.#chatText(instance, chat)},"chatSource":"updated","message":${text}}`,
      traceparent,
    })
  }

  #addContact(instance: InstanceId, change: ChangeOf<'contact'>): void {
    const contact = this.#rows.contacts?.changedRow(instance, change.contact)
    if (!change.announce || contact === undefined) return
    const chatId = this.#rows.chats.findChat(instance, change.contact.address)
    this.events.push({ instance, kind: 'contacts', chatId, flags: null, body: contactBody(contact) })
  }

  #addBlocked(instance: InstanceId, change: ChangeOf<'blocked'>): void {
    const { chats, blockedChats, changedChats } = this.#rows
    for (const { chatId } of blockedBy(change, instance, chats, blockedChats)) {
      const chat = changedChats.get(joinKey(instance, chatId))
      if (chat?.changed) this.#addChat(instance, 'chats', chat)
    }
  }

  #addEvent(instance: InstanceId, change: ChangeOf<'event'>): void {
    const eventId = this.#rows.toldOnce?.claim(instance, change)
    if (eventId === null) return
    const chatId = change.chat === undefined ? null : this.#rows.chats.findChat(instance, change.chat)
    const body = JSON.stringify(this.#filled(instance, change.body))
    const id = eventId === undefined ? {} : { eventId }
    this.events.push({ instance, kind: change.kind, chatId, flags: null, body, ...id })
  }

  #addOptOut(instance: InstanceId, change: ChangeOf<'optOut'>): void {
    const person = this.#rows.optOuts?.suppressedBy(change)
    if (person === undefined) return
    const { messageid, word } = change
    const chat = this.#named(instance, change.chat)
    const event = { JID: toChatId(chat), LID: chat.lid ?? '', Action: 'opted_out', Word: word, MessageID: messageid }
    const chatId = this.#rows.chats.findChat(instance, change.chat)
    this.events.push({ instance, kind: 'suppressions', chatId, flags: null, body: JSON.stringify({ event }) })
  }

  #filled(instance: InstanceId, body: EventBody): Readonly<Record<string, unknown>> {
    return typeof body === 'function' ? body((person) => this.#named(instance, person)) : body
  }

  #named(instance: InstanceId, person: ChatAddress): NamedPerson {
    return this.#rows.people?.named(instance, person) ?? person
  }

  #addChat(instance: InstanceId, kind: EventKind, chat: ChangedChat): void {
    const body = `{"chat":${this.#chatText(instance, chat)}}`
    this.events.push({ instance, kind, chatId: chat.id, flags: null, body })
  }

  #findChat(instance: InstanceId, address: ChatAddress): ChangedChat | undefined {
    const chatId = this.#rows.chats.findChat(instance, address)
    return chatId === null ? undefined : this.#rows.changedChats.get(joinKey(instance, chatId))
  }

  #chatText(instance: InstanceId, chat: ChangedChat): string {
    const key = joinKey(instance, chat.id)
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
  const { instance, chatId, id, message, replaced } = insertion
  const chat = rows.changedChats.get(joinKey(instance, chatId))
  const place = {
    id,
    wa_chatid: String(chat?.wa_chatid ?? ''),
    wa_chatlid: String(chat?.wa_chatlid ?? ''),
    chat_name: String(chat?.name ?? ''),
    sender_username: senderUsername(insertion, chat, rows),
    now: rows.now,
    ...(replaced === null ? {} : { created: replaced.created }),
  }
  return newMessageRecord(message, place, rows.facts.get(instance)?.owner ?? '')
}

/** Returns the username of who wrote a message. In a chat of two, the row of the chat has it. */
function senderUsername(
  { instance, message }: Insertion,
  chat: ChangedChat | undefined,
  { people }: BatchRows,
): string {
  if (message.fromMe) return ''
  if (message.chat.group === undefined) return String(chat?.wa_username ?? '')
  return people?.named(instance, findSender(message)).username ?? ''
}

/** One event per chat: an update names messages by their ids at the network, which are unique per chat only. */
function* updateEvents(
  instance: InstanceId,
  change: MessageUpdateChange,
  event: Readonly<Record<string, unknown>>,
  changed: readonly ChangedMessage[],
): Generator<NewEvent> {
  const { type, state } = change.announce ?? { type: '', state: '' }
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
      event: { ...inChat(event, messages[0]?.chatNames), MessageIDs: messages.map((message) => message.messageid) },
    }
    const { traceparent } = change
    const isOfChannel = isChannelJid(messages[0]?.chatNames?.[0] ?? '')
    const kind = isOfChannel ? 'newsletter_messages' : 'messages_update'
    yield { instance, kind, chatId, flags: null, body: JSON.stringify(body), traceparent }
  }
}

/** The event with its chat named as events of kind `messages` name it, and so the sender in a chat of two. */
function inChat(event: Readonly<Record<string, unknown>>, names: ChangedMessage['chatNames'] | undefined) {
  const [chatid, chatlid, username, name = ''] = names ?? []
  if (chatid === undefined || chatlid === undefined) return event
  const isGroup = isGroupJid(chatid)
  const chat = { Chat: chatid, chat_lid: chatlid, IsGroup: isGroup, groupName: isGroup ? name : '' }
  if (event.Sender !== chatlid && event.Sender !== chatid) return { ...event, ...chat }
  const pn = isLidJid(chatid) ? '' : chatid
  return { ...event, ...chat, Sender: chatid, sender_pn: pn, sender_lid: chatlid, sender_username: username ?? '' }
}

function labelBody({ labelid, name, color, isDeleted }: LabelFields): string {
  return JSON.stringify({ label: { id: labelid, labelid, name, color, deleted: isDeleted } })
}

function contactBody(contact: ContactRow): string {
  const { jid, contact_name, contact_FirstName, push_name, username } = contact
  const lid = isLidJid(jid) ? jid : contact.lid
  return JSON.stringify({
    event: {
      JID: jid,
      LID: lid,
      FullName: contact_name,
      FirstName: contact_FirstName,
      PushName: push_name,
      Username: username,
    },
    contact: { jid, contact_name, contact_FirstName, lid, push_name, username },
  })
}

/** Status posts and posts of channels are events of their own kinds, so that receivers of messages do not take them for messages to them. */
function chooseKind({ chat }: NewMessage): EventKind {
  if (isStatusChat(chat)) return 'status'
  return chat.group !== undefined && isChannelJid(chat.group) ? 'newsletter_messages' : 'messages'
}

/** The number of a post of a channel, behind its message. */
function postText({ serverId }: NewMessage): string {
  return serverId === undefined ? '' : `,"serverid":${serverId}`
}

/** Returns the event of a note that was inserted: it names the message that the note is about. A note is no message, so it has no `messages`. */
function noteEvents(
  { instance, message, chatId, id, isNew, sameAs }: Insertion,
  named: NamePerson,
  traceparent?: string,
): NewEvent[] {
  if (!isNew || sameAs !== null) return []
  const { kind, target, reason, text } = message.content as NoteContent
  const { chat, fromMe, senderPn: pn, senderLid: lid, messageTimestampMs } = message
  const known = { ...(pn === undefined ? {} : { pn }), ...(lid === undefined ? {} : { lid }) }
  const event = {
    ...chatNames(named(chat)),
    ...senderNames(named({ ...toChatAddress(message.sender), ...known })),
    IsFromMe: fromMe,
    IsGroup: chat.group !== undefined,
    Timestamp: Math.floor(messageTimestampMs / 1000),
    MessageIDs: target === '' ? [] : [target],
    NoteID: message.messageid,
    Kind: kind,
    Reason: reason,
    ...(text === undefined ? {} : { Text: text }),
  }
  const body = JSON.stringify({ type: 'Note', state: 'Noted', status: message.status, ids: [id], event })
  return [{ instance, kind: 'messages_update', chatId, flags: null, body, traceparent }]
}
