/** Messages and deliveries of the nodes, in windows of five minutes. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type {
  AccountStates,
  AgentDay,
  TrafficCounts,
  TrafficDirectory,
  TrafficReport,
} from '../../schemas/ports/traffic.js'
import type { EndedWindow } from '../metrics/traffic.js'
import { toDurationMs } from './delay-scale.js'
import { createSearch, SEARCH_TIMEOUT_MS } from './timed-search.js'

const NODES_MAX = 100
const ROWS_MAX = 2_304

// PostgreSQL's clock says when a window was: that of a node may be wrong.
// $1 node   $2 part   $3 how long ago, ms   $4 to $7 counts   $8 steps and $9 their counts, as texts of arrays
const WRITE = `
  INSERT INTO traffic (at, node, part, sent, received, failed, delivered, steps, counts)
  SELECT to_timestamp(floor(extract(epoch FROM now() - ago * interval '1 millisecond') / 300) * 300), $1, $2 || '-' || n,
    sent, received, failed, delivered, steps::smallint[], counts::int[]
  FROM unnest($3::float8[], $4::int[], $5::int[], $6::int[], $7::int[], $8::text[], $9::text[]) WITH ORDINALITY
    AS w(ago, sent, received, failed, delivered, steps, counts, n)`

/** Returns a function that writes windows of a node. */
export function createTrafficWrites(pool: pg.Pool, node: string): (windows: readonly EndedWindow[]) => Promise<void> {
  return async (windows) => {
    const column = <T>(read: (window: EndedWindow) => T) => windows.map(read)
    await pool.query(WRITE, [
      node,
      randomUUID().slice(0, 8),
      column(({ agoMs }) => agoMs),
      column(({ sent }) => sent),
      column(({ received }) => received),
      column(({ failed }) => failed),
      column(({ delivered }) => delivered),
      column(({ delays }) => `{${[...delays.keys()].join()}}`),
      column(({ delays }) => `{${[...delays.values()].join()}}`),
    ])
  }
}

// Sums by a key: the step of time, or the node. The percentiles are those of all deliveries of a key.
// $1 hours   $2 minutes of a step   $3 node, or null   $4 rows
const sumsBy = (key: string, order: string) => `
  WITH part AS (
    SELECT ${key} AS key, sent, received, failed, delivered, steps, counts FROM traffic
    WHERE at > now() - $1::int * interval '1 hour' AND at <= now() AND ($3::text IS NULL OR node = $3) AND $2::int > 0
  ), delays AS (
    SELECT key, step, sum(count) AS count FROM part, unnest(steps, counts) AS d(step, count) GROUP BY key, step
  ), ranks AS (
    SELECT key, step, sum(count) OVER (PARTITION BY key ORDER BY step) AS below, sum(count) OVER (PARTITION BY key) AS total FROM delays
  ), percentiles AS (
    SELECT key, min(step) FILTER (WHERE below >= total * 0.5) AS p50, min(step) FILTER (WHERE below >= total * 0.99) AS p99
    FROM ranks GROUP BY key
  ), sums AS (
    SELECT key, sum(sent)::float8 AS sent, sum(received)::float8 AS received, sum(failed)::float8 AS failed,
      sum(delivered)::float8 AS delivered FROM part GROUP BY key
  )
  SELECT * FROM sums LEFT JOIN percentiles USING (key) ORDER BY ${order} LIMIT $4`
const BY_TIME = sumsBy('(floor(extract(epoch FROM at) / ($2::int * 60)) * $2::int * 60)::float8', 'key')
const BY_NODE = sumsBy('node', 'sent + received + delivered DESC, key')
// $1 hours
const AGENTS = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(turns)::float8 AS turns, sum(tokens_in + tokens_out)::float8 AS tokens,
    sum(cost_micros)::float8 AS "costMicros"
  FROM agent_usage WHERE day >= ((now() AT TIME ZONE 'UTC') - $1::int * interval '1 hour')::date GROUP BY day ORDER BY day`

// The newest of each step, and the one that holds when the hours begin.
// $1 hours   $2 minutes of a step   $3 rows
const ACCOUNTS = `
  SELECT DISTINCT ON (step) to_timestamp(step) AS at, connected, connecting, disconnected FROM (
    SELECT floor(extract(epoch FROM at) / ($2::int * 60)) * $2::int * 60 AS step, * FROM account_state
    WHERE at <= now() AND at >= COALESCE(
      (SELECT max(former.at) FROM account_state AS former WHERE former.at <= now() - $1::int * interval '1 hour'), '-infinity')
  ) AS stepped
  ORDER BY step, at DESC LIMIT $3`

interface Row<Key> extends Pick<TrafficCounts, 'sent' | 'received' | 'failed' | 'delivered'> {
  readonly key: Key
  readonly p50: number | null
  readonly p99: number | null
}

export function createTrafficDirectory(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): TrafficDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  return {
    async read({ hours, stepMinutes, node }): Promise<TrafficReport> {
      const rows = await search<Row<number>>(BY_TIME, [hours, stepMinutes, node, ROWS_MAX])
      const nodes = await search<Row<string>>(BY_NODE, [hours, stepMinutes, null, NODES_MAX])
      const agents = await search<AgentDay>(AGENTS, [hours])
      const accounts = await search<AccountStates>(ACCOUNTS, [hours, stepMinutes, ROWS_MAX + 1])
      const [now] = await search<{ at: Date }>('SELECT now() AS at', [])
      return {
        at: now?.at ?? new Date(),
        rows: rows.map((row) => ({ at: new Date(row.key * 1_000), ...toCounts(row) })),
        nodes: nodes.map((row) => ({ id: row.key, ...toCounts(row) })),
        agents,
        accounts,
      }
    },
  }
}

function toCounts({ sent, received, failed, delivered, p50, p99 }: Row<unknown>): TrafficCounts {
  const toMs = (step: number | null) => (step === null ? null : toDurationMs(step))
  return { sent, received, failed, delivered, p50Ms: toMs(p50), p99Ms: toMs(p99) }
}
