/** Chats that are emptied or dropped, a bounded number of messages at a time. Last of a batch: what it wrote of them is there already. */
import type { Write } from './batch.js'
import type { ChatResolver } from './chat-resolver.js'
import type { Statements } from './connection.js'

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

export async function removeChats(client: Statements, writes: readonly Write[], chats: ChatResolver): Promise<void> {
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
