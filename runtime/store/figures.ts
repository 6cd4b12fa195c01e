/** Reads what an operator sees at a glance. No count looks at all instances or at all messages of the hour again, and a node reads for all callers together. */
import type pg from 'pg'
import type { FigureDirectory, Figures, MinuteFigures, TroubledOwner } from '../../schemas/ports/figures.js'
import { readInstanceCounts } from './instance-counts.js'
import { createSearch, SEARCH_TIMEOUT_MS, type Search } from './timed-search.js'

/** Time for which figures are answered again. */
const KEPT_MS = 5_000
/** Maximum of rows that one count reads. */
const COUNTED_MAX = 100_000
/** Maximum of deliveries that are counted. Every event makes and deletes some, so counters that are kept would cost each of them more. */
const DELIVERIES_COUNTED_MAX = 10_000
/** Maximum of the newest failed attempts among which those of the last hour are counted. */
const ATTEMPTS_MAX = 10_000
const MINUTES = 60

// The index on the time of writing finds the last minutes. Only now() is one value for the whole statement, which that index needs.
// $1 minutes
const MESSAGES = `
  SELECT floor(extract(epoch FROM created) / 60)::bigint::text AS minute,
    ceil(extract(epoch FROM now() - make_interval(mins => $1)) / 60)::bigint::text AS first,
    count(*) FILTER (WHERE "fromMe")::int AS own, count(*) FILTER (WHERE NOT "fromMe")::int AS received
  FROM message WHERE created > now() - make_interval(mins => $1) GROUP BY 1`
const FAILED = `
  SELECT floor(extract(epoch FROM created) / 60)::bigint::text AS minute, count(*)::int AS failed
  FROM message WHERE outbox < 0 AND "fromMe" AND created > now() - interval '1 hour' GROUP BY 1`
// Above the maximum, what the last vacuum or analyze of PostgreSQL has found.
// $3 deliveries that are counted
const DELIVERIES = `
  (SELECT CASE WHEN counted < $3 THEN counted ELSE GREATEST(counted, (SELECT reltuples FROM pg_class WHERE oid = 'delivery'::regclass))::int END
    FROM (SELECT count(*)::int AS counted FROM (SELECT FROM delivery LIMIT $3) AS one) AS few)`
// $1 rows that one count reads   $2 failed attempts   $3 deliveries that are counted
const WAITING = `
  SELECT now() AS at, ${DELIVERIES} AS waiting,
    (SELECT (extract(epoch FROM clock_timestamp() - created) * 1000)::float8 FROM delivery ORDER BY created LIMIT 1) AS oldest,
    (SELECT COALESCE(sum(letters), 0)::int FROM dead_letter_count) AS dead,
    (SELECT count(*)::int FROM (SELECT created FROM webhook_error ORDER BY id DESC LIMIT $2) AS one
      WHERE created > now() - interval '1 hour') AS attempts,
    (SELECT count(*)::int FROM (SELECT FROM message WHERE outbox > 0 LIMIT $1) AS one) AS sends,
    (SELECT count(*)::int FROM (SELECT FROM scheduled_send WHERE status = 'scheduled' LIMIT $1) AS one) AS scheduled`

interface MinuteRow {
  readonly minute: string
  /** The first minute that was counted from its beginning. */
  readonly first: string
  readonly own: number
  readonly received: number
}

