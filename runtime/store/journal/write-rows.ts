/** Writes the rows of a batch: all but its events. */
import type { InstanceId } from '../../../schemas/ids.js'
import { isNote } from '../../../schemas/message-note.js'
import type { PacingFields } from '../../../schemas/pacing.js'
import { bigintArray, textArray } from '../arrays.js'
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
import { ChatChanges } from './chat-changes.js'
import type { ChangedChat } from './chat-moves.js'
import type { AliasCache, ChatResolver } from './chat-resolver.js'
import type { Statements } from './connection.js'
import type { BatchRows } from './events.js'
import { sendGroups } from './group-changes.js'
import type { InstanceChanges } from './instance-fields.js'
import { LeadChanges } from './lead-changes.js'
import { type Insertion, MessageInserts } from './message-inserts.js'
import { LiveBeginnings, type LiveEpochs } from './message-order.js'
import { OptOuts } from './opt-outs.js'
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

/** The numbers that the instances of a batch have looked up at the network. */

// $1 instances   $2 addresses   $3 addresses at the network; null: no account
const KEEP = `
  INSERT INTO number_check AS n (instance_id, address, found)
  SELECT DISTINCT ON (instance_id, address) * FROM unnest($1::text[], $2::text[], $3::text[]) AS u(instance_id, address, found)
  ON CONFLICT (instance_id, address) DO UPDATE SET found = EXCLUDED.found, checked_at = now()`

function sendNumberChecks(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const checks = writes.flatMap(({ instance, changes }) =>
    changes.flatMap((change) => (change.type === 'numberCheck' ? [{ instance, change }] : [])),
  )
  if (checks.length === 0) return []
  const values = [
    textArray(checks.map(({ instance }) => instance)),
    textArray(checks.map(({ change }) => change.address)),
    textArray(checks.map(({ change }) => change.found)),
  ]
  return [client.query(KEEP, values)]
}

/** Messages of a batch that go back into the queue, because the network has refused them for now. */

// The one way back of a status. A message that the network has taken, or that is final, stays as it is.
// $1 instances  $2 ids of the messages  $3 requests
const REQUEUE = `
  UPDATE message AS m SET "status" = 'queued', queued_request = u.request, updated = now()
  FROM unnest($1::text[], $2::text[], $3::text[]) AS u(instance_id, messageid, request)
  WHERE m.instance_id = u.instance_id AND m."messageid" = u.messageid AND m."fromMe" AND m."status" = 'pending'`

function sendRequeues(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const requeued = writes.flatMap(({ instance, changes }) =>
    changes.flatMap((change) =>
      change.type === 'message.requeue'
        ? [{ instance, messageid: change.messageid, request: JSON.stringify(change.queuedRequest) }]
        : [],
    ),
  )
  if (requeued.length === 0) return []
  return [
    client.query(REQUEUE, [
      textArray(requeued.map(({ instance }) => instance)),
      textArray(requeued.map(({ messageid }) => messageid)),
      textArray(requeued.map(({ request }) => request)),
    ]),
  ]
}

/** The connections of the instances of a batch, over time. Each instance keeps its newest rows only, so that one that flaps takes no room. */

const ROWS_MAX = 200
const REASON_MAX = 1_000

// $1 instance   $2 age, ms   $3 status   $4 state   $5 cause   $6 code   $7 reason   $8 node
const ADD = `
  INSERT INTO connection_history (instance_id, at, status, state, cause, code, reason, node)
  VALUES ($1, clock_timestamp() - $2::bigint * interval '1 millisecond', $3, $4, $5, $6, $7, $8)`
// $1 instances
const TRIM = `
  DELETE FROM connection_history AS h USING unnest($1::text[]) AS i(id)
  WHERE h.instance_id = i.id AND h.position < (
    SELECT position FROM connection_history WHERE instance_id = i.id ORDER BY position DESC OFFSET ${ROWS_MAX - 1} LIMIT 1)`

function sendConnectionHistory(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const changed = new Set<string>()
  const added = writes.flatMap(({ instance, changes }) =>
    changes.flatMap((change) => {
      if (change.type !== 'connection') return []
      const { ageMs, status, state, cause, code, reason, node } = change
      changed.add(instance)
      const age = String(Math.max(0, Math.round(ageMs)))
      return [client.query(ADD, [instance, age, status, state, cause, code, reason.slice(0, REASON_MAX), node])]
    }),
  )
  return changed.size === 0 ? [] : [...added, client.query(TRIM, [textArray([...changed])])]
}

/** Chats that are emptied or dropped, a bounded number of messages at a time. Last of a batch: what it wrote of them is there already. */

const MESSAGES_AT_ONCE = 2_000

// Keeps messages that are still to be sent, and those that came since the request.
// $1 instance   $2 chat   $3 before, Unix milliseconds
const EMPTY = `
  DELETE FROM message WHERE instance_id = $1 AND ctid = ANY(ARRAY(
    SELECT ctid FROM message
    WHERE instance_id = $1 AND chat_id = $2 AND outbox = 0 AND created < to_timestamp($3::bigint / 1000.0) LIMIT ${MESSAGES_AT_ONCE}))`
