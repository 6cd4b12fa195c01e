/**
 * One transaction: many writes of many instances.
 * Statements travel in four waves, each sent as a whole: fence; chats and rows; chats moved by what is new; events and commit.
 */
import type { StoredMessage, WriteResult } from '../../../actors/instance/ports.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { Encryption } from '../encryption.js'
import { messageRecord } from '../message-record.js'
import { UnansweredCommit } from '../transaction-outcome.js'
import type { Committed, InstanceFacts, Write } from './batch.js'
import { blockedBy, readBlockedChats, sendBlocklists } from './blocklist-changes.js'
import { type ChangedChat, ChatChanges } from './chat-changes.js'
import { removeChats } from './chat-removals.js'
import { type AliasCache, ChatResolver } from './chat-resolver.js'
import type { Statements } from './connection.js'
import { ContactChanges } from './contact-changes.js'
import { DeliveryChanges } from './delivery-outcomes.js'
import { readWebhooks, sendEvents } from './event-log.js'
import { type BatchRows, composeEvents, recordOfNew } from './events.js'
import { hasPassed, isOfExported, passFence } from './fence.js'
import { sendGroups } from './group-changes.js'
import { InstanceChanges } from './instance-fields.js'
import { LabelChanges } from './label-changes.js'
import { LeadChanges } from './lead-changes.js'
import { type Insertion, MessageInserts } from './message-inserts.js'
import { addressesOf, MessageUpdates } from './message-updates.js'
import { sendQuickReplies } from './quick-reply-changes.js'
import { SecretChanges } from './secrets.js'
import { ToldOnce } from './told-once.js'

export interface TransactionContext {
  readonly encryption: Encryption
  readonly aliases: AliasCache
  /** When the activity of an instance was last written, in milliseconds. */
  readonly activity: { get(id: string): number | undefined; set(id: string, timeMs: number): unknown }
  readonly makeRecordId?: () => string
}

export interface TransactionOutcome {
  /** In the order of the writes; null: the epoch is over, or the instance is gone. */
  readonly results: readonly (WriteResult | 'exported' | null)[]
  readonly committed: Committed
}

/** Shorter limits for one transaction than those of the connection. */
export interface Limits {
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
}

export interface CommitOptions {
  readonly limits: Limits | undefined
  readonly confirm: (unanswered: UnansweredCommit) => Promise<void>
}

const NOTHING: Committed = { events: [], lanes: [], mergedLanes: [], changedInstances: [] }

/**
 * Commits all writes that pass the fence. `confirm` is asked when the COMMIT was sent and not answered with success: it returns when the
 * transaction was committed all the same.
 * @throws whatever the database says, and then nothing is written; what `confirm` throws
 */
export async function commitBatch(
  connection: Statements,
  writes: readonly Write[],
  context: TransactionContext,
  how: CommitOptions,
): Promise<TransactionOutcome> {
  const client = untilFailure(connection)
  try {
    return await commitOn(client, writes, context, how)
  } catch (error) {
    // Statements behind the one that failed fail for its sake, and may be heard of first.
    throw client.failure() ?? error
  }
}

async function commitOn(
  client: Statements,
  writes: readonly Write[],
  context: TransactionContext,
  { limits, confirm }: CommitOptions,
): Promise<TransactionOutcome> {
  void client.query('BEGIN')
  if (limits !== undefined) {
    void client.query(`SET LOCAL lock_timeout = ${Math.trunc(limits.lockTimeoutMs)}`, [])
    void client.query(`SET LOCAL statement_timeout = ${Math.trunc(limits.statementTimeoutMs)}`, [])
  }
  const announces = writes.some((write) => write.changes.some(isHeard))
  const [{ facts, xid, now }, webhooks] = await Promise.all([
    passFence(client, writes),
    announces ? readWebhooks(client, [...new Set(writes.map((write) => write.instance))]) : new Map(),
  ])
  const passed = writes.filter((write) => hasPassed(facts, write))
  const refused = (write: Write) => (isOfExported(facts, write) ? 'exported' : null)
  if (passed.length === 0) {
    await client.query('ROLLBACK')
    return { results: writes.map(refused), committed: NOTHING }
  }

  const rows = await writeRows(client, passed, facts, context, now)
  const appended = sendEvents(client, composeEvents(passed, rows), facts, webhooks, now)
  await commit(client, appended.sent).catch((error: unknown) => confirm(new UnansweredCommit(xid, error)))

  rows.chats.remember()
  for (const instance of rows.instances.activeInstances()) context.activity.set(instance, now.getTime())
  return {
    results: writes.map((write) => (hasPassed(facts, write) ? resultOf(write, rows) : refused(write))),
    committed: {
      events: appended.events,
      lanes: appended.lanes,
      mergedLanes: rows.chats.merged,
      changedInstances: rows.instances.changedInstances(),
    },
  }
}

