/** Two chats turn out to be one person: a LID's and its number's. */

import type { InstanceId } from '../../../schemas/ids.js'
import type { Statements } from './connection.js'
import { MERGED_LEAD } from './lead-changes.js'

// Each: $1 instance   $2 the chat that goes   $3 the chat that stays
const STEPS = [
  // A message known under both addresses is one message. Its content counts more than its place without content.
  `DELETE FROM message AS kept USING message AS gone
   WHERE gone.instance_id = $1::text AND gone.chat_id = $2::bigint AND kept.instance_id = $1::text AND kept.chat_id = $3::bigint
     AND kept."messageid" = gone."messageid" AND kept."fromMe" = gone."fromMe"
     AND kept."messageType" = 'unreadable' AND kept.proto IS NULL AND gone.proto IS NOT NULL`,
  `DELETE FROM message AS gone USING message AS kept
   WHERE gone.instance_id = $1::text AND gone.chat_id = $2::bigint AND kept.instance_id = $1::text AND kept.chat_id = $3::bigint
     AND kept."messageid" = gone."messageid" AND kept."fromMe" = gone."fromMe"`,
  // The last message of both, before they are in one chat.
  `UPDATE chat AS kept SET "wa_lastMessageTextVote" = gone."wa_lastMessageTextVote", "wa_lastMessageType" = gone."wa_lastMessageType",
     "wa_lastMessageSender" = gone."wa_lastMessageSender"
   FROM chat AS gone, LATERAL (SELECT m."messageTimestamp" AS place, m.position FROM message AS m
     WHERE m.instance_id = $1::text AND m.chat_id = $2::bigint ORDER BY m."messageTimestamp" DESC, m.position DESC LIMIT 1) AS newest
   WHERE kept.instance_id = $1::text AND kept.id = $3::bigint AND gone.instance_id = $1::text AND gone.id = $2::bigint
     AND NOT EXISTS (SELECT FROM message AS later WHERE later.instance_id = $1::text AND later.chat_id = $3::bigint
       AND (later."messageTimestamp", later.position) > (newest.place, newest.position))`,
  // The turn of the chat that stays answers the messages of both.
  `WITH gone AS (
     UPDATE agent_turn AS g SET state = 'cancelled', reason = 'merged', ended = now(), updated = now()
     WHERE g.instance_id = $1::text AND g.chat_id = $2::bigint AND g.ended IS NULL AND EXISTS (SELECT FROM agent_turn AS k
       WHERE k.instance_id = $1::text AND k.chat_id = $3::bigint AND k.ended IS NULL)
     RETURNING g.*
   ), skipped AS (
     UPDATE agent_reply AS r SET state = 'skipped', updated = now() FROM gone
     WHERE r.instance_id = $1::text AND r.turn_id = gone.id AND r.state = 'planned'
   )
   UPDATE agent_turn AS k SET
     last_position = CASE WHEN k.state = 'waiting' THEN GREATEST(k.last_position, gone.last_position) ELSE k.last_position END,
     next_due = CASE WHEN k.state = 'waiting' THEN NULL ELSE COALESCE(k.next_due, now()) END,
     next_first_at = CASE WHEN k.state = 'waiting' THEN NULL ELSE COALESCE(k.next_first_at, now()) END,
     next_first = CASE WHEN k.state = 'waiting' THEN NULL ELSE LEAST(k.next_first, gone.first_position) END,
     next_last = CASE WHEN k.state = 'waiting' THEN NULL ELSE GREATEST(k.next_last, gone.last_position) END
   FROM gone WHERE k.instance_id = $1::text AND k.chat_id = $3::bigint AND k.ended IS NULL`,
  'UPDATE agent_turn SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  'UPDATE message SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  // By the primary key: a scan would read whatever waits for all instances.
  `UPDATE delivery SET lane = $3::bigint WHERE instance_id = $1::text AND lane = $2::bigint
     AND webhook_id = ANY(ARRAY(SELECT id FROM webhook WHERE instance_id = $1::text OR instance_id IS NULL))`,
  'UPDATE dead_letter SET lane = $3::bigint WHERE instance_id = $1::text AND lane = $2::bigint',
  // The conversation with the newest message goes on. The carrier merges the contacts and ends the other conversation.
  `UPDATE chatwoot_chat AS kept SET
     merge_contact = gone.contact_id,
     merge_conversation = CASE WHEN gone.newest_id > kept.newest_id THEN kept.conversation_id ELSE gone.conversation_id END,
     conversation_id = CASE WHEN gone.newest_id > kept.newest_id THEN gone.conversation_id ELSE kept.conversation_id END,
     seen_id = CASE WHEN gone.newest_id > kept.newest_id THEN gone.seen_id ELSE kept.seen_id END,
     newest_id = GREATEST(kept.newest_id, gone.newest_id),
     phone = COALESCE(NULLIF(kept.phone, ''), gone.phone)
   FROM chatwoot_chat AS gone
   WHERE kept.instance_id = $1::text AND kept.chat_id = $3::bigint AND gone.instance_id = $1::text AND gone.chat_id = $2::bigint`,
  `DELETE FROM chatwoot_chat AS gone WHERE gone.instance_id = $1::text AND gone.chat_id = $2::bigint
     AND EXISTS (SELECT FROM chatwoot_chat AS kept WHERE kept.instance_id = $1::text AND kept.chat_id = $3::bigint)`,
  'UPDATE chatwoot_chat SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  `UPDATE chat AS kept SET
     "name" = COALESCE(NULLIF(kept."name", ''), gone."name"),
     "image" = COALESCE(NULLIF(kept."image", ''), gone."image"),
     "imagePreview" = COALESCE(NULLIF(kept."imagePreview", ''), gone."imagePreview"),
     "wa_contactName" = COALESCE(NULLIF(kept."wa_contactName", ''), gone."wa_contactName"),
     "wa_name" = COALESCE(NULLIF(kept."wa_name", ''), gone."wa_name"),
     "wa_username" = COALESCE(NULLIF(kept."wa_username", ''), gone."wa_username"),
     "wa_ephemeralExpiration" = GREATEST(kept."wa_ephemeralExpiration", gone."wa_ephemeralExpiration"),
     "wa_archived" = kept."wa_archived" AND gone."wa_archived",
     "wa_isBlocked" = kept."wa_isBlocked" OR gone."wa_isBlocked",
     "wa_isPinned" = kept."wa_isPinned" OR gone."wa_isPinned",
     "wa_muteEndTime" = GREATEST(kept."wa_muteEndTime", gone."wa_muteEndTime"),
     "wa_notes" = CASE WHEN kept.wa_note_id = '' THEN gone."wa_notes" ELSE kept."wa_notes" END,
     wa_note_id = COALESCE(NULLIF(kept.wa_note_id, ''), gone.wa_note_id),
     "wa_label" = list_with(kept."wa_label", gone."wa_label", NULL),
     ${MERGED_LEAD},
     "wa_unreadCount" = GREATEST(kept."wa_unreadCount", 0) + GREATEST(gone."wa_unreadCount", 0),
     "wa_lastMsgTimestamp" = GREATEST(kept."wa_lastMsgTimestamp", gone."wa_lastMsgTimestamp"),
     told = CASE WHEN gone.told_pairing > kept.told_pairing THEN 0 ELSE kept.told END
       | CASE WHEN gone.told_pairing < kept.told_pairing THEN 0 ELSE gone.told END,
     told_pairing = GREATEST(kept.told_pairing, gone.told_pairing),
     updated = now()
   FROM chat AS gone
   WHERE kept.instance_id = $1::text AND kept.id = $3::bigint AND gone.instance_id = $1::text AND gone.id = $2::bigint`,
  `UPDATE chat_activity AS a SET "wa_lastMsgTimestamp" = kept."wa_lastMsgTimestamp", is_unread = kept."wa_unreadCount" <> 0
   FROM chat AS kept
   WHERE kept.instance_id = $1::text AND kept.id = $3::bigint AND $2::bigint <> $3::bigint
     AND a.instance_id = $1::text AND a.chat_id = $3::bigint`,
  'UPDATE chat_alias SET chat_id = $3::bigint WHERE instance_id = $1::text AND chat_id = $2::bigint',
  'DELETE FROM chat WHERE instance_id = $1::text AND id = $2::bigint AND id <> $3::bigint',
]

/** Sends the steps; messages and waiting deliveries are re-pointed, unread counts added, the newest last message kept. */
export function mergeChats(client: Statements, instance: InstanceId, from: number, into: number): Promise<unknown>[] {
  return STEPS.map((step) => client.query(step, [instance, from, into]))
}
