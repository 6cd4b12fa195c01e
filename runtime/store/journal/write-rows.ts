/** Writes the rows of a batch: all but its events. */
import type { InstanceId } from '../../../schemas/ids.js'
import { isNote } from '../../../schemas/message-note.js'
import type { Encryption } from '../encryption.js'
import { sendAgentCalls } from './agent-calls.js'
import { sendAgentOpenings } from './agent-openings.js'
import { sendAgentTurns } from './agent-turn-changes.js'
import { movesChatsAhead } from './ahead.js'
import type { InstanceFacts, JournalChange, LastCommit, Write } from './batch.js'
import { type ActivityTimes, BatchChanges } from './batch-changes.js'
import { type BlockedChats, blockedBy, readBlockedChats, sendBlocklists } from './blocklist-changes.js'
import { sendCampaigns } from './campaign-changes.js'
import { sendCampaignOutcomes } from './campaign-outcomes.js'
import { sendCampaignReplies } from './campaign-replies.js'
import { sendChannelPosts } from './channel-posts.js'
import { type ChangedChat, ChatChanges } from './chat-changes.js'
import { removeChats } from './chat-removals.js'
import type { AliasCache } from './chat-resolver.js'
import type { Statements } from './connection.js'
import { sendConnectionHistory } from './connection-history.js'
import type { BatchRows } from './events.js'
import { sendGroups } from './group-changes.js'
import type { InstanceChanges } from './instance-fields.js'
import { LeadChanges } from './lead-changes.js'
import { type Insertion, MessageInserts } from './message-inserts.js'
import { LiveBeginnings, type LiveEpochs } from './message-order.js'
import { sendRequeues } from './message-requeues.js'
import { sendNumberChecks } from './number-checks.js'
import { OptOuts } from './opt-outs.js'
import { sendPacing } from './pacing-changes.js'
import { sendQuickReplies } from './quick-reply-changes.js'
import { sendScheduled } from './scheduled-changes.js'
import { sendStatusPosts } from './status-posts.js'
import type { StoreClock } from './store-clock.js'

export interface RowContext {
  readonly encryption: Encryption
  readonly aliases: AliasCache
  readonly activity: ActivityTimes
  readonly live: LiveEpochs
  readonly clock: StoreClock
  /** The incarnation that must own the shards of each write; empty in tests: only the epoch counts. */
  readonly owner: string
  /** The last commit that was answered. */
  readonly commits: { last: LastCommit | null }
  /** Makes the ids of records in tests. */
  readonly makeRecordId?: () => string
}

/** When rows are written. */
export interface WriteTime {
  /** By PostgreSQL's clock; about, if it is ahead. */
  readonly now: Date
  /** Before the fence is answered: what follows from other statements is sent with them where it can be foreseen. */
  readonly isAhead: boolean
}

/** Changes of rows that need the chats of the batch. */
interface ChatDependent {
  readonly leads: LeadChanges
  readonly inserts: MessageInserts
  readonly insertions: ReadonlyMap<object, Insertion>
}

/** The rows that change chats. */
type ChatSources = Pick<BatchChanges, 'chats' | 'contacts' | 'updates'> &
  Pick<ChatDependent, 'leads' | 'insertions'> & { readonly blockedChats: BlockedChats }

