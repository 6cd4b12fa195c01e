import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { InstanceId, Jid, MessageId } from '../../../schemas/ids.js'
import { type ChatAddress, toChatAddress } from '../../../schemas/jid.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import { textArray } from '../arrays.js'
import type { MessageRow } from '../message-record.js'
import { CHAT_OF_ADDRESS, listChatJids, MESSAGES, type ReadMessages } from './message-query.js'

// Bound: 1,048,576, a field of a request.

/** The form of a record's id. The ids of the network are in capitals. */
const RECORD_ID = /^r[0-9a-f]{7}$/

/** Number of the newest received messages that are searched for unread ones. */
const RECEIVED_LOOKED_AT = 200

const BY_IDS = `${MESSAGES} AND m."messageid" = ANY($2::text[]) ORDER BY m.position`
const BY_IDS_OR_RECORDS = `
  ${MESSAGES} AND (m."messageid" = ANY($2::text[]) OR m.id = ANY($3::text[])) ORDER BY m.position`
const BY_RECORD = `${MESSAGES} AND m.id = $2`
const BY_IDEMPOTENCY_KEY = `${MESSAGES} AND m.idempotency_key = $2 AND m.created > now() - interval '24 hours'`
// Bounded, so that a chat of which all messages were read is not searched to its beginning.
// $2 JIDs of the chat   $3 limit   $4 number of messages that are searched
const LAST_RECEIVED = `
  ${MESSAGES} AND m.position IN (
    SELECT position FROM message
    WHERE instance_id = $1 AND chat_id = (${CHAT_OF_ADDRESS}) AND NOT "fromMe" AND "messageType" NOT IN ('reaction', 'note')
    ORDER BY "messageTimestamp" DESC, position DESC LIMIT $4)
    AND m.chat_id = (${CHAT_OF_ADDRESS}) AND m."status" NOT IN ('read', 'played', 'deleted')
  ORDER BY m."messageTimestamp" DESC, m.position DESC LIMIT $3`
// $2 JIDs of the chat
const LAST = `
  ${MESSAGES} AND m.chat_id = (${CHAT_OF_ADDRESS}) AND m."messageType" <> 'note'
  ORDER BY m."messageTimestamp" DESC, m.position DESC LIMIT 1`
// $2 JIDs of the chat
const FIRST = `
  ${MESSAGES} AND m.chat_id = (${CHAT_OF_ADDRESS}) AND m."messageType" <> 'note'
    AND m."status" NOT IN ('queued', 'pending', 'failed', 'canceled')
  ORDER BY m."messageTimestamp", m.position LIMIT 1`
// $2 JIDs of the chat   $3 Unix milliseconds
const ANY_BEFORE = `
  SELECT FROM message WHERE instance_id = $1 AND chat_id = (${CHAT_OF_ADDRESS}) AND outbox <= 0
    AND created < to_timestamp($3::bigint / 1000.0) LIMIT 1`

/** The newest votes of one sender on a poll that are looked at. A stranger may vote without end, and all were read again with each vote. */
const VOTES_OF_SENDER = 20
/** Senders whose votes are counted: more than a group has members, each under two addresses. */
const VOTERS_MAX = 5_000
const IS_VOTE = `m.instance_id = $1 AND m."messageType" = 'poll' AND m."quoted" = $2 AND m."quoted" <> ''`

/**
 * Selects the newest vote of each voter and address, by the voter's own clock (`countable` in `poll-inbox.ts`). A vote that was not read
 * replaces none. Walks over the senders in the index, and looks at some votes of each. Searches in the text, not in JSON made of it: PostgreSQL refuses
 * some JSON that strangers write. A quotation mark in their texts has a backslash before it, so that these patterns match only the names of fields.
 */