interface FailedRow {
  readonly minute: string
  readonly failed: number
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

export function createFigures(pool: pg.Pool, searchTimeoutMs = SEARCH_TIMEOUT_MS, keptMs = KEPT_MS): FigureDirectory {
  const search = createSearch(pool, searchTimeoutMs)
  let reading: Promise<Figures> | undefined
  let untilMs = 0
  const messages = new CountedMinutes(search)

  return {
    read() {
      if (reading === undefined || performance.now() >= untilMs) {
        untilMs = Number.POSITIVE_INFINITY
        reading = count().finally(() => {
          untilMs = performance.now() + keptMs
        })
      }
      return reading
    },
  }

  async function count(): Promise<Figures> {
    const instances = await readInstanceCounts(search)
    const counted = await messages.read()
    const failures = await search<FailedRow>(FAILED, [])
    const [row] = await search<WaitingRow>(WAITING, [COUNTED_MAX, ATTEMPTS_MAX, DELIVERIES_COUNTED_MAX])
    if (row === undefined) throw new Error('PostgreSQL counted nothing.')
    const hasFailedSends = failures.length > 0
    const isTroubled = hasFailedSends || row.waiting + row.dead > 0
    const troubled = isTroubled ? await findTroubledOwners(search, DELIVERIES_COUNTED_MAX, hasFailedSends) : []
    return {
      at: row.at,
      instances,
      minutes: lastMinutes(row.at, counted, failures),
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

/** A minute that began so long ago gets no more messages: no transaction takes as long. */
const OPEN_MINUTES = 4
/** Time after which all minutes are counted again, since messages may have been deleted. */
const RECOUNT_MS = 30 * 60_000

/** The messages of the last hour by minute. Each minute is counted until it has ended, and then kept. */
class CountedMinutes {
  readonly #search: Search
  #rows: ReadonlyMap<number, MinuteRow> = new Map()
  #allAtMs = Number.NEGATIVE_INFINITY
  #lastAtMs = 0

  constructor(search: Search) {
    this.#search = search
  }

  async read(): Promise<ReadonlyMap<number, MinuteRow>> {
    const nowMs = performance.now()
    const isAll = nowMs - this.#allAtMs > RECOUNT_MS
    const sinceLast = Math.ceil((nowMs - this.#lastAtMs) / 60_000)
    const minutes = isAll ? MINUTES : Math.min(MINUTES, OPEN_MINUTES + sinceLast)
    const rows = await this.#search<MinuteRow>(MESSAGES, [minutes])
    const fresh = rows.map((row) => [Number(row.minute), row] as const).filter(([at, { first }]) => at >= Number(first))
    this.#rows = new Map([...(isAll ? [] : this.#rows), ...fresh].slice(-2 * MINUTES))
    if (isAll) this.#allAtMs = nowMs
    this.#lastAtMs = nowMs
    return this.#rows
  }
}

/** Fills in minutes without messages. */
function lastMinutes(
  now: Date,
  counted: ReadonlyMap<number, MinuteRow>,
  failures: readonly FailedRow[],
): readonly MinuteFigures[] {
  const failedIn = new Map(failures.map(({ minute, failed }) => [Number(minute), failed]))
  const last = Math.floor(now.getTime() / 60_000)
  return Array.from({ length: MINUTES }, (_, index) => {
    const minute = last - MINUTES + 1 + index
    const { own = 0, received = 0 } = counted.get(minute) ?? {}
    const failed = failedIn.get(minute) ?? 0
    return { at: new Date(minute * 60_000), sent: Math.max(0, own - failed), failed, received }
  })
}

// Finds the instances whose webhooks or sends need a hand. Of the deliveries that wait it reads the oldest ones.

/** Maximum of owners that are named. */
const OWNERS_MAX = 20
/** Deliveries that wait for less are on their way. */
const WAITING_SECONDS = 60

// $1 deliveries   $2 seconds   $3 owners   $4 true: count failed sends
const TROUBLED = `
  WITH troubles AS (
    SELECT w.instance_id, sum(d.letters) AS dead, 0 AS waiting, 0 AS failed
    FROM (SELECT webhook_id, sum(letters) AS letters FROM dead_letter_count GROUP BY 1 HAVING sum(letters) > 0) AS d
    JOIN webhook AS w ON w.id = d.webhook_id GROUP BY 1
    UNION ALL
    SELECT w.instance_id, 0, count(*), 0
    FROM (SELECT webhook_id FROM delivery WHERE created < now() - make_interval(secs => $2) ORDER BY created LIMIT $1) AS d
    JOIN webhook AS w ON w.id = d.webhook_id GROUP BY 1
    UNION ALL
    SELECT instance_id, 0, 0, count(*) FROM message
    WHERE $4 AND outbox < 0 AND created > now() - interval '1 hour' AND "fromMe" GROUP BY 1
  )
  SELECT t.instance_id AS id, i.name, sum(t.dead)::int AS "deadLetters", sum(t.waiting)::int AS waiting, sum(t.failed)::int AS failed
  FROM troubles AS t LEFT JOIN instance AS i ON i.id = t.instance_id
  WHERE t.instance_id IS NULL OR i.id IS NOT NULL
  GROUP BY t.instance_id, i.name ORDER BY sum(t.dead) + sum(t.waiting) + sum(t.failed) DESC, t.instance_id LIMIT $3`

/** Returns the owners with the most troubles first. `hasFailedSends` false leaves out a count that would find nothing. */
function findTroubledOwners(
  search: Search,
  deliveriesMax: number,
  hasFailedSends: boolean,
): Promise<readonly TroubledOwner[]> {
  return search<TroubledOwner>(TROUBLED, [deliveriesMax, WAITING_SECONDS, OWNERS_MAX, hasFailedSends])
}
