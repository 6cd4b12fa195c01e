/** Opens turns of agents, puts them off and halts them, in the transaction that stores the message which causes it. */
import type { InstanceId } from '../../../schemas/ids.js'
import type { Write } from './batch.js'
import type { ChatResolver } from './chat-resolver.js'
import type { Statements } from './connection.js'
import type { Insertion } from './message-inserts.js'
import type { Value } from './wave.js'

/** Time after its first message in which a turn begins, however many follow. */
const BURST_SECONDS = 60
/** Number of times that messages let a turn begin again. Further ones wait for the next turn. */
const GENERATIONS_MAX = 3

// `joins`: it has not begun. `again`: it begins again. Otherwise the message waits for the next turn.
// $1 instance   $2 chat   $3 record id of the message   $4 delay, ms
const JOIN = `
  WITH m AS (SELECT position FROM message WHERE instance_id = $1 AND id = $3), t AS (
    SELECT id, state = 'waiting' AS joins,
      state IN ('preparing', 'asking', 'calling') AND NOT has_effects AND generation < ${GENERATIONS_MAX} AS again,
      now() + $4::int * interval '1 millisecond' AS due
    FROM agent_turn WHERE instance_id = $1 AND chat_id = $2 AND ended IS NULL FOR UPDATE
  )
  UPDATE agent_turn AS o SET
    state = CASE WHEN t.again THEN 'waiting' ELSE o.state END,
    generation = o.generation + t.again::int,
    attempt = CASE WHEN t.again THEN 0 ELSE o.attempt END,
    due_at = CASE WHEN t.joins OR t.again
      THEN LEAST(t.due, GREATEST(now(), o.first_at + interval '${BURST_SECONDS} seconds')) ELSE o.due_at END,
    last_position = CASE WHEN t.joins OR t.again THEN m.position ELSE o.last_position END,
    last_at = CASE WHEN t.joins OR t.again THEN now() ELSE o.last_at END,
    answer_by = CASE WHEN t.again THEN NULL ELSE o.answer_by END,
    next_first_at = CASE WHEN t.joins OR t.again THEN NULL ELSE COALESCE(o.next_first_at, now()) END,
    next_due = CASE WHEN t.joins OR t.again THEN NULL
      ELSE LEAST(t.due, GREATEST(now(), COALESCE(o.next_first_at, now()) + interval '${BURST_SECONDS} seconds')) END,
    next_first = CASE WHEN t.joins OR t.again THEN NULL ELSE COALESCE(o.next_first, m.position) END,
    next_last = CASE WHEN t.joins OR t.again THEN NULL ELSE m.position END,
    updated = now()
  FROM t, m WHERE o.instance_id = $1 AND o.id = t.id`
// A message that an agent of this installation sent gets no answer of another.
// $1 to $4 as above   $5 id of the turn   $6 a trigger may be for it   $7 time since the last answer, ms   $8 its id at the network
const OPEN = `
  INSERT INTO agent_turn (instance_id, id, chat_id, due_at, first_position, last_position)
  SELECT $1, $5, $2, now() + $4::int * interval '1 millisecond', m.position, m.position
  FROM message AS m JOIN chat AS c ON c.instance_id = $1 AND c.id = $2
  WHERE m.instance_id = $1 AND m.id = $3 AND NOT c."wa_isBlocked"
    AND c."chatbot_disableUntil" <= extract(epoch FROM now()) * 1000
    AND ($6::bool OR c."chatbot_lastTriggerAt" > extract(epoch FROM now()) * 1000 - $7::bigint)
    AND NOT EXISTS (SELECT FROM agent_reply AS r WHERE r.messageid = $8 AND r.instance_id <> $1)
  ON CONFLICT DO NOTHING`
// $1 instance   $2 chat   $3 reason
const HALT = `
  WITH halted AS (
    UPDATE agent_turn SET state = 'cancelled', reason = $3, ended = now(), updated = now()
    WHERE instance_id = $1 AND chat_id = $2 AND ended IS NULL RETURNING id
  )
  UPDATE agent_reply AS r SET state = 'skipped', updated = now() FROM halted
  WHERE r.instance_id = $1 AND r.turn_id = halted.id AND r.state = 'planned'`
// A longer pause stays. $1 instance   $2 chat   $3 milliseconds   $4 forgets
const PAUSE = `
  UPDATE chat SET "chatbot_disableUntil" =
    GREATEST("chatbot_disableUntil", (extract(epoch FROM now()) * 1000)::bigint + $3::bigint),
    "chatbot_agentResetMemoryAt" = CASE WHEN $4::bool THEN (extract(epoch FROM now()) * 1000)::bigint ELSE "chatbot_agentResetMemoryAt" END
  WHERE instance_id = $1 AND id = $2`

/** Call it after the messages were inserted: one that was stored before opens nothing. */
export function sendAgentOpenings(
  client: Statements,
  writes: readonly Write[],
  chats: ChatResolver,
  insertions: ReadonlyMap<object, Insertion>,
): Promise<unknown>[] {
  const sent: Promise<unknown>[] = []
  for (const { instance, changes } of writes) {
    let last: Insertion | undefined
    for (const change of changes) {
      if (change.type === 'message') last = insertions.get(change)
      for (const [text, values] of composeStatements(instance, change, chats, last))
        sent.push(client.query(text, values))
    }
  }
  return sent
}

function composeStatements(
  instance: InstanceId,
  change: Write['changes'][number],
  chats: ChatResolver,
  last: Insertion | undefined,
): [string, Value[]][] {
  switch (change.type) {
    case 'agent.incoming': {
      const chat = newMessageChat(change.messageid, last)
      if (chat === null || last === undefined) return []
      const { turn, isWanted, delayMs, stickyMs, messageid } = change
      const place: Value[] = [instance, chat, last.id, Math.ceil(delayMs)]
      return [
        [JOIN, place],
        [OPEN, [...place, turn, String(isWanted), Math.ceil(stickyMs), messageid]],
      ]
    }
    case 'agent.halt': {
      const chat = newMessageChat(change.messageid, last)
      if (chat === null) return []
      const halt: [string, Value[]] = [HALT, [instance, chat, change.reason]]
      return change.pauseMs > 0 ? [halt, [PAUSE, [instance, chat, Math.ceil(change.pauseMs), 'false']]] : [halt]
    }
    case 'agent.pause': {
      const chat = chats.findChat(instance, change.chat)
      const forgets = String(change.forgets === true)
      return chat === null ? [] : [[PAUSE, [instance, chat, Math.ceil(change.pauseMs), forgets]]]
    }
    default:
      return []
  }
}

/** Returns the chat of the message, if it is new; null if it was stored before. */
function newMessageChat(messageid: string, last: Insertion | undefined): number | null {
  if (last === undefined || last.message.messageid !== messageid) return null
  return last.isNew && last.sameAs === null ? last.chatId : null
}
