/**
 * Chats that new messages moved, and nothing else changed: nearly all. The statement for all kinds of changes (`chat-changes.ts`) costs
 * PostgreSQL five times as much, mostly to set up its expressions.
 */
import type { InstanceId } from '../../../schemas/ids.js'
import { type ChatRow, chatColumns } from '../chat-record.js'
import { type Cells, givenRows } from '../given-rows.js'
import { CHANGED_BITS } from './changed-settings.js'
import type { Statements } from './connection.js'
import { TRANSACTION_TIME } from './fence.js'

/** Behind `written`, the chats of a statement: keeps their places in the order of the last message. */
export const PLACE_CHATS = `placed AS (
    UPDATE chat_activity AS a SET "wa_lastMsgTimestamp" = w."wa_lastMsgTimestamp", is_unread = w."wa_unreadCount" <> 0
    FROM written AS w
    WHERE a.instance_id = w.instance_id AND a.chat_id = w.id
      AND (a."wa_lastMsgTimestamp", a.is_unread) IS DISTINCT FROM (w."wa_lastMsgTimestamp", w."wa_unreadCount" <> 0)
  )`

export interface ChatMove {
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
export async function moveChats(client: Statements, moves: readonly ChatMove[]): Promise<readonly ChangedChat[]> {
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
