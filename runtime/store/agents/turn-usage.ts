/** The daily budget of an instance's agents, as the API shows it. */
import type { InstanceId } from '../../../schemas/ids.js'
import type { DayMaximum, UsageDay, UsageReport } from '../../../schemas/ports/agent-turns.js'
import type { Search } from '../timed-search.js'

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
export async function readUsage(
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
