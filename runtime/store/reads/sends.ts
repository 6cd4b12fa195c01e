import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { MessageId } from '../../../schemas/ids.js'
import { textArray } from '../arrays.js'
import type { MessageRow } from '../message-record.js'
import { addressOfChat, jidsOf, MESSAGES, type ReadMessages } from './message-query.js'

const PENDING = `${MESSAGES} AND m.outbox = 2 ORDER BY m.position`
const QUEUED_COUNT = 'SELECT count(*)::int AS count FROM message WHERE instance_id = $1 AND outbox = 1'
// $2 limit   $3 JIDs of the chats that are left out   $4 position behind which they are
const queued = (withDelayed: boolean) => `
  ${MESSAGES} AND m.outbox = 1 AND m.position > $4 ${withDelayed ? '' : 'AND m.due IS NULL'}
    AND NOT m.chat_id = ANY(ARRAY(SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY($3::text[])))
  ORDER BY m.position LIMIT $2`
// $2 id of the message
const QUEUED_BEFORE = `
  SELECT EXISTS (
    SELECT FROM message AS mine JOIN message AS former USING (instance_id, chat_id)
    WHERE mine.instance_id = $1 AND mine."messageid" = $2 AND mine."fromMe"
      AND former.outbox = 1 AND former.due IS NULL AND former.position < mine.position) AS found`
// $2 JIDs of the chat
const QUEUED_FOR = `
  SELECT EXISTS (
    SELECT FROM message WHERE instance_id = $1 AND outbox = 1
      AND chat_id = ANY(ARRAY(SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY($2::text[])))) AS found`
// In the text of its JSON a quotation mark of the caller has a backslash before it, so that the pattern matches only the option.
const DELAYED = `
  SELECT m."messageid", m."mediaType", c."wa_chatid", c."wa_chatlid", (extract(epoch FROM m.due - now()) * 1000)::float8 AS due_in,
    substring(m.queued_request FROM '"delayMs":([0-9]{1,9})') AS delay
  FROM message AS m JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
  WHERE m.instance_id = $1 AND m.outbox = 1 AND m.due IS NOT NULL ORDER BY m.position`

/** Reads messages that are still to be sent. */
export function sendReads(
  pool: pg.Pool,
  read: ReadMessages,
): Pick<
  InstanceReader,
  'pendingSends' | 'queuedCount' | 'queuedSends' | 'hasQueuedBefore' | 'hasQueued' | 'delayedSends'
> {
  return {
    pendingSends: (instance) => read(instance, PENDING, []),

    async queuedCount(instance) {
      const { rows } = await pool.query<{ count: number }>(QUEUED_COUNT, [instance])
      return rows[0]?.count ?? 0
    },

    queuedSends: (instance, limit, { withDelayed = false, except = [], after = 0 } = {}) =>
      read(instance, queued(withDelayed), [limit, textArray(except.flatMap(jidsOf)), after]),

    async hasQueuedBefore(instance, messageid) {
      const { rows } = await pool.query<{ found: boolean }>(QUEUED_BEFORE, [instance, messageid])
      return rows[0]?.found ?? false
    },

    async hasQueued(instance, chat) {
      const { rows } = await pool.query<{ found: boolean }>(QUEUED_FOR, [instance, textArray(jidsOf(chat))])
      return rows[0]?.found ?? false
    },

    async delayedSends(instance) {
      const { rows } = await pool.query<MessageRow & { due_in: number; delay: string | null }>(DELAYED, [instance])
      return rows.map((row) => ({
        messageid: row.messageid as MessageId,
        chat: addressOfChat(row),
        delayMs: Number(row.delay ?? 0),
        dueInMs: row.due_in,
        isVoice: row.mediaType === 'ptt',
      }))
    },
  }
}
