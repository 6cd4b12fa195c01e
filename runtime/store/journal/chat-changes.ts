/** The chat rows of a batch: fields that the network told, in one statement, and what new messages moved, in another. */

import type { InstanceId } from '../../../schemas/ids.js'
import type { ChatFields, NewMessage } from '../../../schemas/stored-fields.js'
import { bigintArray, boolArray, intArray, textArray } from '../arrays.js'
import { type ChatRow, chatColumns } from '../chat-record.js'
import { type Cells, givenRows } from '../given-rows.js'
import { joinKey } from './batch.js'
import { CHANGED_BITS, changedBits } from './changed-settings.js'
import type { Statements } from './connection.js'
import { TRANSACTION_TIME } from './fence.js'
import { hasLive } from './message-order.js'

/** Behind `written`, the chats of a statement: keeps their places in the order of the last message. */
const PLACE_CHATS = `placed AS (
    UPDATE chat_activity AS a SET "wa_lastMsgTimestamp" = w."wa_lastMsgTimestamp", is_unread = w."wa_unreadCount" <> 0
    FROM written AS w
    WHERE a.instance_id = w.instance_id AND a.chat_id = w.id
      AND (a."wa_lastMsgTimestamp", a.is_unread) IS DISTINCT FROM (w."wa_lastMsgTimestamp", w."wa_unreadCount" <> 0)
  )`

interface Movement {
  readonly instance: InstanceId
  readonly chatId: number
  /** False when something else than new messages changed it. */
  isMove: boolean
  readonly set: ChatFields
  /** Changes by parts of the history. */
  readonly past: ChatFields
  readonly labelsAdded: Set<string>
  readonly labelsRemoved: Set<string>
  /** Set by the network in this batch; null keeps what is stored. */
  unreadSet: number | null
  unreadAdded: number
  unreadTaken: number
  /** The present text of the last message, when it was edited. */
  preview: string | null
  last: { timestamp: number; text: string; type: string; sender: string; isHistory: boolean } | null
}

/** Returns the SQL of a field's new value. It is null, which keeps the column, for a history when the field has changed since the pairing. */
function ofField(field: keyof typeof CHANGED_BITS, given: string): string {
  return `CASE WHEN t.kept & ${CHANGED_BITS[field]} = 0 THEN ${given} END`
}

