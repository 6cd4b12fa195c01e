/** Counts what an operator sees at a glance. Each count is bounded, and a node counts for all callers together. */
import type pg from 'pg'
import type { FigureDirectory, Figures, MinuteFigures, TroubledOwner } from '../../schemas/ports/figures.js'
import { INSTANCE_TABLES, PRESENT_STATUS } from './instance-rows.js'
import { createSearch, SEARCH_TIMEOUT_MS, type Search } from './timed-search.js'

/** Time for which figures are answered again. */
const KEPT_MS = 5_000
/** Maximum of rows that one count reads. */
const COUNTED_MAX = 100_000
/** Maximum of the newest failed attempts among which those of the last hour are counted. */
const ATTEMPTS_MAX = 10_000
const MINUTES = 60

const INSTANCES = `
  SELECT count(*) FILTER (WHERE status = 'disconnected')::int AS disconnected,
    count(*) FILTER (WHERE status = 'connecting')::int AS connecting,
    count(*) FILTER (WHERE status = 'connected')::int AS connected,
    count(*) FILTER (WHERE status <> 'connected' AND desired_connected)::int AS missing
  FROM (SELECT ${PRESENT_STATUS} AS status, i.desired_connected FROM ${INSTANCE_TABLES}) AS one`
// The index on the time of writing finds the last hour. Only now() is one value for the whole statement, which that index needs.
const MESSAGES = `
  SELECT floor(extract(epoch FROM created) / 60)::bigint::text AS minute,
    count(*) FILTER (WHERE "fromMe" AND "status" <> 'failed')::int AS sent,
    count(*) FILTER (WHERE "fromMe" AND "status" = 'failed')::int AS failed,
    count(*) FILTER (WHERE NOT "fromMe")::int AS received
  FROM message WHERE created > now() - interval '1 hour' GROUP BY 1`
// $1 rows that one count reads   $2 failed attempts
const WAITING = `
  SELECT now() AS at,
    (SELECT count(*)::int FROM (SELECT FROM delivery LIMIT $1) AS one) AS waiting,
    (SELECT (extract(epoch FROM clock_timestamp() - created) * 1000)::float8 FROM delivery ORDER BY created LIMIT 1) AS oldest,
    (SELECT count(*)::int FROM (SELECT FROM dead_letter LIMIT $1) AS one) AS dead,
    (SELECT count(*)::int FROM (SELECT created FROM webhook_error ORDER BY id DESC LIMIT $2) AS one
      WHERE created > now() - interval '1 hour') AS attempts,
    (SELECT count(*)::int FROM (SELECT FROM message WHERE outbox > 0 LIMIT $1) AS one) AS sends,
    (SELECT count(*)::int FROM (SELECT FROM scheduled_send WHERE status = 'scheduled' LIMIT $1) AS one) AS scheduled`

interface MinuteRow extends Omit<MinuteFigures, 'at'> {
  readonly minute: string
}

interface WaitingRow {
  readonly at: Date
  readonly waiting: number
  readonly oldest: number | null
  readonly dead: number
  readonly attempts: number
  readonly sends: number
  readonly scheduled: number
}

export function createFigures(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS): FigureDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  let reading: Promise<Figures> | undefined
  let untilMs = 0

  return {
    read() {
      if (reading === undefined || performance.now() >= untilMs) {
        untilMs = Number.POSITIVE_INFINITY
        reading = count().finally(() => {
          untilMs = performance.now() + KEPT_MS
        })
      }
      return reading
    },
  }

  async function count(): Promise<Figures> {
    const [instances] = await search<Figures['instances']>(INSTANCES, [])
    const minutes = await search<MinuteRow>(MESSAGES, [])
    const [row] = await search<WaitingRow>(WAITING, [COUNTED_MAX, ATTEMPTS_MAX])
    if (instances === undefined || row === undefined) throw new Error('PostgreSQL counted nothing.')
    const hasFailedSends = minutes.some(({ failed }) => failed > 0)
    const isTroubled = hasFailedSends || row.waiting + row.dead > 0
    const troubled = isTroubled ? await findTroubledOwners(search, COUNTED_MAX, hasFailedSends) : []
    return {
      at: row.at,
      instances,
      minutes: lastMinutes(row.at, minutes),
      webhooks: {
        waiting: row.waiting,
        oldestWaitingMs: Math.max(0, Math.round(row.oldest ?? 0)),
        deadLetters: row.dead,
        failedAttempts: row.attempts,
      },
      sends: { waiting: row.sends, scheduled: row.scheduled },
      troubled,
    }
  }
}

/** Fills in minutes without messages. */
function lastMinutes(now: Date, rows: readonly MinuteRow[]): readonly MinuteFigures[] {
  const known = new Map(rows.map((row) => [Number(row.minute), row]))
  const last = Math.floor(now.getTime() / 60_000)
  return Array.from({ length: MINUTES }, (_, index) => {
    const minute = last - MINUTES + 1 + index
    const { sent = 0, failed = 0, received = 0 } = known.get(minute) ?? {}
    return { at: new Date(minute * 60_000), sent, failed, received }
  })
}

// Finds the instances whose webhooks or sends need a hand. Each part reads a bounded number of rows.

/** Maximum of owners that are named. */
const OWNERS_MAX = 20
/** Deliveries that wait for less are on their way. */
const WAITING_SECONDS = 60

// $1 rows that one count reads   $2 seconds   $3 owners   $4 true: count failed sends
const TROUBLED = `
  WITH troubles AS (
    SELECT w.instance_id, count(*) AS dead, 0 AS waiting, 0 AS failed
    FROM (SELECT webhook_id FROM dead_letter LIMIT $1) AS d JOIN webhook AS w ON w.id = d.webhook_id GROUP BY 1
    UNION ALL
    SELECT w.instance_id, 0, count(*), 0
    FROM (SELECT webhook_id FROM delivery WHERE created < now() - make_interval(secs => $2) ORDER BY created LIMIT $1) AS d
    JOIN webhook AS w ON w.id = d.webhook_id GROUP BY 1
    UNION ALL
    SELECT instance_id, 0, 0, count(*) FROM message
    WHERE $4 AND created > now() - interval '1 hour' AND "fromMe" AND "status" = 'failed' GROUP BY 1
  )
  SELECT t.instance_id AS id, i.name, sum(t.dead)::int AS "deadLetters", sum(t.waiting)::int AS waiting, sum(t.failed)::int AS failed
  FROM troubles AS t LEFT JOIN instance AS i ON i.id = t.instance_id
  WHERE t.instance_id IS NULL OR i.id IS NOT NULL
  GROUP BY t.instance_id, i.name ORDER BY sum(t.dead) + sum(t.waiting) + sum(t.failed) DESC, t.instance_id LIMIT $3`

/** Returns the owners with the most troubles first. `hasFailedSends` false leaves out a count that would find nothing. */
function findTroubledOwners(
  search: Search,
  rowsMax: number,
  hasFailedSends: boolean,
): Promise<readonly TroubledOwner[]> {
  return search<TroubledOwner>(TROUBLED, [rowsMax, WAITING_SECONDS, OWNERS_MAX, hasFailedSends])
}
