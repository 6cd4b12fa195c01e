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

// Ended by the index on blocks: rows lie in the order in which they were made.
// $1 older than   $2 rows
const DELETE_MESSAGES = `
  DELETE FROM message WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM message WHERE created < $1 AND outbox = 0 LIMIT $2))`
const DELETE_EVENTS = `
  DELETE FROM event WHERE ctid = ANY(ARRAY(
    SELECT e.ctid FROM event AS e
    WHERE e.created < $1 AND NOT EXISTS (SELECT FROM delivery AS d WHERE d.position = e.position) LIMIT $2))`
const DELETE_AUDIT = `DELETE FROM audit WHERE position = ANY(ARRAY(SELECT position FROM audit WHERE at < $1 LIMIT $2))`
// Keys and former tokens of instances that have ended.
const DELETE_KEYS = `DELETE FROM access_key WHERE ends < clock_timestamp()`
// What lost its event or its webhook can never be delivered.
const DELETE_DEAD_LETTERS = `
  DELETE FROM dead_letter AS d WHERE NOT EXISTS (SELECT FROM event AS e WHERE e.position = d.position)`
const DELETE_ORPHANS = `
  DELETE FROM delivery AS d WHERE NOT EXISTS (SELECT FROM webhook AS w WHERE w.id = d.webhook_id)
    OR NOT EXISTS (SELECT FROM event AS e WHERE e.position = d.position)`
// An Idempotency-Key is good for 24 hours.
const FORGET_KEYS = `
  UPDATE message SET idempotency_key = NULL, request_hash = NULL
  WHERE idempotency_key IS NOT NULL AND created < now() - interval '24 hours'`

export interface Retention {
  /** One round over everything. Safe to run on several nodes at once. */
  run(): Promise<RetentionResult>
  /** A round now and then, until `close`. */
  start(): void
  /** Waits for the round under way. */
  close(): Promise<void>
}

export function createRetention(options: RetentionOptions): Retention {
  const { pool, log } = options
  const rows = options.batchRows ?? 1_000
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> | undefined
  let isClosed = false

  return {
    run,
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
    for (const statement of [DELETE_DEAD_LETTERS, DELETE_ORPHANS, FORGET_KEYS, DELETE_KEYS]) await pool.query(statement)
    return { messages, events }
  }

  async function deleteOlder(statement: string, keepMs: number): Promise<number> {
    if (keepMs === Number.POSITIVE_INFINITY) return 0
    return await deleteInBatches(pool, statement, new Date(Date.now() - keepMs), rows)
  }

  function schedule(): void {
    if (isClosed) return
    const everyMs = options.everyMs ?? 60 * 60 * 1_000
    // With jitter: nodes that start together do not clean up together.
    timer = setTimeout(() => void runAndSchedule(), everyMs * (0.5 + Math.random()))
    timer.unref()
  }

  async function runAndSchedule(): Promise<void> {
    round = run().then(
      (result) => log.info(result, 'old rows were deleted'),
      (error: unknown) => log.warn({ err: error }, 'old rows could not be deleted; it is tried again later'),
    )
    await round
    schedule()
  }
}

async function deleteInBatches(pool: pg.Pool, statement: string, olderThan: Date, rows: number): Promise<number> {
  let deleted = 0
  for (;;) {
    const { rowCount } = await pool.query(statement, [olderThan, rows])
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < rows) return deleted
  }
}