const VOTES = `
  WITH RECURSIVE voters AS (
    (SELECT m."sender", 1 AS n FROM message AS m WHERE ${IS_VOTE} ORDER BY m."sender" LIMIT 1)
    UNION ALL
    SELECT next."sender", voters.n + 1
    FROM voters CROSS JOIN LATERAL (
      SELECT m."sender" FROM message AS m WHERE ${IS_VOTE} AND m."sender" > voters."sender" ORDER BY m."sender" LIMIT 1
    ) AS next
    WHERE voters.n < ${VOTERS_MAX}
  )
  SELECT "messageid", "sender", "sender_pn", "sender_lid", "content", "messageTimestamp"
  FROM (
    SELECT DISTINCT ON (vote."sender", vote."sender_pn", vote."sender_lid")
      vote."messageid", vote."sender", vote."sender_pn", vote."sender_lid", vote."content",
      COALESCE(vote.shown_ms, vote."messageTimestamp") AS "messageTimestamp", vote.position
    FROM voters CROSS JOIN LATERAL (
      SELECT m."messageid", m."sender", m."sender_pn", m."sender_lid", m."content", m.shown_ms, m."messageTimestamp", m.position
      FROM message AS m WHERE ${IS_VOTE} AND m."sender" = voters."sender"
      ORDER BY m.position DESC LIMIT ${VOTES_OF_SENDER}
    ) AS vote
    WHERE vote."content" LIKE '%"selectedOptions":[%'
    ORDER BY vote."sender", vote."sender_pn", vote."sender_lid",
      COALESCE(NULLIF(substring(vote."content" FROM '"senderTimestampMs":"?(-?[0-9]+)')::numeric, 0),
        COALESCE(vote.shown_ms, vote."messageTimestamp")) DESC,
      vote.position DESC
  ) AS newest
  ORDER BY position`

type VoteRow = Pick<MessageRow, 'messageid' | 'sender' | 'sender_pn' | 'sender_lid' | 'content' | 'messageTimestamp'>

export interface MessageReads
  extends Pick<
    InstanceReader,
    | 'messagesById'
    | 'messagesNamed'
    | 'messageByIdempotencyKey'
    | 'pollVotes'
    | 'lastReceived'
    | 'lastMessage'
    | 'firstMessage'
    | 'hasMessages'
  > {
  /** Finds a message by its internal id: `r` and hex digits. */
  messageByRecordId(instance: InstanceId, id: string): Promise<MessageForActor | null>
}

/** Reads messages, votes among them. */
export function messageReads(pool: pg.Pool, read: ReadMessages): MessageReads {
  return {
    async messagesById(instance, messageids) {
      return byIds(instance, messageids)
    },

    messagesNamed(instance, ids) {
      const bare = ids.map((id) => id.slice(id.lastIndexOf(':') + 1))
      const records = bare.filter((id) => RECORD_ID.test(id))
      if (records.length === 0) return byIds(instance, bare as MessageId[])
      return read(instance, BY_IDS_OR_RECORDS, [textArray(bare), textArray(records)])
    },

    async messageByRecordId(instance, id) {
      return (await read(instance, BY_RECORD, [id]))[0] ?? null
    },

    async messageByIdempotencyKey(instance, key) {
      return (await read(instance, BY_IDEMPOTENCY_KEY, [key]))[0] ?? null
    },

    async pollVotes(instance, poll) {
      const { rows } = await pool.query<VoteRow>(VOTES, [instance, poll])
      return rows.map((row) => ({
        messageid: row.messageid as MessageId,
        voter: { ...toChatAddress(row.sender), ...numberAndLid(row) },
        // Bound: 1,048,576, 20,000 values, a vote of a poll.
        content: JSON.parse(row.content) as unknown,
        messageTimestampMs: Number(row.messageTimestamp),
      }))
    },

    lastReceived: (instance, chat, count, among = RECEIVED_LOOKED_AT) =>
      read(instance, LAST_RECEIVED, [textArray(listChatJids(chat)), count, among]),

    async lastMessage(instance, chat) {
      return (await read(instance, LAST, [textArray(listChatJids(chat))]))[0] ?? null
    },

    async firstMessage(instance, chat) {
      return (await read(instance, FIRST, [textArray(listChatJids(chat))]))[0] ?? null
    },

    async hasMessages(instance, chat, beforeMs) {
      const { rows } = await pool.query(ANY_BEFORE, [instance, textArray(listChatJids(chat)), beforeMs])
      return rows.length > 0
    },
  }

  async function byIds(instance: InstanceId, messageids: readonly MessageId[]): Promise<MessageForActor[]> {
    return messageids.length === 0 ? [] : read(instance, BY_IDS, [textArray(messageids)])
  }
}

function numberAndLid({ sender_pn: pn, sender_lid: lid }: VoteRow): ChatAddress {
  return { ...(pn === '' ? {} : { pn: pn as Jid }), ...(lid === '' ? {} : { lid: lid as Jid }) }
}