export async function writeRows(
  client: Statements,
  writes: readonly Write[],
  facts: ReadonlyMap<string, InstanceFacts>,
  { encryption, aliases, activity, live, makeRecordId }: RowContext,
  { now, isAhead }: WriteTime,
): Promise<BatchRows & { instances: InstanceChanges; beginnings: LiveBeginnings }> {
  const batch = new BatchChanges(aliases, facts, activity, now)
  for (const { instance, changes } of writes) for (const change of changes) batch.add(instance, change)
  const { chats, contacts, people, labels, updates, toldOnce, instances } = batch
  const sent = [
    ...batch.secrets.send(client, encryption),
    ...batch.deliveries.send(client),
    ...sendBlocklists(client, writes),
    ...sendGroups(client, writes),
    ...sendQuickReplies(client, writes),
    ...sendConnectionHistory(client, writes),
    ...sendPacing(client, writes),
    ...sendRequeues(client, writes),
    ...sendScheduled(client, writes, encryption),
    ...sendCampaigns(client, writes),
    ...sendNumberChecks(client, writes),
    ...sendStatusPosts(client, writes),
    ...sendChannelPosts(client, writes),
    ...sendAgentCalls(client, writes),
  ]
  const beginnings = new LiveBeginnings(writes, facts, live)
  sent.push(...beginnings.send(client))
  await chats.resolve(client)
  if (people.hasSenders) await people.apply(client)

  const optOuts = new OptOuts(writes)
  const { leads, inserts, insertions } = inChats(writes, batch, makeRecordId)
  const areNew = isAhead && movesChatsAhead(writes)
  const applied = Promise.all([
    contacts.apply(client),
    people.apply(client),
    labels.apply(client),
    areNew ? inserts.applyAhead(client, encryption) : inserts.apply(client, encryption),
    updates.apply(client, encryption, (instance, address) => chats.chatOf(instance, address)),
    leads.apply(client),
    toldOnce.apply(client),
    optOuts.apply(client),
  ])
  const changeAll = (blockedChats: BlockedChats) =>
    changeChats(client, writes, { chats, contacts, leads, updates, insertions, blockedChats })
  const changing = areNew ? changeAll(new Map()) : undefined
  changing?.catch(() => {})
  await applied
  await batch.groupReceipts.apply(client, updates)

  sent.push(...sendCampaignOutcomes(client, updates.ofCampaigns()), ...sendCampaignReplies(client, writes, insertions))
  sent.push(...sendAgentOpenings(client, writes, chats, insertions), ...sendAgentTurns(client, writes))
  const blockedChats = await readBlockedChats(client, writes)
  const changedChats = await (changing ?? changeAll(blockedChats))
  await removeChats(client, writes, chats)
  sent.push(...instances.send(client, facts))
  await Promise.all(sent)
  const sources = { chats, contacts, leads, updates, insertions, blockedChats }
  return { ...sources, people, labels, toldOnce, optOuts, changedChats, facts, instances, beginnings, now }
}

/** Collects new messages and changes of leads, whose chats are known by now. */
function inChats(
  writes: readonly Write[],
  { chats, people }: BatchChanges,
  makeRecordId: RowContext['makeRecordId'],
): ChatDependent {
  const leads = new LeadChanges()
  const inserts = new MessageInserts(makeRecordId)
  const insertions = new Map<object, Insertion>()
  for (const { instance, changes } of writes) {
    for (const change of changes) {
      if (change.type === 'lead') {
        const edited = chats.chatOf(instance, change.chat)
        if (edited !== null) leads.add(instance, edited, change.set)
      }
      if (change.type === 'lead.source') {
        const person = chats.chatOf(instance, change.chat)
        if (person !== null) leads.addSource(instance, person, change)
      }
      if (change.type !== 'message') continue
      const chatId = chats.chatOf(instance, change.message.chat)
      if (chatId === null) throw new Error('A message has no chat.')
      insertions.set(change, inserts.add(instance, people.withSender(instance, change.message), chatId, change.history))
    }
  }
  return { leads, inserts, insertions }
}

async function changeChats(
  client: Statements,
  writes: readonly Write[],
  sources: ChatSources,
): Promise<ReadonlyMap<string, ChangedChat>> {
  const changes = new ChatChanges(sources.chats.created)
  for (const write of writes)
    for (const change of write.changes) addChatChange(changes, write.instance, change, sources)
  // Sets nothing more in these chats: this reads their records.
  for (const { instance, chatId } of sources.leads.changed()) changes.set(instance, chatId, {})
  return changes.apply(client)
}

function addChatChange(changes: ChatChanges, instance: InstanceId, change: JournalChange, sources: ChatSources): void {
  const { chats, contacts, updates, insertions, blockedChats } = sources
  if (change.type === 'message') {
    const insertion = insertions.get(change)
    // A note is no message: its chat stays as it is.
    if (insertion?.isNew && !isNote(change.message)) addNewMessage(changes, insertion, change.history ?? false)
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
    if (chatId === null || contacts.changedRow(instance, change.contact) === undefined) return
    const { contactName, pushName, username } = change.contact
    const set = {
      ...(contactName === undefined ? {} : { wa_contactName: contactName }),
      ...(pushName ? { wa_name: pushName } : {}),
      ...(username === undefined ? {} : { wa_username: username }),
    }
    changes.set(instance, chatId, set, change.history)
  }
}

/** Counts a new message. One that took the place of another was counted with it, and may not be the last of its chat. */
function addNewMessage(
  changes: ChatChanges,
  { instance, chatId, message, replaced }: Insertion,
  isHistory: boolean,
): void {
  if (replaced === null) changes.moveBy(instance, chatId, message, isHistory)
  else if (replaced.isLast) changes.replaceLast(instance, chatId, message)
  else changes.set(instance, chatId, {})
}