const HAS_NONE = 'NOT EXISTS (SELECT FROM message AS m WHERE m.instance_id = $1 AND m.chat_id = $2)'
const FORGET_LAST = `
  UPDATE chat SET "wa_lastMessageTextVote" = '', "wa_lastMessageType" = '', "wa_lastMessageSender" = ''
  WHERE instance_id = $1 AND id = $2 AND ${HAS_NONE}`
const DROP = `
  WITH gone AS (DELETE FROM chat WHERE instance_id = $1 AND id = $2 AND ${HAS_NONE} RETURNING instance_id, id)
  DELETE FROM chat_alias AS a USING gone WHERE a.instance_id = gone.instance_id AND a.chat_id = gone.id
  RETURNING a.jid`
// $1 instance   $2 chat
const FORGET_TURNS = `
  WITH gone AS (DELETE FROM agent_turn WHERE instance_id = $1 AND chat_id = $2 RETURNING id), steps AS (
    DELETE FROM agent_step AS s USING gone WHERE s.instance_id = $1 AND s.turn_id = gone.id
  ), calls AS (
    DELETE FROM agent_call AS c USING gone WHERE c.instance_id = $1 AND c.turn_id = gone.id
  )
  DELETE FROM agent_reply AS r USING gone WHERE r.instance_id = $1 AND r.turn_id = gone.id`

async function removeChats(client: Statements, writes: readonly Write[], chats: ChatResolver): Promise<void> {
  for (const { instance, changes } of writes) {
    for (const change of changes) {
      if (change.type !== 'chat.remove') continue
      const chatId = chats.chatOf(instance, change.chat)
      if (chatId === null) continue
      void client.query(EMPTY, [instance, chatId, change.beforeMs])
      const last = client.query<{ jid: string }>(change.isDropped ? DROP : FORGET_LAST, [instance, chatId])
      if ((await last).rows.length === 0) continue
      chats.forget(instance, chatId)
      void client.query(FORGET_TURNS, [instance, chatId])
    }
  }
}

/** The pacing of the instances of a batch. */

// Null keeps a column, but for the times of first use, which may be null. An instance that is gone gets no row.
// $1 instances  $2 delay_min_ms  $3 delay_max_ms  $4 in_use_since  $5 paired_at  $6 next_at  $7 state  $8 instances with in_use_since
// $9 offered_since  $10 instances with offered_since
const SET = `
  INSERT INTO send_pacer AS p (instance_id, delay_min_ms, delay_max_ms, in_use_since, paired_at, next_at, state, offered_since)
  SELECT u.id, u.delay_min, u.delay_max, to_timestamp(u.in_use_since / 1000.0), to_timestamp(u.paired_at / 1000.0),
    to_timestamp(u.next_at / 1000.0), COALESCE(u.state, ''), to_timestamp(u.offered_since / 1000.0)
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $9::bigint[])
    AS u(id, delay_min, delay_max, in_use_since, paired_at, next_at, state, offered_since)
  JOIN instance AS i ON i.id = u.id
  ON CONFLICT (instance_id) DO UPDATE SET
    delay_min_ms = COALESCE(EXCLUDED.delay_min_ms, p.delay_min_ms),
    delay_max_ms = COALESCE(EXCLUDED.delay_max_ms, p.delay_max_ms),
    in_use_since = CASE WHEN EXCLUDED.instance_id = ANY($8::text[]) THEN EXCLUDED.in_use_since ELSE p.in_use_since END,
    offered_since = CASE WHEN EXCLUDED.instance_id = ANY($10::text[]) THEN EXCLUDED.offered_since ELSE p.offered_since END,
    paired_at = COALESCE(EXCLUDED.paired_at, p.paired_at),
    next_at = COALESCE(EXCLUDED.next_at, p.next_at),
    state = CASE WHEN EXCLUDED.state = '' THEN p.state ELSE EXCLUDED.state END`

function sendPacing(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const fields = new Map<string, PacingFields>()
  for (const { instance, changes } of writes)
    for (const change of changes)
      if (change.type === 'pacing') fields.set(instance, { ...fields.get(instance), ...change.set })
  if (fields.size === 0) return []
  const ids = [...fields.keys()]
  const all = [...fields.values()]
  return [
    client.query(SET, [
      textArray(ids),
      bigintArray(all.map((one) => one.delayMinMs)),
      bigintArray(all.map((one) => one.delayMaxMs)),
      bigintArray(all.map((one) => one.inUseSinceMs)),
      bigintArray(all.map((one) => one.pairedAtMs)),
      bigintArray(all.map((one) => one.nextAtMs)),
      textArray(all.map((one) => one.state)),
      textArray(ids.filter((id) => fields.get(id)?.inUseSinceMs !== undefined)),
      bigintArray(all.map((one) => one.offeredSinceMs)),
      textArray(ids.filter((id) => fields.get(id)?.offeredSinceMs !== undefined)),
    ]),
  ]
}
