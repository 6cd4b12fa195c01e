/** Deletes what is older than the retention, in batches, so that no statement holds locks for long. */
import type pg from 'pg'
import type { Logger } from 'pino'
import { purgeDeletedInstances } from './instance-deletion.js'

export interface RetentionOptions {
  readonly pool: pg.Pool
  readonly log: Logger
  /** How long a round waits after the one before; an hour by default. */
  readonly everyMs?: number
  /** How long messages are kept; 14 days by default, `Infinity`: for good. What is still to be sent stays. */
  readonly messagesMs?: number
  /** How long events are kept; 14 days by default. What is still to be delivered stays. */
  readonly eventsMs?: number
  /** How long administrative calls are; 90 days by default. */
  readonly auditMs?: number
  readonly batchRows?: number
}

export interface RetentionResult {
  readonly messages: number
  readonly events: number
}

const DAY_MS = 24 * 60 * 60 * 1_000

// PostgreSQL's clock decides, not that of the node: one that is wrong would delete what everybody wrote. Rows that another transaction holds
// are left for the next round: to wait for one would hold up whoever waits for the rest of the batch.
// $1 older than, ms   $2 rows
const OLD = `< now() - $1::bigint * interval '1 millisecond'`
// Ended by the index on blocks: rows lie in the order in which they were made.
const DELETE_MESSAGES = `
  DELETE FROM message WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM message WHERE created ${OLD} AND outbox = 0 LIMIT $2 FOR UPDATE SKIP LOCKED))`
const DELETE_EVENTS = `
  DELETE FROM event WHERE ctid = ANY(ARRAY(
    SELECT e.ctid FROM event AS e
    WHERE e.created ${OLD} AND NOT EXISTS (SELECT FROM delivery AS d WHERE d.position = e.position)
    LIMIT $2 FOR UPDATE OF e SKIP LOCKED))`
const DELETE_AUDIT = `
  DELETE FROM audit WHERE position = ANY(ARRAY(
    SELECT position FROM audit WHERE at ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED))`
// Keys and former tokens of instances that have ended; what lost its event or its webhook can never be delivered.
// $1 rows
const DELETE_WITHOUT_AGE = [
  `DELETE FROM access_key WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM access_key WHERE ends < clock_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM dead_letter WHERE ctid = ANY(ARRAY(
    SELECT d.ctid FROM dead_letter AS d WHERE NOT EXISTS (SELECT FROM event AS e WHERE e.position = d.position)
    LIMIT $1 FOR UPDATE OF d SKIP LOCKED))`,
  `DELETE FROM delivery WHERE ctid = ANY(ARRAY(
    SELECT d.ctid FROM delivery AS d WHERE NOT EXISTS (SELECT FROM webhook AS w WHERE w.id = d.webhook_id)
      OR NOT EXISTS (SELECT FROM event AS e WHERE e.position = d.position)
    LIMIT $1 FOR UPDATE OF d SKIP LOCKED))`,
]
// An Idempotency-Key is good for 24 hours. A page of the index at a time, whether something in it is old or not.
// $1 instance and $2 key after which the page begins   $3 rows
const FORGET_KEYS = `
  WITH page AS (
    SELECT ctid, instance_id, idempotency_key, created < now() - interval '24 hours' AS is_old FROM message
    WHERE idempotency_key IS NOT NULL AND (instance_id, idempotency_key) > ($1, $2)
    ORDER BY instance_id, idempotency_key LIMIT $3
  ), forgotten AS (
    UPDATE message SET idempotency_key = NULL, request_hash = NULL WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM message WHERE ctid = ANY(ARRAY(SELECT ctid FROM page WHERE is_old)) FOR UPDATE SKIP LOCKED))
  )
  SELECT instance_id, idempotency_key FROM page ORDER BY instance_id, idempotency_key`

// The claim of a round: none within the time, by PostgreSQL's clock; one in the future is of a clock that was set back. Who claims and
// dies delays what is to be deleted by one round.
// $1 the time, ms
const CLAIM = `
  INSERT INTO meta AS m VALUES ('retention', (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text)
  ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
  WHERE m.value::bigint NOT BETWEEN EXCLUDED.value::bigint - $1::bigint AND EXCLUDED.value::bigint
  RETURNING key`

export interface Retention {
  /** One round over everything. Safe to run on several nodes at once. */
  run(): Promise<RetentionResult>
  /** The same, unless a node has begun a round not long ago; null then. */
  runInTurn(): Promise<RetentionResult | null>
  /** A round now and then, by one of the nodes, until `close`. */
  start(): void
  /** Waits for the round under way. */
  close(): Promise<void>
}

export function createRetention(options: RetentionOptions): Retention {
  const { pool, log } = options
  const rows = options.batchRows ?? 1_000
  const everyMs = options.everyMs ?? 60 * 60 * 1_000
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> | undefined
  let isClosed = false

  return {
    run,
    runInTurn,
    start() {
      schedule()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await round
    },
  }

  async function run(): Promise<RetentionResult> {
    const messages = await deleteOlder(DELETE_MESSAGES, options.messagesMs ?? 14 * DAY_MS)
    const events = await deleteOlder(DELETE_EVENTS, options.eventsMs ?? 14 * DAY_MS)
    await deleteOlder(DELETE_AUDIT, options.auditMs ?? 90 * DAY_MS)
    await purgeDeletedInstances(pool)
    for (const statement of DELETE_WITHOUT_AGE) await deleteInBatches(statement, [])
    await forgetKeys()
    return { messages, events }
  }

  async function runInTurn(): Promise<RetentionResult | null> {
    const { rowCount } = await pool.query(CLAIM, [Math.trunc(everyMs * 0.9)])
    return rowCount === 0 ? null : await run()
  }

  async function deleteOlder(statement: string, keepMs: number): Promise<number> {
    if (keepMs === Number.POSITIVE_INFINITY) return 0
    return await deleteInBatches(statement, [keepMs])
  }

  async function deleteInBatches(statement: string, values: readonly unknown[]): Promise<number> {
    let deleted = 0
    for (;;) {
      const { rowCount } = await pool.query(statement, [...values, rows])
      deleted += rowCount ?? 0
      if ((rowCount ?? 0) < rows || isClosed) return deleted
    }
  }

  async function forgetKeys(): Promise<void> {
    for (let [instance, key] = ['', '']; !isClosed; ) {
      const page = await pool.query<{ instance_id: string; idempotency_key: string }>(FORGET_KEYS, [
        instance,
        key,
        rows,
      ])
      const last = page.rows.at(-1)
      if (last === undefined || page.rows.length < rows) return
      instance = last.instance_id
      key = last.idempotency_key
    }
  }

  function schedule(): void {
    if (isClosed) return
    // With jitter: nodes that start together do not clean up together.
    timer = setTimeout(() => void runAndSchedule(), everyMs * (0.5 + Math.random()))
    timer.unref()
  }

  async function runAndSchedule(): Promise<void> {
    round = runInTurn().then(
      (result) => {
        if (result !== null) log.info(result, 'old rows were deleted')
      },
      (error: unknown) => log.warn({ err: error }, 'old rows could not be deleted; it is tried again later'),
    )
    await round
    schedule()
  }
}
