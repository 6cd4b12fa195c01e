/** Turns of agents as the API lists them. */
import type pg from 'pg'
import type { InstanceId } from '../../../schemas/ids.js'
import { chatIdOf, parseAddress } from '../../../schemas/jid.js'
import type {
  DayMaximum,
  TurnDirectory,
  TurnQuery,
  TurnRow,
  UsageDay,
  UsageReport,
} from '../../../schemas/ports/agent-turns.js'
import { createSearch, SEARCH_TIMEOUT_MS, type Search } from '../timed-search.js'
import { readTraces } from './turn-trace.js'

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
      const { text, values } = pageOf(instance, query)
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
function pageOf(
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
    const jid = given(chatIdOf(parseAddress(chatid, 'chatid')))
    conditions.push(`t.chat_id = (SELECT chat_id FROM chat_alias WHERE instance_id = $1 AND jid = ${jid})`)
  }
  if (state !== undefined) conditions.push(`t.state = ${given(state)}`)
  if (/^\d{1,18}$/.test(cursor)) conditions.push(`t.position < ${given(cursor)}::bigint`)
  const where = conditions.map((one) => ` AND ${one}`).join('')
  return { text: `${TURNS}${where} ORDER BY t.position DESC LIMIT ${given(limit + 1)}`, values }
}

/** The daily budget of an instance's agents, as the API shows it. */

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
