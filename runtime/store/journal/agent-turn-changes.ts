/** Turns of agents as the actor of their instance carries them on. Each statement does nothing if the turn has ended or begun again. */
import type { AgentTurnChange, StepRecord } from '../../../schemas/agents/turns.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { textArray } from '../arrays.js'
import type { Write } from './batch.js'
import type { Statements } from './connection.js'
import type { Value } from './wave.js'

// $1 instance   $2 turn   $3 generation
const OF_TURN = 'instance_id = $1 AND id = $2 AND generation = $3::int AND ended IS NULL'
const TODAY = `(now() AT TIME ZONE 'UTC')::date`
/** Opens the turn of the messages that came too late for one that has closed. `id`: the parameter with its id. */
const insertNext = (id: string): string => `
  INSERT INTO agent_turn (instance_id, id, chat_id, first_at, due_at, first_position, last_position)
  SELECT closed.instance_id, ${id}, closed.chat_id, closed.next_first_at, closed.next_due, closed.next_first, closed.next_last
  FROM closed WHERE closed.next_due IS NOT NULL`

// $4 trigger   $5 agent   $6 time for an answer, ms   $7 place of the last message that was looked at
const BEGIN = `
  WITH begun AS (
    UPDATE agent_turn SET state = 'preparing', trigger_id = $4, agent_id = $5, updated = now(),
      answer_by = COALESCE(answer_by, due_at + $6::bigint * interval '1 millisecond')
    WHERE ${OF_TURN} AND last_position <= $7::bigint RETURNING chat_id
  )
  UPDATE chat AS c SET "chatbot_lastTrigger_id" = $4, "chatbot_lastTriggerAt" = (extract(epoch FROM now()) * 1000)::bigint
  FROM begun WHERE c.instance_id = $1 AND c.id = begun.chat_id`
// $4 milliseconds   $5 error; null if nothing failed
const WAIT = `
  UPDATE agent_turn SET due_at = now() + $4::bigint * interval '1 millisecond', attempt = attempt + ($5::text IS NOT NULL)::int,
    error = COALESCE($5::text, error), updated = now()
  WHERE ${OF_TURN}`
// Ends the reservation of a call, whatever has become of its turn meanwhile, and once: another owner may have ended it. If the turn is gone
// with its chat, so is the call.
// $1 instance   $2 turn   $3 call   $4 reserved   $5 tokens in   $6 tokens out   $7 cost
const SETTLE = `
  WITH former AS (
    SELECT id, asked_day, asked_reserved FROM agent_turn
    WHERE instance_id = $1 AND id = $2 AND asked_call = $3 AND asked_reserved > 0 FOR UPDATE
  ), settled AS (
    UPDATE agent_turn AS t SET asked_reserved = 0 FROM former WHERE t.instance_id = $1 AND t.id = former.id
    RETURNING former.asked_day AS day, former.asked_reserved AS reserved
  ), ended AS (
    SELECT * FROM settled
    UNION ALL SELECT ${TODAY}, $4::bigint WHERE NOT EXISTS (SELECT FROM agent_turn WHERE instance_id = $1 AND id = $2)
  )
  UPDATE agent_usage AS d SET reserved = GREATEST(0, d.reserved - ended.reserved), tokens_in = d.tokens_in + $5::bigint,
    tokens_out = d.tokens_out + $6::bigint, cost_micros = d.cost_micros + $7::bigint
  FROM ended WHERE d.instance_id = $1 AND d.day = ended.day`
