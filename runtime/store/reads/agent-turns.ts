import type pg from 'pg'
import type { InstanceReader } from '../../../actors/instance/instance-reader.js'
import type { ModelUsage } from '../../../schemas/agents/models.js'
import type { CallRow, ToolResult } from '../../../schemas/agents/tools.js'
import type {
  DayUsage,
  HistoryMessage,
  OpenTurn,
  StepRecord,
  TurnChat,
  TurnReply,
  TurnState,
} from '../../../schemas/agents/turns.js'
import type { MessageId } from '../../../schemas/ids.js'
import { readUser } from '../../../schemas/jid.js'
import { findPresentText, QUIET_TYPES } from '../../../schemas/stored-message.js'
import { textArray } from '../arrays.js'
import { type ChatRow, chatColumns, chatRecord } from '../chat-record.js'
import type { MessageRow } from '../message-record.js'
import { addressOfChat, CHAT_OF_ADDRESS, listChatJids } from './message-query.js'

/** Characters of a recording or a document that models see. */
const EXTRACTED_MAX = 20_000
/** Selects turns of the instance `$1` that have not ended. */
const TURNS = `
  SELECT t.id, c."wa_chatid", c."wa_chatlid", t.state, t.trigger_id AS "triggerId", t.agent_id AS "agentId",
    t.first_position::float8 AS "firstPosition", t.last_position::float8 AS "lastPosition", t.attempt, t.generation,
    t.has_effects AS "hasEffects", t.reason, (extract(epoch FROM t.due_at - now()) * 1000)::float8 AS "dueInMs",
    (extract(epoch FROM now() - t.first_at) * 1000)::float8 AS "ageMs",
    (extract(epoch FROM now() - t.last_at) * 1000)::float8 AS "quietMs",
    (extract(epoch FROM t.answer_by - now()) * 1000)::float8 AS "leftMs"
  FROM agent_turn AS t JOIN chat AS c ON c.instance_id = t.instance_id AND c.id = t.chat_id
  WHERE t.instance_id = $1 AND t.ended IS NULL`
const OPEN = `${TURNS} ORDER BY t.due_at LIMIT $2`
const BY_ID = `${TURNS} AND t.id = $2`
// $3 generation
const STEPS = `
  SELECT number, text, calls, raw, finish, tokens_in AS "inputTokens", tokens_out AS "outputTokens", is_estimate AS "isEstimate",
    warnings, ms
  FROM agent_step WHERE instance_id = $1 AND turn_id = $2 AND generation = $3 ORDER BY number`
const REPLIES = `
  SELECT part, text, messageid, state FROM agent_reply WHERE instance_id = $1 AND turn_id = $2 ORDER BY part`