// The name shown is, in this order: what was set (groups), the address book's, the person's own, what it was.
// Null keeps a column. The end of another note than the one that is kept changes nothing. `changed` compares before and after. The place in the order of the last message follows.
const UPDATE_CHATS = `
  WITH written AS (
  UPDATE chat AS c SET
    "name" = COALESCE(NULLIF(n.name, ''), NULLIF(n.contact_name, ''),
      CASE WHEN COALESCE(n.contact_name, o."wa_contactName") = '' AND NOT o."wa_isGroup"
        THEN NULLIF(COALESCE(n.own_name, CASE WHEN n.contact_name = '' THEN o."wa_name" END), '') END, o."name"),
    "image" = COALESCE(u.image, o."image"),
    "imagePreview" = COALESCE(u.image_preview, o."imagePreview"),
    "wa_archived" = COALESCE(${ofField('wa_archived', 'u.archived')}, o."wa_archived"),
    "wa_contactName" = COALESCE(n.contact_name, o."wa_contactName"),
    "wa_name" = COALESCE(NULLIF(n.own_name, ''), o."wa_name"),
    "wa_username" = COALESCE(u.username, o."wa_username"),
    "wa_ephemeralExpiration" = COALESCE(${ofField('wa_ephemeralExpiration', 'u.expiration')}, o."wa_ephemeralExpiration"),
    "wa_isBlocked" = COALESCE(u.blocked, o."wa_isBlocked"),
    "wa_isGroup" = COALESCE(u.is_group, o."wa_isGroup"),
    "wa_isGroup_admin" = COALESCE(${ofField('wa_isGroup_admin', 'u.admin')}, o."wa_isGroup_admin"),
    "wa_isGroup_announce" = COALESCE(${ofField('wa_isGroup_announce', 'u.announce')}, o."wa_isGroup_announce"),
    "wa_isGroup_community" = COALESCE(${ofField('wa_isGroup_community', 'u.community')}, o."wa_isGroup_community"),
    "wa_isGroup_member" = COALESCE(${ofField('wa_isGroup_member', 'u.member')}, o."wa_isGroup_member"),
    "wa_isPinned" = COALESCE(${ofField('wa_isPinned', 'u.pinned')}, o."wa_isPinned"),
    "wa_muteEndTime" = COALESCE(${ofField('wa_muteEndTime', 'u.mute_end')}, o."wa_muteEndTime"),
    "wa_label" = CASE WHEN u.labels_added IS NULL AND u.labels_removed IS NULL THEN COALESCE(u.label, o."wa_label")
      ELSE list_with(COALESCE(u.label, o."wa_label"), u.labels_added, u.labels_removed) END,
    "wa_unreadCount" = CASE WHEN u.unread_added > 0 OR u.unread_taken > 0
      THEN GREATEST(GREATEST(COALESCE(n.unread_set, o."wa_unreadCount"), 0) + u.unread_added - u.unread_taken, 0)
      ELSE COALESCE(n.unread_set, o."wa_unreadCount") END,
    "wa_notes" = CASE WHEN n.is_note THEN u.note ELSE o."wa_notes" END,
    wa_note_id = CASE WHEN NOT n.is_note THEN o.wa_note_id WHEN u.note = '' THEN '' ELSE u.note_id END,
    "wa_lastMsgTimestamp" = GREATEST(u.last_timestamp, o."wa_lastMsgTimestamp"),
    "wa_lastMessageTextVote" = CASE WHEN u.preview IS NOT NULL THEN u.preview WHEN l.is_last
      THEN u.last_text ELSE o."wa_lastMessageTextVote" END,
    "wa_lastMessageType" = CASE WHEN l.is_last
      THEN u.last_type ELSE o."wa_lastMessageType" END,
    "wa_lastMessageSender" = CASE WHEN l.is_last
      THEN u.last_sender ELSE o."wa_lastMessageSender" END,
    told = u.told | CASE WHEN o.told_pairing = i.pairing THEN o.told ELSE 0 END,
    told_pairing = i.pairing,
    updated = ${TRANSACTION_TIME}
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bool[], $7::text[], $8::text[], $9::bigint[],
    $10::bool[], $11::bool[], $12::bool[], $13::bigint[], $14::text[], $15::bigint[], $16::bigint[], $17::bigint[],
    $18::text[], $19::text[], $20::text[], $21::bool[], $23::bool[], $24::bool[], $25::bool[], $26::bool[], $27::text[], $28::text[],
    $29::bigint[], $30::text[], $31::int[], $22::int[], $32::text[], $33::bool[], $34::text[], $35::text[])
    AS u(instance_id, id, name, image, image_preview, archived, contact_name, own_name, expiration, blocked, is_group, pinned,
      mute_end, label, unread_set, unread_added, last_timestamp, last_text, last_type, last_sender, created, admin, announce, community, member,
      labels_added, labels_removed, unread_taken, preview, told, past, username, last_is_past, note_id, note)
  JOIN chat AS o ON o.instance_id = u.instance_id AND o.id = u.id
  JOIN instance AS i ON i.id = u.instance_id
  CROSS JOIN LATERAL (SELECT CASE WHEN o.told_pairing = i.pairing THEN o.told & u.past ELSE 0 END AS kept) AS t
  CROSS JOIN LATERAL (SELECT ${ofField('name', 'u.name')} AS name, ${ofField('wa_contactName', 'u.contact_name')} AS contact_name,
    ${ofField('wa_name', 'u.own_name')} AS own_name, ${ofField('wa_unreadCount', 'u.unread_set')} AS unread_set,
    u.note_id IS NOT NULL AND (u.note <> '' OR o.wa_note_id IN ('', u.note_id)) AS is_note) AS n
  CROSS JOIN LATERAL (SELECT u.last_type IS NOT NULL AND (NOT u.last_is_past
    OR u.last_timestamp >= o."wa_lastMsgTimestamp" AND NOT ${hasLive('u.instance_id', 'u.id')}) AS is_last OFFSET 0) AS l
  WHERE c.instance_id = u.instance_id AND c.id = u.id
  RETURNING ${chatColumns}, (u.created OR
    (c."name", c."image", c."imagePreview", c."wa_archived", c."wa_contactName", c."wa_name", c."wa_ephemeralExpiration",
      c."wa_isBlocked", c."wa_isGroup", c."wa_isGroup_admin", c."wa_isGroup_announce", c."wa_isGroup_community",
      c."wa_isGroup_member", c."wa_isPinned", c."wa_muteEndTime", c."wa_label", c."wa_unreadCount", c."wa_lastMsgTimestamp", c."wa_username", c."wa_notes")
    IS DISTINCT FROM
    (o."name", o."image", o."imagePreview", o."wa_archived", o."wa_contactName", o."wa_name", o."wa_ephemeralExpiration",
      o."wa_isBlocked", o."wa_isGroup", o."wa_isGroup_admin", o."wa_isGroup_announce", o."wa_isGroup_community",
      o."wa_isGroup_member", o."wa_isPinned", o."wa_muteEndTime", o."wa_label", o."wa_unreadCount", o."wa_lastMsgTimestamp", o."wa_username", o."wa_notes")
    ) AS changed
  ), ${PLACE_CHATS}
  SELECT * FROM written`