// Nobody knows the end of these calls: they count by their estimates. $1 instance   $2 turn; null: all
const ABANDONED = `
  WITH former AS (
    SELECT id, asked_day, asked_reserved, asked_tokens, asked_cost FROM agent_turn
    WHERE instance_id = $1 AND asked_reserved > 0 AND id = COALESCE($2::text, id) FOR UPDATE
  ), settled AS (
    UPDATE agent_turn AS t SET asked_reserved = 0 FROM former WHERE t.instance_id = $1 AND t.id = former.id RETURNING former.*
  )
  UPDATE agent_usage AS d SET reserved = GREATEST(0, d.reserved - ended.reserved), tokens_in = d.tokens_in + ended.tokens,
    cost_micros = d.cost_micros + ended.cost
  FROM (SELECT asked_day AS day, sum(asked_reserved) AS reserved, sum(asked_tokens) AS tokens, sum(asked_cost) AS cost
    FROM settled GROUP BY asked_day) AS ended
  WHERE d.instance_id = $1 AND d.day = ended.day`
// $4 tokens to reserve   $5 turns to count   $6 call   $7 tokens that it counts if it is lost   $8 their cost
const ASK = `
  WITH asking AS (
    UPDATE agent_turn SET state = 'asking', updated = now(), asked_call = $6, asked_day = ${TODAY}, asked_reserved = $4::bigint,
      asked_tokens = $7::bigint, asked_cost = $8::bigint
    WHERE ${OF_TURN} RETURNING instance_id
  )
  INSERT INTO agent_usage AS d (instance_id, day, turns, reserved)
  SELECT instance_id, ${TODAY}, $5::int, $4::bigint FROM asking
  ON CONFLICT (instance_id, day) DO UPDATE SET turns = d.turns + EXCLUDED.turns, reserved = d.reserved + EXCLUDED.reserved`
// $4 number   $5 text   $6 calls   $7 raw   $8 end   $9 tokens in   $10 tokens out   $11 is an estimate   $12 warnings   $13 ms
// $14 cost   $15 state   $16 has effects
const STEP = `
  WITH stepped AS (
    UPDATE agent_turn SET state = $15, has_effects = has_effects OR $16::bool, attempt = 0, tokens_in = tokens_in + $9::int,
      tokens_out = tokens_out + $10::int, cost_micros = cost_micros + $14::bigint, updated = now()
    WHERE ${OF_TURN} AND state <> 'replying' RETURNING instance_id, id, generation
  )
  INSERT INTO agent_step (instance_id, turn_id, generation, number, text, calls, raw, finish, tokens_in, tokens_out, is_estimate,
    warnings, ms)
  SELECT instance_id, id, generation, $4::int, $5, $6, $7::text, $8, $9::int, $10::int, $11::bool, $12, $13::int FROM stepped
  ON CONFLICT DO NOTHING`
const EFFECT = `UPDATE agent_turn SET has_effects = true, updated = now() WHERE ${OF_TURN}`
// $4 outcome   $5 reason   $6 error   $7 is the fallback text   $8 texts   $9 message ids   $10 metadata
const REPLY = `
  WITH replied AS (
    UPDATE agent_turn SET state = 'replying', outcome = $4, reason = $5, error = $6, is_fallback = $7::bool, due_at = now(),
      answer_by = CASE WHEN $7::bool THEN GREATEST(answer_by, now() + interval '5 minutes') ELSE answer_by END, updated = now()
    WHERE ${OF_TURN} AND state <> 'replying' RETURNING instance_id, id
  )
  INSERT INTO agent_reply (instance_id, turn_id, part, text, messageid, ai_metadata)
  SELECT replied.instance_id, replied.id, u.ordinal - 1, u.text, u.messageid, CASE WHEN u.ordinal = 1 THEN $10::text END
  FROM replied, unnest($8::text[], $9::text[]) WITH ORDINALITY AS u(text, messageid, ordinal)`
