/** What an instance reads back from the store; a read sees what is durable, not what is still under way. */
import type pg from 'pg'
import type { InstanceReader, ToldCall } from '../../actors/instance/ports.js'
import { presentTextOf } from '../../schemas/edit-history.js'
import { GatewayError } from '../../schemas/errors.js'
import type { GroupInfo } from '../../schemas/group-info.js'
import type { InstanceId, Jid, MessageId } from '../../schemas/ids.js'
import type { ChatAddress } from '../../schemas/jid.js'
import { addressOf, isLidJid, userOf } from '../../schemas/jid.js'
import type { MessageStatus } from '../../schemas/stored-fields.js'
import type { MessageForActor } from '../../schemas/stored-message.js'
import { textArray } from './arrays.js'
import { type ChatRow, chatColumns, chatRecord } from './chat-record.js'
import type { Encryption } from './encryption.js'
import { type MessageRow, messageColumns, messageRecord } from './message-record.js'

const MESSAGES = `
  SELECT ${messageColumns}, m.proto, m.queued_request, m.request_hash, i.owner_jid,
    (extract(epoch FROM now() - CASE WHEN m.outbox = 2 THEN m.updated ELSE m.created END) * 1000)::float8 AS waits
  FROM message AS m
  JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
  JOIN instance AS i ON i.id = m.instance_id
  WHERE m.instance_id = $1`
// In the text of its JSON a quotation mark of the caller's stands behind a backslash, so that the pattern meets the option alone.
const DELAYED = `
  SELECT m."messageid", m."mediaType", c."wa_chatid", c."wa_chatlid", (extract(epoch FROM m.due - now()) * 1000)::float8 AS due_in,
    substring(m.queued_request FROM '"delayMs":([0-9]{1,9})') AS delay
  FROM message AS m JOIN chat AS c ON c.instance_id = m.instance_id AND c.id = m.chat_id
  WHERE m.instance_id = $1 AND m.outbox = 1 AND m.due IS NOT NULL ORDER BY m.position`
const CHAT_OF_ADDRESS = 'SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY($2::text[]) LIMIT 1'

/** The form of a record's id. The network's are in capitals. */
const RECORD_ID = /^r[0-9a-f]{7}$/

/** So many of the newest received messages are looked at for unread ones. */
const RECEIVED_LOOKED_AT = 200

/** A client that rings without end is not read without end. */
const CALLS_LOOKED_AT = 1_000

/**
 * Of each voter and address the newest vote, by the voter's own clock (`countable` in `poll-inbox.ts`); one that was not read replaces
 * none. Found in the text, not in JSON made of it: of what strangers write PostgreSQL refuses some as JSON. A quotation mark in theirs
 * stands behind a backslash, so that these patterns meet the names alone.
 */
const VOTES = `
  SELECT "messageid", "sender", "sender_pn", "sender_lid", "content", "messageTimestamp"
  FROM (
    SELECT DISTINCT ON ("sender", "sender_pn", "sender_lid")
      "messageid", "sender", "sender_pn", "sender_lid", "content", "messageTimestamp", position
    FROM message
    WHERE instance_id = $1 AND "messageType" = 'poll' AND "quoted" = $2 AND "content" LIKE '%"selectedOptions":[%'
    ORDER BY "sender", "sender_pn", "sender_lid",
      COALESCE(NULLIF(substring("content" FROM '"senderTimestampMs":"?(-?[0-9]+)')::numeric, 0), "messageTimestamp") DESC,
      position DESC
  ) AS newest
  ORDER BY position`

type Row = MessageRow & {
  readonly proto: Buffer | null
  readonly queued_request: string | null
  readonly request_hash: string | null
  readonly owner_jid: string | null
  /** Its age in milliseconds: since it was accepted, or since it is `pending`. */
  readonly waits: number
}

type VoteRow = Pick<MessageRow, 'messageid' | 'sender' | 'sender_pn' | 'sender_lid' | 'content' | 'messageTimestamp'>