export class ChatChanges {
  readonly #movements = new Map<string, Movement>()
  readonly #created: ReadonlySet<number>

  /** `created`: chats that this batch made, which count as changed. */
  constructor(created: ReadonlySet<number>) {
    this.#created = created
  }

  /** In the order of the changes. */
  set(instance: InstanceId, chatId: number, fields: ChatFields, isHistory = false): void {
    const movement = this.#movement(instance, chatId)
    movement.isMove = false
    if (isHistory) {
      Object.assign(movement.past, fields)
      return
    }
    Object.assign(movement.set, fields)
    if (fields.wa_unreadCount !== undefined) {
      movement.unreadSet = fields.wa_unreadCount
      movement.unreadAdded = 0
      movement.unreadTaken = 0
    }
    if (fields.wa_label !== undefined) {
      movement.labelsAdded.clear()
      movement.labelsRemoved.clear()
    }
  }

  label(instance: InstanceId, chatId: number, labelid: string, isSet: boolean): void {
    const movement = this.#movement(instance, chatId)
    movement.isMove = false
    const { labelsAdded, labelsRemoved } = movement
    const [into, outOf] = isSet ? [labelsAdded, labelsRemoved] : [labelsRemoved, labelsAdded]
    into.add(labelid)
    outOf.delete(labelid)
  }

  /** So many messages of the chat have been read. */
  takeUnread(instance: InstanceId, chatId: number, count: number): void {
    const movement = this.#movement(instance, chatId)
    movement.isMove = false
    movement.unreadTaken += count
  }

  /** The last message of the chat was edited. */
  preview(instance: InstanceId, chatId: number, text: string): void {
    const movement = this.#movement(instance, chatId)
    movement.isMove = false
    movement.preview = text
  }

  /** The content of the last message has come. */
  replaceLast(instance: InstanceId, chatId: number, message: NewMessage): void {
    const movement = this.#movement(instance, chatId)
    const { unreadAdded } = movement
    this.moveBy(instance, chatId, message, false)
    movement.unreadAdded = unreadAdded
  }

  /** A message that was not known before. */
  moveBy(instance: InstanceId, chatId: number, message: NewMessage, isHistory: boolean): void {
    const movement = this.#movement(instance, chatId)
    if (isHistory || message.isQuiet) movement.isMove = false
    if (message.isQuiet) return
    // A reaction is nothing that one has to read: phones count none.
    if (!message.fromMe && !isHistory && message.messageType !== 'reaction') movement.unreadAdded++
    // A live message follows all others, whatever the clocks say.
    const { last } = movement
    if (last === null || !isHistory || (last.isHistory && message.messageTimestampMs >= last.timestamp)) {
      movement.last = {
        timestamp: isHistory ? message.messageTimestampMs : Math.max(message.messageTimestampMs, last?.timestamp ?? 0),
        isHistory,
        text: message.text || message.vote || '',
        type: message.messageType,
        sender: message.sender,
      }
    }
    if (!message.fromMe && !message.isGroup && message.senderName)
      (isHistory ? movement.past : movement.set).wa_name = message.senderName
  }

