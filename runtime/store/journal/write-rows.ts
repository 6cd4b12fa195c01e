/** Writes the rows of a batch: all but its events. */

import type { Change } from '../../../actors/instance/ports.js'
import { REPLY_DAYS, recipientStatus } from '../../../schemas/campaign.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { personAddresses } from '../../../schemas/jid.js'
import { isNote } from '../../../schemas/message-note.js'
import { bigintArray, boolArray, intArray, textArray } from '../arrays.js'
import type { Encryption } from '../encryption.js'
import { spellingsSql } from '../suppressions.js'
import { sendAgentOpenings } from './agent-openings.js'
import { sendAgentTurns } from './agent-turn-changes.js'
import { movesChatsAhead, type StoreClock } from './ahead.js'
import type { InstanceFacts, JournalChange, LastCommit, Write } from './batch.js'
import { type ActivityTimes, BatchChanges } from './batch-changes.js'
import { type BlockedChats, blockedBy, readBlockedChats } from './blocklist-changes.js'
import { sendChannelPosts } from './channel-posts.js'
import type { ChangedChat } from './chat-changes.js'
import { ChatChanges } from './chat-changes.js'
import type { AliasCache, ChatResolver } from './chat-resolver.js'
import type { Statements } from './connection.js'
import type { BatchRows } from './events.js'
import type { InstanceChanges } from './instance-fields.js'
import { LeadChanges } from './lead-changes.js'
import { type Insertion, MessageInserts } from './message-inserts.js'
import { LiveBeginnings, type LiveEpochs } from './message-order.js'
import type { CampaignMessage } from './message-updates.js'
import { JournalOptOuts } from './opt-outs.js'
import { rowKindsIn } from './row-kinds.js'

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
  readonly leads: LeadChanges | undefined
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
  const types = typesIn(writes)
  const sent = [
    ...batch.secrets.send(client, encryption),
    ...(batch.deliveries?.send(client) ?? []),
    ...rowKindsIn(writes).flatMap((kind) => kind.send(client, writes, encryption)),
    ...(holdsPosts(writes) ? sendChannelPosts(client, writes) : []),
  ]
  const beginnings = new LiveBeginnings(writes, facts, live)
  sent.push(...beginnings.send(client))
  await chats.resolve(client)
  if (people?.hasSenders) await people.apply(client)

  const optOuts = types.has('optOut') ? new JournalOptOuts(writes) : undefined
  const { leads, inserts, insertions } = inChats(writes, batch, makeRecordId)
  const areNew = isAhead && movesChatsAhead(writes)
  const applied = Promise.all([
    contacts?.apply(client),
    people?.apply(client),
    labels?.apply(client),
    areNew ? inserts.applyAhead(client, encryption) : inserts.apply(client, encryption),
    updates.apply(client, encryption, (instance, address) => chats.findChat(instance, address)),
    leads?.apply(client),
    toldOnce?.apply(client),
    optOuts?.apply(client),
  ])
  const changeAll = (blockedChats: BlockedChats) =>
    changeChats(client, writes, { chats, contacts, leads, updates, insertions, blockedChats })
  const changing = areNew ? changeAll(new Map()) : undefined
  changing?.catch(() => {})
  await applied
  if (batch.groupReceipts !== undefined) await batch.groupReceipts.apply(client, updates)

  sent.push(...sendCampaignOutcomes(client, updates.ofCampaigns()), ...sendCampaignReplies(client, writes, insertions))
  if (OPENING_TYPES.some((type) => types.has(type))) sent.push(...sendAgentOpenings(client, writes, chats, insertions))
  if (types.has('agent.turn') || types.has('agent.told')) sent.push(...sendAgentTurns(client, writes))
  const blockedChats: BlockedChats = types.has('blocked') ? await readBlockedChats(client, writes) : new Map()
  const changedChats = await (changing ?? changeAll(blockedChats))
  await removeChats(client, writes, chats)
  sent.push(...instances.send(client, facts))
  await Promise.all(sent)
  const sources = { chats, contacts, leads, updates, insertions, blockedChats }
  return { ...sources, people, labels, toldOnce, optOuts, changedChats, facts, instances, beginnings, now }
}

/** Changes that open, hold or end a conversation with an agent. */
const OPENING_TYPES = ['agent.incoming', 'agent.halt', 'agent.pause'] as const

function typesIn(writes: readonly Write[]): ReadonlySet<JournalChange['type']> {
  const types = new Set<JournalChange['type']>()
  for (const { changes } of writes) for (const { type } of changes) types.add(type)
  return types
}