/**
 * Parts of a transaction that are under way side by side go on when one of them has failed; what they ask for then must not reach the
 * connection, which may have ended the transaction meanwhile: it would be committed by itself.
 */
function untilFailure(connection: Statements): Statements & { failure(): unknown } {
  let failed: Promise<never> | undefined
  let failure: unknown
  return {
    failure: () => failure,
    query: (text, values) => {
      if (failed !== undefined) return failed
      const answered = connection.query<never>(text, values)
      answered.catch((error: unknown) => {
        failed ??= answered as Promise<never>
        failure ??= error
      })
      return answered
    },
  }
}

async function writeRows(
  client: Statements,
  writes: readonly Write[],
  facts: ReadonlyMap<string, InstanceFacts>,
  { encryption, aliases, activity, makeRecordId }: TransactionContext,
  now: Date,
): Promise<BatchRows & { instances: InstanceChanges }> {
  const chats = new ChatResolver(aliases, facts)
  const secrets = new SecretChanges()
  const instances = new InstanceChanges()
  const contacts = new ContactChanges()
  const labels = new LabelChanges()
  const updates = new MessageUpdates()
  const deliveries = new DeliveryChanges()
  const toldOnce = new ToldOnce()
  for (const write of writes) {
    const instance = write.instance
    for (const change of write.changes) {
      switch (change.type) {
        case 'credentials':
        case 'keys':
          secrets.add(instance, change)
          break
        case 'instance': {
          const known = facts.get(instance)
          if (known !== undefined) instances.add(known, change.set)
          break
        }
        case 'chat':
          chats.want(instance, change.chat, change.known !== true)
          break
        case 'chat.remove':
          chats.want(instance, change.chat, false)
          break
        case 'chat.label':
          chats.want(instance, change.chat, change.isSet)
          break
        case 'label':
          labels.add(instance, change.label)
          break
        // Sent by themselves.
        case 'group':
        case 'quickReply':
          break
        case 'blocked':
          for (const address of change.people) chats.want(instance, address, false)
          break
        case 'message':
          chats.want(instance, change.message.chat, true)
          if (!change.history) instances.addActivity(instance, now, activity)
          break
        case 'message.update':
          // Each address by itself: that they are one person is not for this to say.
          for (const address of addressesOf(change.chat)) chats.want(instance, address, false)
          updates.add(instance, change)
          break
        case 'contact':
          chats.want(instance, change.contact.address, false)
          contacts.add(instance, change.contact, change.history)
          break
        case 'mapping':
          chats.map(instance, change.lid, change.pn)
          break
        case 'lead':
          chats.want(instance, change.chat, false)
          break
        case 'event':
          if (change.chat !== undefined) chats.want(instance, change.chat, false)
          toldOnce.add(instance, change)
          break
        case 'deliveries':
          deliveries.add(instance, change.outcomes)
          break
        default:
          change satisfies never
      }
    }
  }
  const sent = [
    ...secrets.send(client, encryption),
    ...deliveries.send(client),
    ...sendBlocklists(client, writes),
    ...sendGroups(client, writes),
    ...sendQuickReplies(client, writes),
  ]
  await chats.resolve(client)

  const leads = new LeadChanges()
  const inserts = new MessageInserts(makeRecordId)
  const insertions = new Map<object, Insertion>()
  for (const { instance, changes } of writes) {
    for (const change of changes) {
      if (change.type === 'lead') {
        const edited = chats.chatOf(instance, change.chat)
        if (edited !== null) leads.add(instance, edited, change.set)
      }
      if (change.type !== 'message') continue
      const chatId = chats.chatOf(instance, change.message.chat)
      if (chatId === null) throw new Error('A message has no chat.')
      insertions.set(change, inserts.add(instance, change.message, chatId))
    }
  }
  await Promise.all([
    contacts.apply(client),
    labels.apply(client),
    inserts.apply(client, encryption, now),
    updates.apply(client, encryption, now, (instance, address) => chats.chatOf(instance, address)),
    leads.apply(client),
    toldOnce.apply(client),
  ])

  const blockedChats = await readBlockedChats(client, writes)
  const changedChats = await changeChats(
    client,
    writes,
    { chats, contacts, leads, updates, insertions, blockedChats },
    now,
  )
  await removeChats(client, writes, chats)
  sent.push(...instances.send(client, facts))
  await Promise.all(sent)
  return {
    chats,
    contacts,
    labels,
    leads,
    toldOnce,
    updates,
    insertions,
    blockedChats,
    changedChats,
    facts,
    instances,
    now,
  }
}