export interface StoreReader extends InstanceReader {
  /** By the internal id: `r` and hex digits. */
  messageByRecordId(instance: InstanceId, id: string): Promise<MessageForActor | null>
}

export function createReader(pool: pg.Pool, encryption: Encryption): StoreReader {
  return {
    async credentials(instance) {
      const { rows } = await pool.query<{ data: Buffer; exported: boolean | null }>(
        `SELECT c.data, i.exported_at IS NOT NULL AS exported
         FROM instance_credentials AS c LEFT JOIN instance AS i ON i.id = c.instance_id WHERE c.instance_id = $1`,
        [instance],
      )
      // Another installation connects with them.
      if (rows[0]?.exported === true) throw new GatewayError('INSTANCE_EXPORTED')
      return rows[0] === undefined ? null : encryption.open(rows[0].data, instance, 'credentials')
    },

    async keys(instance, kind, ids) {
      const keys = new Map<string, Uint8Array>()
      if (ids.length === 0) return keys
      const { rows } = await pool.query<{ id: string; data: Buffer }>(
        'SELECT id, data FROM signal_key WHERE instance_id = $1 AND kind = $2 AND id = ANY($3::text[])',
        [instance, kind, textArray(ids)],
      )
      for (const { id, data } of rows) keys.set(id, encryption.open(data, instance, kind, id))
      return keys
    },

    async keyPage(instance, kind, after, limit) {
      const { rows } = await pool.query<{ id: string; data: Buffer }>(
        'SELECT id, data FROM signal_key WHERE instance_id = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4',
        [instance, kind, after, limit],
      )
      return new Map(rows.map(({ id, data }) => [id, encryption.open(data, instance, kind, id)]))
    },

    async messagesById(instance, messageids) {
      if (messageids.length === 0) return []
      return read(instance, `${MESSAGES} AND m."messageid" = ANY($2::text[]) ORDER BY m.position`, [
        textArray(messageids),
      ])
    },

    async owner(instance) {
      const { rows } = await pool.query<{ owner_jid: string | null; owner_lid: string | null }>(
        'SELECT owner_jid, owner_lid FROM instance WHERE id = $1',
        [instance],
      )
      const [row] = rows
      return row === undefined || row.owner_jid === null ? null : addressOf(row.owner_jid, row.owner_lid)
    },

    messagesNamed(instance, ids) {
      const bare = ids.map((id) => id.slice(id.lastIndexOf(':') + 1))
      const records = bare.filter((id) => RECORD_ID.test(id))
      if (records.length === 0) return this.messagesById(instance, bare as MessageId[])
      return read(
        instance,
        `${MESSAGES} AND (m."messageid" = ANY($2::text[]) OR m.id = ANY($3::text[])) ORDER BY m.position`,
        [textArray(bare), textArray(records)],
      )
    },

    async messageByRecordId(instance, id) {
      return (await read(instance, `${MESSAGES} AND m.id = $2`, [id]))[0] ?? null
    },

    async messageByIdempotencyKey(instance, key) {
      const found = await read(
        instance,
        `${MESSAGES} AND m.idempotency_key = $2 AND m.created > now() - interval '24 hours'`,
        [key],
      )
      return found[0] ?? null
    },

    async pollVotes(instance, poll) {
      const { rows } = await pool.query<VoteRow>(VOTES, [instance, poll])
      return rows.map((row) => ({
        messageid: row.messageid as MessageId,
        voter: { ...addressOf(row.sender), ...numberAndLid(row) },
        content: JSON.parse(row.content) as unknown,
        messageTimestampMs: Number(row.messageTimestamp),
      }))
    },

    lastReceived: (instance, chat, count, among = RECEIVED_LOOKED_AT) =>
      // Bounded, so that a chat of which everything was read is not searched to its beginning.
      read(
        instance,
        `${MESSAGES} AND m.position IN (
           SELECT position FROM message
           WHERE instance_id = $1 AND chat_id = (${CHAT_OF_ADDRESS}) AND NOT "fromMe" AND "messageType" <> 'reaction'
           ORDER BY "messageTimestamp" DESC, position DESC LIMIT $4)
           AND m.chat_id = (${CHAT_OF_ADDRESS}) AND m."status" NOT IN ('read', 'played', 'deleted')
         ORDER BY m."messageTimestamp" DESC, m.position DESC LIMIT $3`,
        [textArray(jidsOf(chat)), count, among],
      ),

    async lastMessage(instance, chat) {
      const [last] = await read(
        instance,
        `${MESSAGES} AND m.chat_id = (${CHAT_OF_ADDRESS}) ORDER BY m."messageTimestamp" DESC, m.position DESC LIMIT 1`,
        [textArray(jidsOf(chat))],
      )
      return last ?? null
    },

    pendingSends: (instance) => read(instance, `${MESSAGES} AND m.outbox = 2 ORDER BY m.position`, []),

    async queuedCount(instance) {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM message WHERE instance_id = $1 AND outbox = 1',
        [instance],
      )
      return rows[0]?.count ?? 0
    },

    queuedSends: (instance, limit, { withDelayed = false, except = [] } = {}) =>
      read(
        instance,
        `${MESSAGES} AND m.outbox = 1 ${withDelayed ? '' : 'AND m.due IS NULL'}
           AND NOT m.chat_id = ANY(ARRAY(SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ANY($3::text[])))
         ORDER BY m.position LIMIT $2`,
        [limit, textArray(except.flatMap(jidsOf))],
      ),

    async hasQueuedBefore(instance, messageid) {
      const { rows } = await pool.query<{ found: boolean }>(
        `SELECT EXISTS (
           SELECT FROM message AS mine JOIN message AS former USING (instance_id, chat_id)
           WHERE mine.instance_id = $1 AND mine."messageid" = $2 AND mine."fromMe"
             AND former.outbox = 1 AND former.due IS NULL AND former.position < mine.position) AS found`,
        [instance, messageid],
      )
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

    async mapping(instance, jid) {
      const text = isLidJid(jid)
        ? 'SELECT pn AS jid FROM lid_mapping WHERE instance_id = $1 AND lid = $2'
        : 'SELECT lid AS jid FROM lid_mapping WHERE instance_id = $1 AND pn = $2 ORDER BY updated DESC LIMIT 1'
      const { rows } = await pool.query<{ jid: Jid }>(text, [instance, jid])
      return rows[0]?.jid ?? null
    },

    async calls(instance, withinMs) {
      const { rows } = await pool.query<{ body: string }>(
        `SELECT body FROM event WHERE instance_id = $1 AND kind = 'call' AND created >= now() - $2::bigint * interval '1 millisecond'
         ORDER BY sequence DESC LIMIT ${CALLS_LOOKED_AT}`,
        [instance, withinMs],
      )
      return rows.map(({ body }) => toldCall(body)).reverse()
    },

    async placeholderValues(instance, chat) {
      const { rows } = await pool.query<Record<string, unknown> & { fields_map: string }>(
        `SELECT ${chatColumns}, i.fields_map FROM instance AS i
         LEFT JOIN chat AS c ON c.instance_id = i.id AND c.id = (${CHAT_OF_ADDRESS}) WHERE i.id = $1`,
        [instance, textArray(jidsOf(chat))],
      )
      const { fields_map = '{}', ...fields } = rows[0] ?? {}
      return { ...fields, fieldsMap: JSON.parse(fields_map) as unknown }
    },

    async group(instance, group) {
      const { rows } = await pool.query<{ info: string }>(
        'SELECT info FROM group_info WHERE instance_id = $1 AND jid = $2 AND NOT is_doubtful',
        [instance, group],
      )
      return rows[0] === undefined ? null : (JSON.parse(rows[0].info) as GroupInfo)
    },

    async hasDoubtfulGroups(instance) {
      const { rows } = await pool.query('SELECT FROM group_info WHERE instance_id = $1 AND is_doubtful LIMIT 1', [
        instance,
      ])
      return rows.length > 0
    },

    async timeMs() {
      const { rows } = await pool.query<{ now_ms: number }>(
        'SELECT ceil(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms',
      )
      return rows[0]?.now_ms ?? 0
    },

    async hasMessages(instance, chat, beforeMs) {
      const { rows } = await pool.query(
        `SELECT FROM message WHERE instance_id = $1 AND chat_id = (${CHAT_OF_ADDRESS}) AND outbox = 0
           AND created < to_timestamp($3::bigint / 1000.0) LIMIT 1`,
        [instance, textArray(jidsOf(chat)), beforeMs],
      )
      return rows.length > 0
    },

    async labels(instance) {
      const { rows } = await pool.query<{ labelid: string; name: string; color: number }>(
        'SELECT labelid, name, color FROM label WHERE instance_id = $1',
        [instance],
      )
      return rows.map((row) => ({ ...row, isDeleted: false }))
    },

    async quickReplies(instance) {
      const { rows } = await pool.query<{ id: string; bytes: number }>(
        `SELECT id, octet_length(shortcut) + octet_length(text) AS bytes FROM quick_reply WHERE instance_id = $1 AND is_of_phone`,
        [instance],
      )
      return rows
    },

    async chat(instance, chat) {
      const { rows } = await pool.query<ChatRow & { owner_jid: string | null }>(
        `SELECT ${chatColumns}, i.owner_jid FROM chat AS c JOIN instance AS i ON i.id = c.instance_id
         WHERE c.instance_id = $1 AND c.id = (${CHAT_OF_ADDRESS})`,
        [instance, textArray(jidsOf(chat))],
      )
      const row = rows[0]
      return row === undefined ? null : chatRecord(row, row.owner_jid === null ? '' : userOf(row.owner_jid))
    },
  }

  async function read(instance: InstanceId, text: string, values: readonly unknown[]): Promise<MessageForActor[]> {
    const { rows } = await pool.query<Row>(text, [instance, ...values])
    return rows.map((row) => toMessage(instance, row))
  }

  function toMessage(instance: InstanceId, row: Row): MessageForActor {
    return {
      messageid: row.messageid as MessageId,
      chat: addressOfChat(row),
      fromMe: row.fromMe,
      isGroup: row.isGroup,
      sender: row.sender as Jid,
      messageTimestampMs: row.messageTimestamp,
      waitsSinceMs: performance.now() - row.waits,
      status: row.status as MessageStatus,
      proto: row.proto === null ? null : encryption.open(row.proto, instance, 'proto', row.messageid),
      queuedRequest: row.queued_request === null ? null : (JSON.parse(row.queued_request) as unknown),
      requestHash: row.request_hash,
      presentText: presentTextOf(row),
      record: messageRecord(row, row.owner_jid === null ? '' : userOf(row.owner_jid)),
    }
  }
}

