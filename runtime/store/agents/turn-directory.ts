/** Turns of agents as the API lists them. */
import type pg from 'pg'
import { cut } from '../../../lib/cut.js'
import { maskedArguments } from '../../../schemas/agents/masked-arguments.js'
import type { ModelCall } from '../../../schemas/agents/models.js'
import type { ToolResult } from '../../../schemas/agents/tools.js'
import type { TurnReply } from '../../../schemas/agents/turns.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { parseAddress, toChatId } from '../../../schemas/jid.js'
import type {
  DayMaximum,
  TurnCallRow,
  TurnDirectory,
  TurnQuery,
  TurnRow,
  TurnStepRow,
  UsageDay,
  UsageReport,
} from '../../../schemas/ports/agents.js'
import { textArray } from '../arrays.js'
import { createSearch, SEARCH_TIMEOUT_MS, type Search } from '../timed-search.js'

// Bound: 1,048,576, a field of a request.

const TURNS = `
  SELECT t.id, t.position::text AS position, COALESCE(c."wa_chatid", '') AS chatid, t.state, t.reason, t.error, t.trigger_id AS "triggerId", t.agent_id AS "agentId",
    t.attempt, t.generation, t.is_fallback AS "isFallback", t.tokens_in AS "tokensIn", t.tokens_out AS "tokensOut",
    t.cost_micros::float8 AS "costMicros", t.due_at AS due,
    t.created, t.updated, t.ended
  FROM agent_turn AS t LEFT JOIN chat AS c ON c.instance_id = t.instance_id AND c.id = t.chat_id
  WHERE t.instance_id = $1`

export function createTurnDirectory(
  pool: pg.Pool,
  dayMaximum: DayMaximum,
  searchTimeoutMs = SEARCH_TIMEOUT_MS,
): TurnDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  return {
    async list(instance, query) {
      const { text, values } = composePage(instance, query)
      const rows = await search<TurnRow & { readonly position: string }>(text, values)
      const page = rows.slice(0, query.limit)
      const next = rows.length > query.limit ? (page.at(-1)?.position ?? null) : null
      const turns = page.map(({ position: _, ...turn }): TurnRow => turn)
      if (!query.trace || turns.length === 0) return { turns, next }
      const traces = await readTraces(
        search,
        instance,
        turns.map(({ id }) => id),
      )
      const traced = turns.map((turn, index) => ({ ...turn, ...traces[index] }))
      return { turns: traced, next }
    },

    usage: (instance, days) => readUsage(search, instance, days, dayMaximum),
  }
}

/** @throws GatewayError INVALID_NUMBER */
function composePage(
  instance: InstanceId,
  { chatid, state, limit, cursor }: TurnQuery,
): { text: string; values: unknown[] } {
  const values: unknown[] = [instance]
  const conditions: string[] = []
  const given = (value: unknown): string => {
    values.push(value)
    return `$${values.length}`
  }
  if (chatid !== undefined) {
    const jid = given(toChatId(parseAddress(chatid, 'chatid')))
    conditions.push(`t.chat_id = (SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ${jid})`)
  }
  if (state !== undefined) conditions.push(`t.state = ${given(state)}`)
  if (/^\d{1,18}$/.test(cursor)) conditions.push(`t.position < ${given(cursor)}::bigint`)
  const where = conditions.map((one) => ` AND ${one}`).join('')
  return { text: `${TURNS}${where} ORDER BY t.position DESC LIMIT ${given(limit + 1)}`, values }
}

// The daily budget of an instance's agents, as the API shows it.

const DAYS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, turns, tokens_in::float8 AS "tokensIn", tokens_out::float8 AS "tokensOut",
    reserved::float8 AS "tokensReserved", cost_micros::float8 AS "costMicros"
  FROM agent_usage WHERE instance_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - $2::int ORDER BY day DESC`
// PostgreSQL's clock decides, as it does when usage is counted.
const TODAY = `
  SELECT to_char(today, 'YYYY-MM-DD') AS day, (extract(epoch FROM (today + 1)::timestamp) * 1000)::float8 AS "resetsAtMs",
    COALESCE((SELECT cost_per_day_micros FROM chatbot_settings WHERE instance_id = $1), 0)::float8 AS "costMicros"
  FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS d`

interface TodayRow {
  readonly day: string
  readonly resetsAtMs: number
  readonly costMicros: number
}

/** Reads the usage of so many days, today included. */
async function readUsage(
  search: Search,
  instance: InstanceId,
  count: number,
  { turns, tokens }: DayMaximum,
): Promise<UsageReport> {
  const [now] = await search<TodayRow>(TODAY, [instance])
  const { day = '', resetsAtMs = 0, costMicros = 0 } = now ?? {}
  const days = await search<UsageDay>(DAYS, [instance, count])
  const unused = { day, turns: 0, tokensIn: 0, tokensOut: 0, tokensReserved: 0, costMicros: 0 }
  return {
    limits: { turns, tokens, costMicros },
    resetsAtMs,
    days: [days.find((one) => one.day === day) ?? unused, ...days.filter((one) => one.day < day)],
  }
}

// Answers of the model, its calls, and the messages of turns, as people see them.

interface TurnTrace {
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
async function readTraces(
  search: Search,
  instance: InstanceId,
  turns: readonly string[],
): Promise<readonly TurnTrace[]> {
  const of = [instance, textArray(turns)]
  const steps = await search<StoredStep>(STEPS, of)
  const calls = await search<StoredCall>(CALLS, of)
  const replies = await search<TurnReply & { turnId: string }>(REPLIES, of)
  const byPlace = new Map(
    calls.map((call) => [formatPlace(call.turnId, call.generation, call.step, call.call), call] as const),
  )
  return turns.map((turn) => ({
    steps: steps.filter(({ turnId }) => turnId === turn).map((step) => readStep(step, byPlace)),
    replies: replies.filter(({ turnId }) => turnId === turn),
  }))
}

function readStep(step: StoredStep, calls: ReadonlyMap<string, StoredCall>): TurnStepRow {
  const { turnId, generation, number } = step
  // Bound: 524,288, 20,000 values, a step of a turn.
  const asked = JSON.parse(step.calls) as readonly ModelCall[]
  return {
    ...step,
    // Bound: 524,288, 20,000 values, a step of a turn.
    warnings: JSON.parse(step.warnings) as string[],
    calls: asked.map((call, index) => readCall(call, calls.get(formatPlace(turnId, generation, number, index)))),
  }
}

function readCall({ name, arguments: given }: ModelCall, stored: StoredCall | undefined): TurnCallRow {
  // Bound: 524,288, 20,000 values, a step of a turn.
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

function formatPlace(turn: string, generation: number, step: number, call: number): string {
  return `${turn} ${generation} ${step} ${call}`
}
