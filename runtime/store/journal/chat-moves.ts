/**
 * Chats that new messages moved, and nothing else changed: nearly all. The statement for all kinds of changes (`chat-changes.ts`) costs
 * PostgreSQL five times as much, mostly to set up its expressions.
 */
import type { InstanceId } from '../../../schemas/ids.js'
import { bigintArray, textArray } from '../arrays.js'
import { chatColumns } from '../chat-record.js'
import { CHANGED_BITS } from './changed-settings.js'
import type { ChangedChat } from './chat-changes.js'
import { PLACE_CHATS } from './chat-places.js'
import type { Statements } from './connection.js'
import { TRANSACTION_TIME } from './fence.js'

// Nobody asks whether these have changed: a message is announced with its chat anyway. A null name keeps the name.
// $1 instances   $2 chats   $3 the person's own name   of the last message: $4 time   $5 text   $6 type   $7 sender
const moving = (unread: { readonly set: string; readonly values: string; readonly column: string }): string => `
  WITH written AS (
  UPDATE chat AS c SET
    "name" = CASE WHEN u.own_name IS NOT NULL AND c."wa_contactName" = '' AND NOT c."wa_isGroup" THEN u.own_name ELSE c."name" END,
    "wa_name" = COALESCE(u.own_name, c."wa_name"),
    ${unread.set}
    "wa_lastMsgTimestamp" = GREATEST(u.timestamp, c."wa_lastMsgTimestamp"),
    "wa_lastMessageTextVote" = CASE WHEN u.timestamp >= c."wa_lastMsgTimestamp" THEN u.text ELSE c."wa_lastMessageTextVote" END,
    "wa_lastMessageType" = CASE WHEN u.timestamp >= c."wa_lastMsgTimestamp" THEN u.type ELSE c."wa_lastMessageType" END,
    "wa_lastMessageSender" = CASE WHEN u.timestamp >= c."wa_lastMsgTimestamp" THEN u.sender ELSE c."wa_lastMessageSender" END,
    told = CASE WHEN u.own_name IS NULL THEN c.told
      ELSE ${CHANGED_BITS.wa_name} | CASE WHEN c.told_pairing = i.pairing THEN c.told ELSE 0 END END,
    told_pairing = CASE WHEN u.own_name IS NULL THEN c.told_pairing ELSE i.pairing END,
    updated = ${TRANSACTION_TIME}
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[]${unread.values})
    AS u(instance_id, id, own_name, timestamp, text, type, sender${unread.column})
  JOIN instance AS i ON i.id = u.instance_id
  WHERE c.instance_id = u.instance_id AND c.id = u.id
  RETURNING ${chatColumns}, true AS changed
  ), ${PLACE_CHATS}
  SELECT * FROM written`

// A column that is not set wakes no trigger (migration 0077): the triggers of the unread count cost more than all the rest.
const MOVE_READ = moving({ set: '', values: '', column: '' })
// $8 new unread messages
const MOVE_UNREAD = moving({
  set: `"wa_unreadCount" = CASE WHEN u.unread > 0 THEN GREATEST(c."wa_unreadCount", 0) + u.unread ELSE c."wa_unreadCount" END,`,
  values: ', $8::bigint[]',
  column: ', unread',
})

export interface ChatMove {
  readonly instance: InstanceId
  readonly chatId: number
  readonly ownName: string | undefined
  readonly unread: number
  readonly last: { readonly timestamp: number; readonly text: string; readonly type: string; readonly sender: string }
}

/** Returns the rows as they are now. */
export async function moveChats(client: Statements, moves: readonly ChatMove[]): Promise<readonly ChangedChat[]> {
  const areUnread = moves.some((one) => one.unread > 0)
  const { rows } = await client.query<ChangedChat>(areUnread ? MOVE_UNREAD : MOVE_READ, [
    textArray(moves.map((one) => one.instance)),
    bigintArray(moves.map((one) => one.chatId)),
    textArray(moves.map((one) => one.ownName)),
    bigintArray(moves.map(({ last }) => last.timestamp)),
    textArray(moves.map(({ last }) => last.text)),
    textArray(moves.map(({ last }) => last.type)),
    textArray(moves.map(({ last }) => last.sender)),
    ...(areUnread ? [bigintArray(moves.map((one) => one.unread))] : []),
  ])
  return rows
}