// $4 part   $5 id of the message   $6 id of the next turn
const SENT = `
  WITH sent AS (
    UPDATE agent_reply SET state = 'sent', updated = now()
    WHERE instance_id = $1 AND turn_id = $2 AND part = $4::int AND state = 'planned'
      AND EXISTS (SELECT FROM agent_turn WHERE ${OF_TURN})
    RETURNING ai_metadata
  ), described AS (
    UPDATE message AS m SET ai_metadata = sent.ai_metadata FROM sent
    WHERE m.instance_id = $1 AND m."messageid" = $5 AND m."fromMe" AND sent.ai_metadata IS NOT NULL
  ), closed AS (
    UPDATE agent_turn AS t SET state = t.outcome, ended = now(), updated = now() FROM sent
    WHERE t.instance_id = $1 AND t.id = $2 AND NOT EXISTS (SELECT FROM agent_reply AS r
      WHERE r.instance_id = $1 AND r.turn_id = $2 AND r.state = 'planned' AND r.part <> $4::int)
    RETURNING t.*
  ), next AS (${insertNext('$6::text')}
  )
  SELECT agent_refuse($2, $4::int) WHERE NOT EXISTS (SELECT FROM sent)`
// $4 state   $5 reason   $6 error   $7 id of the next turn
// $8 place of the last message that was looked at; null: any
const END = `
  WITH closed AS (
    UPDATE agent_turn SET state = $4, reason = $5, error = $6, ended = now(), updated = now()
    WHERE ${OF_TURN} AND (state <> 'waiting' OR last_position <= COALESCE($8::bigint, last_position)) RETURNING *
  ), skipped AS (
    UPDATE agent_reply AS r SET state = 'skipped', updated = now() FROM closed
    WHERE r.instance_id = $1 AND r.turn_id = $2 AND r.state = 'planned'
  )${insertNext('$7::text')}`
// The turn may have ended with this part. $1 instance   $2 turn   $3 part   $4 error   $5 id of the next turn
const REFUSED = `
  WITH part AS (
    UPDATE agent_reply SET state = CASE WHEN part = $3::int THEN 'failed' ELSE 'skipped' END,
      error = CASE WHEN part = $3::int THEN $4 ELSE '' END, updated = now()
    WHERE instance_id = $1 AND turn_id = $2 AND (part = $3::int OR state = 'planned')
  ), former AS (SELECT ended FROM agent_turn WHERE instance_id = $1 AND id = $2 FOR UPDATE), closed AS (
    UPDATE agent_turn AS t SET state = 'failed', reason = 'send_failed', error = $4, ended = COALESCE(t.ended, now()), updated = now(),
      next_due = CASE WHEN former.ended IS NULL THEN t.next_due END
    FROM former WHERE t.instance_id = $1 AND t.id = $2 RETURNING t.*
  )${insertNext('$5::text')}`
// $1 instance   $2 turn   $3 id of the new turn
const RETRY = `
  INSERT INTO agent_turn (instance_id, id, chat_id, due_at, first_position, last_position, trigger_id)
  SELECT instance_id, $3, chat_id, now(), first_position, last_position, trigger_id FROM agent_turn
  WHERE instance_id = $1 AND id = $2 AND state IN ('failed', 'skipped', 'cancelled')
  ON CONFLICT DO NOTHING`
// $1 instance   $2 percentage
const TOLD = `
  INSERT INTO agent_usage AS d (instance_id, day, told) VALUES ($1, ${TODAY}, $2::smallint)
  ON CONFLICT (instance_id, day) DO UPDATE SET told = GREATEST(d.told, EXCLUDED.told)`

type TurnChange = Extract<AgentTurnChange, { type: 'agent.turn' }>

/** Call it after the messages were inserted: the parts of answers are among them. */
export function sendAgentTurns(client: Statements, writes: readonly Write[]): Promise<unknown>[] {
  const sent: Promise<unknown>[] = []
  for (const { instance, changes } of writes)
    for (const change of changes) {
      if (change.type === 'agent.told') sent.push(client.query(TOLD, [instance, change.percent]))
      if (change.type !== 'agent.turn') continue
      for (const [text, values] of composeStatements(instance, change)) sent.push(client.query(text, values))
    }
  return sent
}

