/** Answers of the model, its calls, and the messages of turns, as people see them. */
import { maskedArguments } from '../../../schemas/agents/masked-arguments.js'
import type { ModelCall } from '../../../schemas/agents/models.js'
import type { ToolResult } from '../../../schemas/agents/tools.js'
import type { TurnReply } from '../../../schemas/agents/turns.js'
import { cut } from '../../../schemas/cut.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { TurnCallRow, TurnStepRow } from '../../../schemas/ports/agent-turns.js'
import { textArray } from '../arrays.js'
import type { Search } from '../timed-search.js'

// Bound: 524,288, 20,000 values, a step of a turn.

export interface TurnTrace {
  readonly steps: readonly TurnStepRow[]
  readonly replies: readonly TurnReply[]
}

/** Characters of arguments and of a result. */
const SHOWN_MAX = 4_096
/** Bytes of steps, and of calls, that one page reads. Further ones are shown without their contents. */
const BYTES_MAX = 8 * 1024 * 1024
const ORDER = 'array_position($2::text[], turn_id), generation'

// $2 turns
const STEPS = `
  SELECT turn_id AS "turnId", generation, number, CASE WHEN is_shown THEN text ELSE '' END AS text, finish, tokens_in AS "tokensIn",
    tokens_out AS "tokensOut", is_estimate AS "isEstimate", warnings, ms, CASE WHEN is_shown THEN calls ELSE '[]' END AS calls
  FROM (
    SELECT *, sum(octet_length(text) + octet_length(calls)) OVER (ORDER BY ${ORDER}, number) <= ${BYTES_MAX} AS is_shown
    FROM agent_step WHERE instance_id = $1 AND turn_id = ANY($2::text[])
  ) AS s ORDER BY ${ORDER}, number`
const CALLS = `
  SELECT turn_id AS "turnId", generation, step, call, result IS NOT NULL AS "isDone", CASE WHEN is_shown THEN result END AS result
  FROM (
    SELECT *, sum(octet_length(result)) OVER (ORDER BY ${ORDER}, step, call) <= ${BYTES_MAX} AS is_shown
    FROM agent_call WHERE instance_id = $1 AND turn_id = ANY($2::text[])
  ) AS c`
const REPLIES = `
  SELECT turn_id AS "turnId", part, text, messageid, state FROM agent_reply
  WHERE instance_id = $1 AND turn_id = ANY($2::text[]) ORDER BY turn_id, part`

type StoredStep = Omit<TurnStepRow, 'warnings' | 'calls'> & { readonly warnings: string; readonly calls: string }
interface StoredCall {
  readonly turnId: string
  readonly generation: number
  readonly step: number
  readonly call: number
  readonly isDone: boolean
  readonly result: string | null
}

/** Returns the traces of turns, in their order. */
export async function readTraces(
  search: Search,
  instance: InstanceId,
  turns: readonly string[],
): Promise<readonly TurnTrace[]> {
  const of = [instance, textArray(turns)]
  const steps = await search<StoredStep>(STEPS, of)
  const calls = await search<StoredCall>(CALLS, of)
  const replies = await search<TurnReply & { turnId: string }>(REPLIES, of)
  const byPlace = new Map(
    calls.map((call) => [placeOf(call.turnId, call.generation, call.step, call.call), call] as const),
  )
  return turns.map((turn) => ({
    steps: steps.filter(({ turnId }) => turnId === turn).map((step) => stepOf(step, byPlace)),
    replies: replies.filter(({ turnId }) => turnId === turn),
  }))
}

function stepOf(step: StoredStep, calls: ReadonlyMap<string, StoredCall>): TurnStepRow {
  const { turnId, generation, number } = step
  const asked = JSON.parse(step.calls) as readonly ModelCall[]
  return {
    ...step,
    warnings: JSON.parse(step.warnings) as string[],
    calls: asked.map((call, index) => callOf(call, calls.get(placeOf(turnId, generation, number, index)))),
  }
}

function callOf({ name, arguments: given }: ModelCall, stored: StoredCall | undefined): TurnCallRow {
  const result = typeof stored?.result === 'string' ? (JSON.parse(stored.result) as ToolResult) : null
  const { endpoint, status, durationMs } = result?.record ?? {}
  return {
    name: cut(name, 64),
    arguments: cut(maskedArguments(given), SHOWN_MAX),
    state: stored === undefined ? 'planned' : stored.isDone ? 'done' : 'started',
    result: cut(result?.text ?? '', SHOWN_MAX),
    isError: result?.isError ?? false,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(status === undefined ? {} : { status }),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

function placeOf(turn: string, generation: number, step: number, call: number): string {
  return `${turn} ${generation} ${step} ${call}`
}
