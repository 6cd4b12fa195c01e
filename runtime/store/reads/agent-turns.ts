import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type {
  DayUsage,
  HistoryMessage,
  OpenTurn,
  TurnChat,
  TurnReply,
  TurnState,
} from '../../../schemas/agents/turns.js'
import { presentTextOf } from '../../../schemas/edit-history.js'
import type { MessageId } from '../../../schemas/ids.js'
import { userOf } from '../../../schemas/jid.js'
import { textArray } from '../arrays.js'
import { type ChatRow, chatColumns, chatRecord } from '../chat-record.js'
import type { MessageRow } from '../message-record.js'
import { addressOfChat, CHAT_OF_ADDRESS, jidsOf } from './message-query.js'

/** Selects turns of the instance `$1` that have not ended. */
const TURNS = `
  SELECT t.id, c."wa_chatid", c."wa_chatlid", t.state, t.trigger_id AS "triggerId", t.agent_id AS "agentId",
    t.first_position::float8 AS "firstPosition", t.last_position::float8 AS "lastPosition", t.attempt, t.generation,
    t.has_effects AS "hasEffects", (extract(epoch FROM t.due_at - now()) * 1000)::float8 AS "dueInMs",
    (extract(epoch FROM now() - t.first_at) * 1000)::float8 AS "ageMs",
    (extract(epoch FROM now() - t.last_at) * 1000)::float8 AS "quietMs",
    (extract(epoch FROM t.answer_by - now()) * 1000)::float8 AS "leftMs"
  FROM agent_turn AS t JOIN chat AS c ON c.instance_id = t.instance_id AND c.id = t.chat_id
  WHERE t.instance_id = $1 AND t.ended IS NULL`
const OPEN = `${TURNS} ORDER BY t.due_at LIMIT $2`
const BY_ID = `${TURNS} AND t.id = $2`
const REPLIES = `
  SELECT part, text, messageid, state FROM agent_reply WHERE instance_id = $1 AND turn_id = $2 ORDER BY part`
// $2 JIDs of the chat
const CHAT = `
  SELECT ${chatColumns}, c.id, i.owner_jid, (extract(epoch FROM now()) * 1000)::float8 AS "nowMs",
    (SELECT count(*)::int FROM agent_turn AS t WHERE t.instance_id = $1 AND t.chat_id = c.id
      AND t.created > now() - interval '1 hour' AND t.agent_id <> '') AS "turnsOfHour",
    (SELECT count(*)::int FROM agent_turn AS t WHERE t.instance_id = $1 AND t.chat_id = c.id
      AND t.created > now() - interval '1 hour' AND t.ended > now() - interval '10 minutes'
      AND EXISTS (SELECT FROM agent_reply AS r WHERE r.instance_id = $1 AND r.turn_id = t.id AND r.state = 'sent')) AS "repliesOfTenMinutes",
    EXISTS (SELECT FROM agent_turn AS t WHERE t.instance_id = $1 AND t.chat_id = c.id
      AND t.created > now() - interval '2 hours' AND t.is_fallback AND t.reason <> 'hours' AND t.updated > now() - interval '1 hour') AS "hadFallback",
    (SELECT (extract(epoch FROM max(t.updated)) * 1000)::float8 FROM agent_turn AS t WHERE t.instance_id = $1 AND t.chat_id = c.id
      AND t.created > now() - interval '8 days' AND t.reason = 'hours' AND t.is_fallback) AS "closedAtMs"
  FROM chat AS c JOIN instance AS i ON i.id = c.instance_id
  WHERE c.instance_id = $1 AND c.id = (${CHAT_OF_ADDRESS})`