function composeStatements(instance: InstanceId, change: TurnChange): [string, Value[]][] {
  if (change.kind === 'refused') {
    const { turn, part, error, nextTurn } = change
    return [[REFUSED, [instance, turn, part, clean(error), nextTurn]]]
  }
  if (change.kind === 'lost') {
    const { turn, call, reserved, tokensIn, costMicros } = change
    return [[SETTLE, [instance, turn, call, reserved, Math.round(tokensIn), 0, Math.round(costMicros)]]]
  }
  if (change.kind === 'abandoned') return [[ABANDONED, [instance, null]]]
  if (change.kind === 'retry') return [[RETRY, [instance, change.turn, change.nextTurn]]]
  const of: Value[] = [instance, change.turn, change.generation]
  switch (change.kind) {
    case 'begin':
      return [[BEGIN, [...of, change.triggerId, change.agentId, change.answerMs, change.lastPosition]]]
    case 'wait': {
      const error = change.failed === null ? null : clean(change.failed)
      return [[WAIT, [...of, Math.ceil(change.forMs), error]]]
    }
    case 'ask':
      return [[ABANDONED, [instance, change.turn]], composeAsk(of, change)]
    case 'effect':
      return [[EFFECT, of]]
    case 'step':
      return composeStep(of, change.step, 'calling', change.hasEffects)
    case 'reply': {
      const { step, outcome, reason, error, isFallback, parts, metadata } = change
      const texts = textArray(parts.map(({ text }) => clean(text)))
      const ids = textArray(parts.map(({ messageid }) => messageid))
      const about: Value[] = [outcome, reason, clean(error), String(isFallback)]
      const reply: [string, Value[]] = [
        REPLY,
        [...of, ...about, texts, ids, metadata === null ? null : clean(metadata)],
      ]
      return step === null ? [reply] : [...composeStep(of, step, 'asking', false), reply]
    }
    case 'sent':
      return [[SENT, [...of, change.part, change.messageid, change.nextTurn]]]
    case 'end': {
      const { state, reason, error, nextTurn, lastPosition = null } = change
      return [
        [ABANDONED, [instance, change.turn]],
        [END, [...of, state, reason, clean(error), nextTurn, lastPosition]],
      ]
    }
    default:
      return change satisfies never
  }
}

type Asking = Extract<TurnChange, { kind: 'ask' }>

function composeAsk(of: readonly Value[], { call, reserved, estimate, isFirst }: Asking): [string, Value[]] {
  const lost: Value[] = [Math.round(estimate.tokens), Math.round(estimate.costMicros)]
  return [ASK, [...of, reserved, isFirst ? 1 : 0, call, ...lost]]
}

/** An answer was paid for, also if the turn has begun again by then. */
function composeStep(of: readonly Value[], step: StepRecord, state: string, hasEffects: boolean): [string, Value[]][] {
  const [instance, turn] = of as readonly [Value, Value]
  const { inputTokens, outputTokens } = step.usage
  const used: Value[] = [Math.round(inputTokens), Math.round(outputTokens), Math.round(step.costMicros)]
  const settle: [string, Value[]] = [SETTLE, [instance, turn, step.call, 0, ...used]]
  return [[STEP, [...of, ...toValues(step), state, String(hasEffects)]], ...(step.call === '' ? [] : [settle])]
}

function toValues({ number, text, calls, raw, finish, usage, warnings, ms, costMicros }: StepRecord): Value[] {
  return [
    number,
    clean(text),
    clean(JSON.stringify(calls)),
    raw === null || raw === undefined ? null : clean(JSON.stringify(raw)),
    finish,
    Math.round(usage.inputTokens),
    Math.round(usage.outputTokens),
    String(usage.isEstimate),
    clean(JSON.stringify(warnings)),
    Math.round(ms),
    Math.round(costMicros),
  ]
}

/** Removes the character that PostgreSQL cannot store. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}