// $2 JIDs of the chat
const CHAT = `
  SELECT ${chatColumns}, c.id, i.owner_jid, i.name AS "instanceName", (extract(epoch FROM now()) * 1000)::float8 AS "nowMs",
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
/** Time by which clocks may differ. Rows beyond it are not looked at. */
const CLOCKS_APART_MS = 24 * 60 * 60_000
// When a message arrived: by the clock of the store, which also says when the memory was reset. Its place is later than its time when other
// messages stand before it. One of a history arrived when it was written.
const ARRIVED = `CASE WHEN i.live_pairing = i.pairing AND m."messageTimestamp" >= i.live_from
  THEN extract(epoch FROM m.created) * 1000 ELSE COALESCE(m.shown_ms, m."messageTimestamp") END`
const QUIET = QUIET_TYPES.map((type) => `'${type}'`).join(', ')
// The newest, as far as they are within the time or among the fewest that are wanted.
// $2 JIDs of the chat   $3 newest so many   $4 not older, Unix milliseconds   $5 whatever their age, so many   $6 arrived after, Unix milliseconds
const HISTORY = `
  SELECT n.position::float8 AS position, n.id, n."messageid", n."fromMe", COALESCE(n.shown_ms, n."messageTimestamp") AS "atMs", n."senderName", n."messageType",
    n."mediaType", n."text", n."edited", n."vote", n."status",
    COALESCE((SELECT q."text" FROM message AS q WHERE q.instance_id = $1 AND q.chat_id = n.chat_id AND q."messageid" = n."quoted"
      LIMIT 1), '') AS "quotedText",
    (SELECT left(x.text, ${EXTRACTED_MAX}) FROM message_text AS x WHERE x.instance_id = $1 AND x.id = n.id AND x.file = 'own') AS extracted
  FROM (
    SELECT m.*, row_number() OVER (ORDER BY m."messageTimestamp" DESC, m.position DESC) AS place FROM (
      SELECT m.* FROM message AS m JOIN instance AS i ON i.id = m.instance_id
      WHERE m.instance_id = $1 AND m.chat_id = (${CHAT_OF_ADDRESS})
        AND m."messageTimestamp" > $6::bigint - ${CLOCKS_APART_MS} AND ${ARRIVED} > $6::bigint
        AND m."messageType" NOT IN ('reaction', 'note') AND m."status" NOT IN ('queued', 'failed', 'canceled')
        AND NOT (m."messageType" = 'other' AND m."type" IN (${QUIET}))
      ORDER BY m."messageTimestamp" DESC, m.position DESC LIMIT $3
    ) AS m
  ) AS n
  WHERE n."messageTimestamp" >= $4 OR n.place <= $5
  ORDER BY n."messageTimestamp", n.position`
const USAGE = `
  SELECT turns, reserved::float8 AS reserved, tokens_in::float8 AS "tokensIn", tokens_out::float8 AS "tokensOut",
    cost_micros::float8 AS "costMicros", told, to_tell AS "toTell"
  FROM agent_usage WHERE instance_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date`
const NO_USAGE: DayUsage = { turns: 0, reserved: 0, tokensIn: 0, tokensOut: 0, costMicros: 0, told: 0, toTell: 0 }

type TurnRow = Omit<OpenTurn, 'chat'> & Pick<MessageRow, 'wa_chatid' | 'wa_chatlid'>
type TurnChatRow = ChatRow & Omit<TurnChat, 'record' | 'isBlocked' | 'owner'> & { readonly owner_jid: string | null }
type StepRow = Pick<StepRecord, 'number' | 'text' | 'finish' | 'ms'> &
  ModelUsage & { readonly calls: string; readonly raw: string | null; readonly warnings: string }
type HistoryRow = Omit<HistoryMessage, 'text' | 'isDeleted'> & {
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
  | 'openTurns'
  | 'openTurn'
  | 'hasLostCalls'
  | 'turnState'
  | 'turnSteps'
  | 'turnReplies'
  | 'turnChat'
  | 'chatHistory'
  | 'dayUsage'
> {
  return {
    async openTurns(instance, limit) {
      return (await pool.query<TurnRow>(OPEN, [instance, limit])).rows.map(toTurn)
    },

    async openTurn(instance, id) {
      const [row] = (await pool.query<TurnRow>(BY_ID, [instance, id])).rows
      return row === undefined ? null : toTurn(row)
    },

    async hasLostCalls(instance) {
      const text = 'SELECT FROM agent_turn WHERE instance_id = $1 AND asked_reserved > 0 LIMIT 1'
      return (await pool.query(text, [instance])).rows.length > 0
    },

    async turnState(instance, id) {
      const text = 'SELECT state FROM agent_turn WHERE instance_id = $1 AND id = $2'
      return (await pool.query<{ state: TurnState }>(text, [instance, id])).rows[0]?.state ?? null
    },

    async turnSteps(instance, id, generation) {
      return (await pool.query<StepRow>(STEPS, [instance, id, generation])).rows.map(toStep)
    },

    async turnReplies(instance, id) {
      return (await pool.query<TurnReply>(REPLIES, [instance, id])).rows
    },

    async turnChat(instance, chat) {
      const [row] = (await pool.query<TurnChatRow>(CHAT, [instance, textArray(listChatJids(chat))])).rows
      if (row === undefined) return null
      const { nowMs, turnsOfHour, repliesOfTenMinutes, hadFallback, closedAtMs, owner_jid, instanceName } = row
      const owner = owner_jid === null ? '' : readUser(owner_jid)
      const record = chatRecord(row, owner)
      return {
        instanceName,
        owner,
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
      const values = [instance, textArray(listChatJids(chat)), max, Math.round(sinceMs), min, Math.round(afterMs)]
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

/** What it was reserved for and what it cost has been counted. */
function toStep({ calls, raw, warnings, inputTokens, outputTokens, isEstimate, ...row }: StepRow): StepRecord {
  // Bound: 524,288, 20,000 values, a step of a turn.
  return {
    ...row,
    calls: JSON.parse(calls) as StepRecord['calls'],
    raw: raw === null ? null : (JSON.parse(raw) as unknown),
    usage: { inputTokens, outputTokens, isEstimate },
    warnings: JSON.parse(warnings) as string[],
    call: '',
    costMicros: 0,
  }
}

function toHistory({ text, edited, vote, status, ...row }: HistoryRow): HistoryMessage {
  return { ...row, text: findPresentText({ text, edited }) || vote, isDeleted: status === 'deleted' }
}

type StoredRow = Omit<CallRow, 'result'> & { readonly result: string | null }

const OF_TURN = `
  SELECT turn_id AS turn, generation, step, call, name, result FROM agent_call
  WHERE instance_id = $1 AND turn_id = $2 AND generation = $3 ORDER BY step, call`

/** Reads the calls of agents' turns. */
export function agentCallReads(pool: pg.Pool): Pick<InstanceReader, 'agentCalls'> {
  return {
    async agentCalls(instance, turn, generation) {
      const { rows } = await pool.query<StoredRow>(OF_TURN, [instance, turn, generation])
      // Bound: 131,072, 5,000 values, the result of a tool.
      return rows.map(
        (row): CallRow => ({ ...row, result: row.result === null ? null : (JSON.parse(row.result) as ToolResult) }),
      )
    },
  }
}