async function changeChats(
  client: Statements,
  writes: readonly Write[],
  {
    chats,
    contacts,
    leads,
    updates,
    insertions,
    blockedChats,
  }: Pick<BatchRows, 'chats' | 'contacts' | 'leads' | 'updates' | 'insertions' | 'blockedChats'>,
  now: Date,
): Promise<ReadonlyMap<string, ChangedChat>> {
  const changes = new ChatChanges(chats.created)
  for (const { instance, changes: all } of writes) {
    for (const change of all) {
      if (change.type === 'message') {
        const insertion = insertions.get(change)
        if (insertion?.isNew) changes.moveBy(instance, insertion.chatId, change.message, change.history ?? false)
      } else if (change.type === 'message.update') {
        for (const { chat_id: chatId, isLast } of updates.changedBy(change)) {
          if (change.lowersUnread) changes.takeUnread(instance, chatId, 1)
          if (isLast && change.set.edited !== undefined) changes.preview(instance, chatId, change.set.edited.text)
        }
      } else if (change.type === 'chat') {
        const chatId = chats.chatOf(instance, change.chat)
        if (chatId !== null) changes.set(instance, chatId, change.set, change.history)
      } else if (change.type === 'chat.label') {
        const chatId = chats.chatOf(instance, change.chat)
        if (chatId !== null) changes.label(instance, chatId, change.labelid, change.isSet)
      } else if (change.type === 'blocked') {
        for (const { chatId, isBlocked } of blockedBy(change, instance, chats, blockedChats))
          changes.set(instance, chatId, { wa_isBlocked: isBlocked })
      } else if (change.type === 'contact') {
        const chatId = chats.chatOf(instance, change.contact.address)
        if (chatId === null || contacts.changedRow(instance, change.contact) === undefined) continue
        const { contactName, pushName } = change.contact
        const set = {
          ...(contactName === undefined ? {} : { wa_contactName: contactName }),
          ...(pushName ? { wa_name: pushName } : {}),
        }
        changes.set(instance, chatId, set, change.history)
      }
    }
  }
  // Nothing more is set of them: this reads their records.
  for (const { instance, chatId } of leads.changed()) changes.set(instance, chatId, {})
  return changes.apply(client, now)
}

/** Behind `sent`, on the same way: when that fails, COMMIT does, and its own error says less. */
async function commit(client: Statements, sent: Promise<unknown>): Promise<void> {
  const [, { command }] = await Promise.all([sent, client.query('COMMIT')])
  // A transaction that failed answers COMMIT with ROLLBACK, without an error.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back.')
}

function isHeard(change: Write['changes'][number]): boolean {
  switch (change.type) {
    case 'event':
    case 'lead':
    case 'label':
    case 'chat.label':
    case 'blocked':
      return true
    case 'message':
    case 'chat':
    case 'contact':
      return change.announce === true
    case 'message.update':
      return change.announce !== undefined
    default:
      return false
  }
}

function resultOf(write: Write, rows: BatchRows): WriteResult {
  const messages = new Map<MessageId, StoredMessage>()
  for (const change of write.changes) {
    if (change.type !== 'message') continue
    const insertion = rows.insertions.get(change)
    if (insertion !== undefined) messages.set(change.message.messageid, storedMessage(insertion, rows))
  }
  return { messages }
}

function storedMessage(insertion: Insertion, rows: BatchRows): StoredMessage {
  let record: Readonly<Record<string, unknown>> | undefined
  return {
    inserted: insertion.sameAs === null && insertion.known === null,
    // Made when asked for: nobody asks for that of a received message.
    get record() {
      record ??= recordOf(insertion, rows)
      return record
    },
  }
}

function recordOf(insertion: Insertion, rows: BatchRows): Readonly<Record<string, unknown>> {
  if (insertion.sameAs !== null) return recordOf(insertion.sameAs, rows)
  if (insertion.known === null) return recordOfNew(insertion, rows)
  return messageRecord(insertion.known, rows.facts.get(insertion.instance)?.owner ?? '')
}