  /** The rows as they are now, by instance and chat. */
  async apply(client: Statements): Promise<ReadonlyMap<string, ChangedChat>> {
    if (this.#movements.size === 0) return new Map()
    const movements = [...this.#movements.values()]
    const moves = movements.flatMap(toMove)
    const rows =
      moves.length === movements.length ? await moveChats(client, moves) : await this.#update(client, movements)
    return new Map(rows.map((row) => [joinKey(row.instance_id, row.id), row]))
  }

  async #update(client: Statements, movements: readonly Movement[]): Promise<readonly ChangedChat[]> {
    const all = movements.map((one) => ({ ...one, both: { ...one.past, ...one.set } }))
    const { rows } = await client.query<ChangedChat>(UPDATE_CHATS, [
      textArray(all.map((one) => one.instance)),
      bigintArray(all.map((one) => one.chatId)),
      textArray(all.map(({ both }) => both.name)),
      textArray(all.map(({ both }) => both.image)),
      textArray(all.map(({ both }) => both.imagePreview)),
      boolArray(all.map(({ both }) => both.wa_archived)),
      textArray(all.map(({ both }) => both.wa_contactName)),
      textArray(all.map(({ both }) => both.wa_name)),
      bigintArray(all.map(({ both }) => both.wa_ephemeralExpiration)),
      boolArray(all.map(({ both }) => both.wa_isBlocked)),
      boolArray(all.map(({ both }) => both.wa_isGroup)),
      boolArray(all.map(({ both }) => both.wa_isPinned)),
      bigintArray(all.map(({ both }) => both.wa_muteEndTime)),
      textArray(all.map(({ both }) => (both.wa_label === undefined ? null : JSON.stringify(both.wa_label)))),
      bigintArray(all.map((one) => one.unreadSet ?? one.past.wa_unreadCount)),
      bigintArray(all.map((one) => one.unreadAdded)),
      bigintArray(
        all.map(({ last, set, past }) =>
          Math.max(last?.timestamp ?? 0, set.wa_lastMsgTimestamp ?? 0, past.wa_lastMsgTimestamp ?? 0),
        ),
      ),
      textArray(all.map(({ last }) => last?.text)),
      textArray(all.map(({ last }) => last?.type)),
      textArray(all.map(({ last }) => last?.sender)),
      boolArray(all.map((one) => this.#created.has(one.chatId))),
      intArray(all.map(({ set, past }) => changedBits(past) & ~changedBits(set))),
      boolArray(all.map(({ both }) => both.wa_isGroup_admin)),
      boolArray(all.map(({ both }) => both.wa_isGroup_announce)),
      boolArray(all.map(({ both }) => both.wa_isGroup_community)),
      boolArray(all.map(({ both }) => both.wa_isGroup_member)),
      textArray(all.map(({ labelsAdded }) => formatLabels(labelsAdded))),
      textArray(all.map(({ labelsRemoved }) => formatLabels(labelsRemoved))),
      bigintArray(all.map((one) => one.unreadTaken)),
      textArray(all.map((one) => one.preview)),
      intArray(all.map(({ set }) => changedBits(set))),
      textArray(all.map(({ both }) => both.wa_username)),
      boolArray(all.map(({ last }) => last?.isHistory ?? false)),
      textArray(all.map(({ set }) => set.wa_note?.id)),
      textArray(all.map(({ set }) => set.wa_note?.text)),
    ])
    return rows
  }

  #movement(instance: InstanceId, chatId: number): Movement {
    const key = joinKey(instance, chatId)
    let movement = this.#movements.get(key)
    if (movement === undefined) {
      movement = {
        instance,
        chatId,
        isMove: true,
        set: {},
        past: {},
        labelsAdded: new Set(),
        labelsRemoved: new Set(),
        unreadSet: null,
        unreadAdded: 0,
        unreadTaken: 0,
        preview: null,
        last: null,
      }
      this.#movements.set(key, movement)
    }
    return movement
  }
}

/** None when something else than new messages changed the chat. */
function toMove({ instance, chatId, isMove, set, unreadAdded, last }: Movement): ChatMove[] {
  return isMove && last !== null ? [{ instance, chatId, ownName: set.wa_name, unread: unreadAdded, last }] : []
}

function formatLabels(labels: ReadonlySet<string>): string | null {
  return labels.size === 0 ? null : JSON.stringify([...labels])
}

/**
 * A chat that new messages moved, and nothing else changed: nearly all. The statement for all kinds of changes costs PostgreSQL five times as
 * much, mostly to set up its expressions.
 */
interface ChatMove {
  readonly instance: InstanceId
  readonly chatId: number
  readonly ownName: string | undefined
  /** New unread messages. */
  readonly unread: number
  readonly last: { readonly timestamp: number; readonly text: string; readonly type: string; readonly sender: string }
}

const given = givenRows({
  alias: 'u',
  columns: [
    ['instance_id', 'text'],
    ['id', 'bigint'],
    // Of the last message.
    ['timestamp', 'bigint'],
    ['text', 'text'],
    ['type', 'text'],
    ['sender', 'text'],
    // The person's own; null keeps it.
    ['own_name', 'text'],
    ['unread', 'bigint'],
  ],
})

/** Columns that a move changes besides those of the last message. */
interface Brings {
  readonly name: boolean
  readonly unread: boolean
}

// A column that is not set wakes no trigger (migration 0077): the triggers of the unread count cost more than all the rest.
const assignments = ({ name, unread }: Brings, pairing: string): string =>
  [
    ...(name
      ? [
          `"name" = CASE WHEN u.own_name IS NOT NULL AND c."wa_contactName" = '' AND NOT c."wa_isGroup" THEN u.own_name ELSE c."name" END`,
          `"wa_name" = COALESCE(u.own_name, c."wa_name")`,
          `told = CASE WHEN u.own_name IS NULL THEN c.told
            ELSE ${CHANGED_BITS.wa_name} | CASE WHEN c.told_pairing = ${pairing} THEN c.told ELSE 0 END END`,
          `told_pairing = CASE WHEN u.own_name IS NULL THEN c.told_pairing ELSE ${pairing} END`,
        ]
      : []),
    ...(unread
      ? [
          `"wa_unreadCount" = CASE WHEN u.unread > 0 THEN GREATEST(c."wa_unreadCount", 0) + u.unread ELSE c."wa_unreadCount" END`,
        ]
      : []),
    `"wa_lastMsgTimestamp" = GREATEST(u.timestamp, c."wa_lastMsgTimestamp")`,
    `"wa_lastMessageTextVote" = u.text`,
    `"wa_lastMessageType" = u.type`,
    `"wa_lastMessageSender" = u.sender`,
    `updated = ${TRANSACTION_TIME}`,
  ].join(', ')

// Nobody asks whether these have changed: a message is announced with its chat anyway.
const ANSWER = `RETURNING ${chatColumns}, true AS changed`

const several = (unread: boolean): string => `
  WITH written AS (
    UPDATE chat AS c SET ${assignments({ name: true, unread }, 'i.pairing')}
    FROM ${given.many} JOIN instance AS i ON i.id = u.instance_id
    WHERE c.instance_id = u.instance_id AND c.id = u.id
    ${ANSWER}
  ), ${PLACE_CHATS}
  SELECT * FROM written`
const SEVERAL = { read: several(false), unread: several(true) }

// The place of one chat follows from what is given, without a look at what was written.
const lone = (brings: Brings): string => {
  const isLater = `a."wa_lastMsgTimestamp" < u.timestamp`
  return `
  WITH placed AS (
    UPDATE chat_activity AS a SET "wa_lastMsgTimestamp" = GREATEST(u.timestamp, a."wa_lastMsgTimestamp")${brings.unread ? ', is_unread = true' : ''}
    FROM ${given.one}
    WHERE a.instance_id = u.instance_id AND a.chat_id = u.id AND (${brings.unread ? `NOT a.is_unread OR ${isLater}` : isLater})
  )
  UPDATE chat AS c SET ${assignments(brings, '(SELECT i.pairing FROM instance AS i WHERE i.id = u.instance_id)')}
  FROM ${given.one}
  WHERE c.instance_id = u.instance_id AND c.id = u.id
  ${ANSWER}`
}
const LONE = {
  read: { unnamed: lone({ name: false, unread: false }), named: lone({ name: true, unread: false }) },
  unread: { unnamed: lone({ name: false, unread: true }), named: lone({ name: true, unread: true }) },
}

/** Returns the rows as they are now. */
async function moveChats(client: Statements, moves: readonly ChatMove[]): Promise<readonly ChangedChat[]> {
  const { rows } = await client.query<ChangedChat>(textFor(moves), given.valuesOfOneOrMany(moves.map(toCells)))
  return rows
}

function textFor(moves: readonly ChatMove[]): string {
  const state = moves.some((one) => one.unread > 0) ? 'unread' : 'read'
  const [only] = moves
  if (moves.length !== 1 || only === undefined) return SEVERAL[state]
  return LONE[state][only.ownName === undefined ? 'unnamed' : 'named']
}

/** In the order of the parameters. */
function toCells({ instance, chatId, ownName, unread, last: { timestamp, text, type, sender } }: ChatMove): Cells {
  return [instance, chatId, timestamp, text, type, sender, ownName, unread]
}

export type ChangedChat = ChatRow & { readonly changed: boolean }
