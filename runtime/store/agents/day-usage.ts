/** Counts calls of models besides turns in the budget of an instance's day. */
import type pg from 'pg'
import type { InstanceId } from '../../../schemas/ids.js'
import type { PlannedSpending } from '../../../schemas/ports/agents.js'

/** Tokens that are reserved for a call. */
export interface Reserved {
  /** UTC day, `YYYY-MM-DD`. */
  readonly day: string
  readonly tokens: number
  /** Prices of a million tokens, in millionths. */
  readonly inputPrice: number
  readonly outputPrice: number
}

export interface Refused {
  readonly refused: 'tokens' | 'money'
  /** Time until the next day. */
  readonly leftMs: number
  /** The owner of the instance is to emit an event. */
  readonly isNews: boolean
}

export interface DayUsageStore {
  /** Null: there is no such instance. */
  reserve(planned: PlannedSpending): Promise<Reserved | Refused | null>
  /** Counts what was used instead of what was reserved. Returns true if the owner of the instance is to emit an event. */
  settle(
    instance: InstanceId,
    reserved: Reserved,
    used: { readonly in: number; readonly out: number },
  ): Promise<boolean>
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`
// Tokens that are reserved cost as much as this call does, as in turns.
// $1 instance   $2 tokens   $3 tokens of a day   $4 part that may be used   $5 embedding, transcription or empty   $6 input price   $7 output price
const RESERVE = `
  WITH fact AS (
    SELECT COALESCE(b.cost_per_day_micros, 0) * $4::float8 AS money, $3::float8 * $4::float8 AS tokens,
      CASE $5 WHEN 'embedding' THEN COALESCE(b.embedding_price_micros, 0) WHEN 'transcription' THEN COALESCE(b.transcription_price_micros, 0)
        ELSE $6::float8 END AS "inputPrice",
      CASE $5 WHEN 'embedding' THEN 0 WHEN 'transcription' THEN COALESCE(b.transcription_price_micros, 0) ELSE $7::float8 END AS "outputPrice"
    FROM instance AS i LEFT JOIN chatbot_settings AS b ON b.instance_id = i.id WHERE i.id = $1
  ), wanted AS (
    SELECT *, GREATEST("inputPrice", "outputPrice") AS price, money > 0 AND GREATEST("inputPrice", "outputPrice") > 0 AS "isBounded" FROM fact
  ), taken AS (
    INSERT INTO agent_usage AS d (instance_id, day, reserved)
    SELECT $1, ${TODAY}, $2::bigint FROM wanted
    WHERE $2::bigint <= tokens AND NOT ("isBounded" AND $2::bigint * price / 1000000 > money)
    ON CONFLICT (instance_id, day) DO UPDATE SET reserved = d.reserved + EXCLUDED.reserved
    WHERE (SELECT d.reserved + d.tokens_in + d.tokens_out + EXCLUDED.reserved <= tokens
      AND NOT ("isBounded" AND d.cost_micros + (d.reserved + EXCLUDED.reserved) * price / 1000000 > money) FROM wanted)
    RETURNING day
  )
  SELECT to_char(taken.day, 'YYYY-MM-DD') AS day, "inputPrice"::float8, "outputPrice"::float8, tokens,
    (extract(epoch FROM (${TODAY} + 1)::timestamp - (now() AT TIME ZONE 'UTC')) * 1000)::float8 AS "leftMs"
  FROM wanted LEFT JOIN taken ON true`
// $1 instance   $2 whether the owner is told   $3 tokens of the call   $4 tokens of the day
const REFUSE = `
  INSERT INTO agent_usage AS d (instance_id, day, to_tell) SELECT id, ${TODAY}, CASE WHEN $2 THEN 100 ELSE 0 END FROM instance WHERE id = $1
  ON CONFLICT (instance_id, day) DO UPDATE SET to_tell = GREATEST(d.to_tell, EXCLUDED.to_tell)
  RETURNING to_tell > told AS "isNews", reserved + tokens_in + tokens_out + $3::bigint > $4::float8 AS "areTokens"`
// $1 instance   $2 day   $3 reserved   $4 tokens in   $5 tokens out   $6 cost   $7 tokens of a day
const SETTLE = `
  UPDATE agent_usage AS d SET reserved = GREATEST(0, d.reserved - $3::bigint), tokens_in = d.tokens_in + $4::bigint,
    tokens_out = d.tokens_out + $5::bigint, cost_micros = d.cost_micros + $6::bigint,
    to_tell = GREATEST(d.to_tell, CASE WHEN share >= 1 THEN 100 WHEN share >= 0.8 THEN 80 ELSE 0 END)
  FROM (
    SELECT GREATEST((GREATEST(0, u.reserved - $3::bigint) + u.tokens_in + $4::bigint + u.tokens_out + $5::bigint) / $7::float8,
      CASE WHEN COALESCE(b.cost_per_day_micros, 0) = 0 THEN 0 ELSE (u.cost_micros + $6::bigint) / b.cost_per_day_micros::float8 END) AS share
    FROM agent_usage AS u LEFT JOIN chatbot_settings AS b USING (instance_id) WHERE u.instance_id = $1 AND u.day = $2::date FOR UPDATE OF u
  ) AS now
  WHERE d.instance_id = $1 AND d.day = $2::date
  RETURNING d.to_tell > d.told AS "isNews"`

interface WantedRow {
  readonly day: string | null
  readonly inputPrice: number
  readonly outputPrice: number
  readonly tokens: number
  readonly leftMs: number
}

interface RefusedRow {
  readonly isNews: boolean
  readonly areTokens: boolean
}

const MILLION = 1_000_000

export function createDayUsage(pool: pg.Pool, tokensPerDay: number): DayUsageStore {
  return {
    async reserve({ instance, tokens, prices, leaves = 0 }) {
      const given = typeof prices === 'string' ? [prices, 0, 0] : ['', prices.input, prices.output]
      const values = [instance, tokens, tokensPerDay, 1 - leaves, ...given]
      const [row] = (await pool.query<WantedRow>(RESERVE, values)).rows
      if (row === undefined) return null
      const { day, inputPrice, outputPrice, leftMs } = row
      if (day !== null) return { day, tokens, inputPrice, outputPrice }
      const [told] = (await pool.query<RefusedRow>(REFUSE, [instance, leaves === 0, tokens, row.tokens])).rows
      if (told === undefined) return null
      return { refused: told.areTokens ? 'tokens' : 'money', leftMs, isNews: told.isNews }
    },

    async settle(instance, { day, tokens, inputPrice, outputPrice }, used) {
      const cost = Math.round((used.in * inputPrice + used.out * outputPrice) / MILLION)
      const values = [instance, day, tokens, Math.round(used.in), Math.round(used.out), cost, tokensPerDay]
      return (await pool.query<RefusedRow>(SETTLE, values)).rows[0]?.isNews === true
    },
  }
}