function toldCall(body: string): ToldCall {
  const { state, event } = JSON.parse(body) as { state: string; event: Readonly<Record<string, string>> }
  return {
    id: event.CallID ?? '',
    state,
    from: (event.sender_lid || event.From || '') as Jid,
    creator: (event.CallCreator ?? '') as Jid,
    creatorAlternative: (event.CallCreatorAlt || null) as Jid | null,
    group: (event.GroupJID || null) as Jid | null,
  }
}

function numberAndLid({ sender_pn: pn, sender_lid: lid }: VoteRow): ChatAddress {
  return { ...(pn === '' ? {} : { pn: pn as Jid }), ...(lid === '' ? {} : { lid: lid as Jid }) }
}

function jidsOf({ pn, lid, group }: ChatAddress): Jid[] {
  return [group, pn, lid].filter((jid): jid is Jid => jid !== undefined)
}

function addressOfChat({ wa_chatid, wa_chatlid }: MessageRow): ChatAddress {
  if (wa_chatid.endsWith('@s.whatsapp.net')) {
    return { pn: wa_chatid as Jid, ...(wa_chatlid === '' ? {} : { lid: wa_chatlid as Jid }) }
  }
  return isLidJid(wa_chatid) ? { lid: wa_chatid as Jid } : { group: wa_chatid as Jid }
}