/** Returns whether the batch holds posts of channels, own ones included, or their counts. */
function holdsPosts(writes: readonly Write[]): boolean {
  return writes.some(({ changes }) =>
    changes.some((change) =>
      change.type === 'message'
        ? change.message.serverId !== undefined
        : change.type === 'channel.post' || change.type === 'channel.counts',
    ),
  )
}

/** Collects new messages and changes of leads, whose chats are known by now. */
function inChats(
  writes: readonly Write[],
  { chats, people }: BatchChanges,
  makeRecordId: RowContext['makeRecordId'],
): ChatDependent {
  let leads: LeadChanges | undefined
  const inserts = new MessageInserts(makeRecordId)
  const insertions = new Map<object, Insertion>()
  for (const { instance, changes } of writes) {
    for (const change of changes) {
      if (change.type === 'lead') {
        const edited = chats.findChat(instance, change.chat)
        leads ??= new LeadChanges()
        if (edited !== null) leads.add(instance, edited, change.set)
      }
      if (change.type === 'lead.source') {
        const person = chats.findChat(instance, change.chat)
        leads ??= new LeadChanges()
        if (person !== null) leads.addSource(instance, person, change)
      }
      if (change.type !== 'message') continue
      const chatId = chats.findChat(instance, change.message.chat)
      if (chatId === null) throw new Error('A message has no chat.')
      insertions.set(
        change,
        inserts.add(instance, people?.withSender(instance, change.message) ?? change.message, chatId, change.history),
      )
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
  for (const { instance, chatId } of sources.leads?.changed() ?? []) changes.set(instance, chatId, {})
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
    const chatId = chats.findChat(instance, change.chat)
    if (chatId !== null) changes.set(instance, chatId, change.set, change.history)
  } else if (change.type === 'chat.label') {
    const chatId = chats.findChat(instance, change.chat)
    if (chatId !== null) changes.label(instance, chatId, change.labelid, change.isSet)
  } else if (change.type === 'blocked') {
    for (const { chatId, isBlocked } of blockedBy(change, instance, chats, blockedChats))
      changes.set(instance, chatId, { wa_isBlocked: isBlocked })
  } else if (change.type === 'contact') {
    const chatId = chats.findChat(instance, change.contact.address)
    if (chatId === null || contacts?.changedRow(instance, change.contact) === undefined) return
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

const MESSAGES_AT_ONCE = 2_000

// Keeps messages that are still to be sent, and those that came since the request.
// $1 instance   $2 chat   $3 before, Unix milliseconds
const EMPTY = `
  DELETE FROM message WHERE instance_id = $1 AND ctid = ANY(ARRAY(
    SELECT ctid FROM message
    WHERE instance_id = $1 AND chat_id = $2 AND outbox <= 0 AND created < to_timestamp($3::bigint / 1000.0) LIMIT ${MESSAGES_AT_ONCE}))`
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

/** Empties or drops chats, a bounded number of messages at a time. Last of a batch: what it wrote of them is there already. */
async function removeChats(client: Statements, writes: readonly Write[], chats: ChatResolver): Promise<void> {
  for (const { instance, changes } of writes) {
    for (const change of changes) {
      if (change.type !== 'chat.remove') continue
      const chatId = chats.findChat(instance, change.chat)
      if (chatId === null) continue
      void client.query(EMPTY, [instance, chatId, change.beforeMs])
      const last = client.query<{ jid: string }>(change.isDropped ? DROP : FORGET_LAST, [instance, chatId])
      if ((await last).rows.length === 0) continue
      chats.forget(instance, chatId)
      void client.query(FORGET_TURNS, [instance, chatId])
    }
  }
}

// Carries the states of messages that were sent for campaigns to their recipients and to the counters of the campaigns.

// A status is only raised, and each recipient is counted by the statuses that were left, so that a receipt that comes twice, or out of
// order, counts once. A recipient who got another message meanwhile is not that of this one. The owner of an instance is the only one who
// changes these rows, so that `former` is what the update meets, and needs no lock. A recipient whom the network refuses for now is parked,
// unless the campaign has ended meanwhile. `recent` keeps the network's last answers to messages that it did not refuse for now.
// $1 instances   $2 campaigns   $3 ordinals   $4 message ids   $5 statuses   $6 errors   $7 codes   $8 milliseconds to park   $9 reasons to park
const RAISE = `
  WITH u AS (
    SELECT instance_id, folder_id, ordinal, messageid, max(status) AS status, max(error) AS error, max(code) AS code,
      max(park_ms) AS park_ms, max(park_reason) AS park_reason
    FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::int[], $6::text[], $7::int[], $8::bigint[], $9::text[])
      AS u(instance_id, folder_id, ordinal, messageid, status, error, code, park_ms, park_reason)
    GROUP BY instance_id, folder_id, ordinal, messageid
  ), judged AS (
    SELECT u.*, u.status = 20 AND u.park_reason IS NOT NULL AND EXISTS (SELECT FROM campaign AS c
      WHERE c.instance_id = u.instance_id AND c.id = u.folder_id AND c.status IN ('scheduled', 'sending', 'paused')) AS parks
    FROM u
  ), raised AS (
    UPDATE campaign_recipient AS r SET status = CASE WHEN u.parks THEN 0 ELSE u.status END,
      place = CASE WHEN u.parks THEN 2 WHEN u.status = 20 THEN 3 ELSE 0 END,
      reason = CASE WHEN u.parks THEN u.park_reason WHEN u.status = 20 THEN 'refused' WHEN former.reason = 'opted_out' THEN 'opted_out' END, error = u.error, provider_code = u.code,
      due_at = CASE WHEN u.parks THEN now() + u.park_ms * interval '1 millisecond' END,
      messageid = CASE WHEN u.parks THEN NULL ELSE r.messageid END, updated = now()
    FROM judged AS u JOIN campaign_recipient AS former
      ON former.instance_id = u.instance_id AND former.folder_id = u.folder_id AND former.ordinal = u.ordinal AND former.messageid = u.messageid
    WHERE r.instance_id = u.instance_id AND r.folder_id = u.folder_id AND r.ordinal = u.ordinal AND former.status BETWEEN 1 AND 5
      AND (u.status > former.status AND u.status <= 5 OR u.status = 20 AND former.status = 1)
    RETURNING r.instance_id, r.folder_id, former.status AS before, r.status AS after
  )
  UPDATE campaign_progress AS p SET taken = p.taken - n.taken, sent = p.sent + n.sent, delivered = p.delivered + n.delivered,
    "read" = p."read" + n.seen, played = p.played + n.played, failed = p.failed + n.failed,
    parked = p.parked + n.parked, recent = right(p.recent || n.recent, 50)
  FROM (
    SELECT instance_id, folder_id, count(*) FILTER (WHERE before = 1) AS taken,
      count(*) FILTER (WHERE before < 2 AND after BETWEEN 2 AND 5) AS sent,
      count(*) FILTER (WHERE before < 3 AND after BETWEEN 3 AND 5) AS delivered,
      count(*) FILTER (WHERE before < 4 AND after BETWEEN 4 AND 5) AS seen,
      count(*) FILTER (WHERE before < 5 AND after = 5) AS played,
      count(*) FILTER (WHERE after = 20) AS failed, count(*) FILTER (WHERE after = 0) AS parked,
      COALESCE(string_agg((after = 20)::int::text, '') FILTER (WHERE before = 1 AND after > 0), '') AS recent
    FROM raised GROUP BY instance_id, folder_id
  ) AS n
  WHERE p.instance_id = n.instance_id AND p.folder_id = n.folder_id`

/** States of a message that mean something for its recipient. One that was deleted for everyone was sent before. */
const STATUSES: Readonly<Record<string, number>> = {
  sent: recipientStatus.sent,
  delivered: recipientStatus.delivered,
  read: recipientStatus.read,
  played: recipientStatus.played,
  failed: recipientStatus.failed,
  deleted: recipientStatus.sent,
}

function sendCampaignOutcomes(client: Statements, changed: readonly CampaignMessage[]): Promise<unknown>[] {
  const outcomes = changed.filter(({ message }) => STATUSES[message.status] !== undefined)
  if (outcomes.length === 0) return []
  const messages = outcomes.map(({ message }) => message)
  const sets = outcomes.map(({ change }) => change.set)
  const isFailed = (index: number): boolean => messages[index]?.status === 'failed'
  const values = [
    textArray(outcomes.map(({ instance }) => instance)),
    textArray(messages.map((message) => message.send_folder_id)),
    intArray(messages.map((message) => message.send_ordinal)),
    textArray(messages.map(({ messageid }) => messageid)),
    intArray(messages.map(({ status }) => STATUSES[status])),
    textArray(sets.map(({ error }, index) => (isFailed(index) ? error : null))),
    intArray(sets.map(({ providerCode }, index) => (isFailed(index) ? providerCode : null))),
    bigintArray(outcomes.map(({ change: { parks } }) => (parks?.forMs == null ? null : Math.ceil(parks.forMs)))),
    textArray(outcomes.map(({ change }) => change.parks?.reason)),
  ]
  return [client.query(RAISE, values)]
}

// Notes the first message of a person after a message of a campaign, in the transaction that stores it.

type ReplyChange = Extract<Change, { type: 'campaign.reply' }>

/** Maximum difference of PostgreSQL's clock and the network's. A message from before that of the campaign is no reply to it. */
const CLOCKS_SECONDS = 60

// Of a person who is in no campaign it reads one key of campaign_contact for each address. That row notes that the reply is counted. A message of the campaign in this same transaction has not left yet, so nothing replies to it.
// $1 instances   $2 addresses   $3 times of the messages   $4 the person's other address is not known
const REPLY = `
  WITH u AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bool[]) AS u(instance_id, address, sent_ms, is_half)
  ), people AS (
    SELECT instance_id, address, sent_ms FROM u
    UNION ALL SELECT u.instance_id, unnest(${spellingsSql('m.pn')}), sent_ms FROM u JOIN lid_mapping AS m
      ON u.is_half AND m.instance_id = u.instance_id AND m.lid = u.address
    UNION ALL SELECT u.instance_id, m.lid, sent_ms FROM u JOIN lid_mapping AS m
      ON u.is_half AND m.instance_id = u.instance_id AND m.pn = u.address
  ), awaited AS (
    SELECT c.instance_id, c.address, c.folder_id, c.ordinal FROM campaign_contact AS c JOIN people AS p
      ON c.instance_id = p.instance_id AND c.address = p.address
    WHERE c.folder_id IS NOT NULL AND NOT c.answered AND c.last_at < now() AND c.last_at > now() - interval '${REPLY_DAYS} days'
      AND c.last_at < to_timestamp(p.sent_ms / 1000.0) + interval '${CLOCKS_SECONDS} seconds'
    FOR UPDATE OF c
  ), answered AS (
    UPDATE campaign_contact AS c SET answered = true FROM awaited AS a
    WHERE c.instance_id = a.instance_id AND c.address = a.address
  ), replied AS (
    UPDATE campaign_recipient AS r SET replied_at = now(), updated = now() FROM awaited AS a
    WHERE r.instance_id = a.instance_id AND r.folder_id = a.folder_id AND r.ordinal = a.ordinal
      AND r.replied_at IS NULL AND r.status BETWEEN 1 AND 5
    RETURNING r.instance_id, r.folder_id
  )
  UPDATE campaign_progress AS p SET replied = p.replied + n.replied
  FROM (SELECT instance_id, folder_id, count(*) AS replied FROM replied GROUP BY instance_id, folder_id) AS n
  WHERE p.instance_id = n.instance_id AND p.folder_id = n.folder_id`

/** Call it after the messages were inserted: one that was stored before is no further reply. */
function sendCampaignReplies(
  client: Statements,
  writes: readonly Write[],
  insertions: ReadonlyMap<object, Insertion>,
): Promise<unknown>[] {
  const replies = newReplies(writes, insertions)
  if (replies.length === 0) return []
  const spellings = replies.flatMap(({ instance, change: { chat, sentAtMs } }) => {
    const isHalf = chat.pn === undefined || chat.lid === undefined
    return personAddresses(chat).map((address) => ({ instance, address, sentAtMs, isHalf }))
  })
  const values = [
    textArray(spellings.map(({ instance }) => instance)),
    textArray(spellings.map(({ address }) => address)),
    bigintArray(spellings.map(({ sentAtMs }) => sentAtMs)),
    boolArray(spellings.map(({ isHalf }) => isHalf)),
  ]
  return [client.query(REPLY, values)]
}

/** Returns the replies whose messages are new. Each stands behind its message in the same write. */
function newReplies(writes: readonly Write[], insertions: ReadonlyMap<object, Insertion>) {
  const replies: { readonly instance: InstanceId; readonly change: ReplyChange }[] = []
  for (const { instance, changes } of writes) {
    let last: Insertion | undefined
    for (const change of changes) {
      if (change.type === 'message') last = insertions.get(change)
      if (change.type !== 'campaign.reply' || last?.message.messageid !== change.messageid) continue
      if (last.isNew && last.sameAs === null) replies.push({ instance, change })
    }
  }
  return replies
}