// The newest, as far as they are within the time or among the fewest that are wanted.
// $2 JIDs of the chat   $3 newest so many   $4 not older, Unix milliseconds   $5 whatever their age, so many   $6 after, Unix milliseconds
const HISTORY = `
  SELECT n.position::float8 AS position, n."messageid", n."fromMe", n."messageTimestamp" AS "atMs", n."senderName", n."messageType",
    n."mediaType", n."text", n."edited", n."vote", n."status",
    COALESCE((SELECT q."text" FROM message AS q WHERE q.instance_id = $1 AND q.chat_id = n.chat_id AND q."messageid" = n."quoted"
      LIMIT 1), '') AS "quotedText"
  FROM (
    SELECT m.*, row_number() OVER (ORDER BY m."messageTimestamp" DESC, m.position DESC) AS place FROM (
      SELECT * FROM message WHERE instance_id = $1 AND chat_id = (${CHAT_OF_ADDRESS}) AND "messageTimestamp" > $6
        AND "messageType" <> 'reaction' AND "status" NOT IN ('queued', 'failed', 'canceled')
      ORDER BY "messageTimestamp" DESC, position DESC LIMIT $3
    ) AS m
  ) AS n
  WHERE n."messageTimestamp" >= $4 OR n.place <= $5
  ORDER BY n."messageTimestamp", n.position`
const USAGE = `
  SELECT turns, reserved::float8 AS reserved, tokens_in::float8 AS "tokensIn", tokens_out::float8 AS "tokensOut",
    cost_micros::float8 AS "costMicros", told
  FROM agent_usage WHERE instance_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`
const NO_USAGE: DayUsage = { turns: 0, reserved: 0, tokensIn: 0, tokensOut: 0, costMicros: 0, told: 0 }

type TurnRow = Omit<OpenTurn, 'chat'> & Pick<MessageRow, 'wa_chatid' | 'wa_chatlid'>
type TurnChatRow = ChatRow & Omit<TurnChat, 'record' | 'isBlocked'> & { readonly owner_jid: string | null }
type HistoryRow = Omit<HistoryMessage, 'text' | 'isDeleted' | 'extracted'> & {
  readonly text: string
  readonly edited: string
  readonly vote: string
  readonly status: string
  readonly messageid: MessageId
}

/** Reads turns of agents, and what they are made of. */
export function agentTurnReads(
  pool: pg.Pool,
): Pick<
  InstanceReader,
  'openTurns' | 'openTurn' | 'turnState' | 'turnReplies' | 'turnChat' | 'chatHistory' | 'dayUsage'
> {
  return {
    async openTurns(instance, limit) {
      return (await pool.query<TurnRow>(OPEN, [instance, limit])).rows.map(toTurn)
    },

    async openTurn(instance, id) {
      const [row] = (await pool.query<TurnRow>(BY_ID, [instance, id])).rows
      return row === undefined ? null : toTurn(row)
    },

    async turnState(instance, id) {
      const text = 'SELECT state FROM agent_turn WHERE instance_id = $1 AND id = $2'
      return (await pool.query<{ state: TurnState }>(text, [instance, id])).rows[0]?.state ?? null
    },

    async turnReplies(instance, id) {
      return (await pool.query<TurnReply>(REPLIES, [instance, id])).rows
    },

    async turnChat(instance, chat) {
      const [row] = (await pool.query<TurnChatRow>(CHAT, [instance, textArray(jidsOf(chat))])).rows
      if (row === undefined) return null
      const { nowMs, turnsOfHour, repliesOfTenMinutes, hadFallback, closedAtMs, owner_jid } = row
      const record = chatRecord(row, owner_jid === null ? '' : userOf(owner_jid))
      return {
        record,
        isBlocked: record.wa_isBlocked === true,
        nowMs,
        turnsOfHour,
        repliesOfTenMinutes,
        hadFallback,
        closedAtMs,
      }
    },

    async chatHistory(instance, chat, { max, sinceMs, min, afterMs }) {
      const values = [instance, textArray(jidsOf(chat)), max, Math.round(sinceMs), min, Math.round(afterMs)]
      return (await pool.query<HistoryRow>(HISTORY, values)).rows.map(toHistory)
    },

    async dayUsage(instance) {
      return (await pool.query<DayUsage>(USAGE, [instance])).rows[0] ?? NO_USAGE
    },
  }
}

function toTurn({ wa_chatid, wa_chatlid, ...row }: TurnRow): OpenTurn {
  return { ...row, chat: addressOfChat({ wa_chatid, wa_chatlid }) }
}

function toHistory({ text, edited, vote, status, ...row }: HistoryRow): HistoryMessage {
  return { ...row, text: presentTextOf({ text, edited }) || vote, isDeleted: status === 'deleted', extracted: null }
}
