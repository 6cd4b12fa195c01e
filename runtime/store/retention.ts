/** Deletes rows that are older than the retention, in batches, so that no statement holds locks for long. */
import type pg from 'pg'
import { purgeImports } from './campaigns/imports.js'
import { purgeDeletedInstances } from './instance-deletion.js'

export interface RetentionOptions {
  readonly pool: pg.Pool
  /** Minimum time between two rounds of the cluster, less a tenth. Default: an hour. */
  readonly everyMs?: number
  /** Time for which messages are kept. Default 14 days; `Infinity`: for ever. Messages that are still to be sent stay. */
  readonly messagesMs?: number
  /** Time for which events are kept. Default 14 days. Events that are still to be delivered stay. */
  readonly eventsMs?: number
  /** Time for which administrative calls are kept. Default 90 days. */
  readonly auditMs?: number
  readonly batchRows?: number
}

export interface RetentionResult {
  readonly messages: number
  readonly events: number
}

const DAY_MS = 24 * 60 * 60 * 1_000

// PostgreSQL's clock decides: a wrong clock of a node would delete the rows of all. Rows that another transaction holds are left for the
// next round: waiting for one would hold up the transactions that wait for the rest of the batch.
// $1 older than, ms   $2 rows
const OLD = `< now() - $1::bigint * interval '1 millisecond'`
// The index on blocks ends the search: rows lie in the order in which they were made.
const DELETE_MESSAGES = `
  DELETE FROM message WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM message WHERE created ${OLD} AND outbox <= 0 LIMIT $2 FOR UPDATE SKIP LOCKED))`
const DELETE_EVENTS = `
  DELETE FROM event WHERE ctid = ANY(ARRAY(
    SELECT e.ctid FROM event AS e
    WHERE e.created ${OLD} AND NOT EXISTS (SELECT FROM delivery AS d WHERE d.position = e.position)
    LIMIT $2 FOR UPDATE OF e SKIP LOCKED))`
// The newest entry of each instance stays: it says since when the present status holds.
const DELETE_CONNECTIONS = `
  DELETE FROM connection_history WHERE ctid = ANY(ARRAY(
    SELECT h.ctid FROM connection_history AS h
    WHERE h.at ${OLD} AND EXISTS (
      SELECT FROM connection_history AS later WHERE later.instance_id = h.instance_id AND later.position > h.position)
    LIMIT $2 FOR UPDATE OF h SKIP LOCKED))`
const DELETE_ENDED_SCHEDULES = `
  DELETE FROM scheduled_send WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM scheduled_send WHERE updated ${OLD} AND status <> 'scheduled' LIMIT $2 FOR UPDATE SKIP LOCKED))`
const DELETE_AGENT_CALLS = `
  DELETE FROM agent_call WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM agent_call WHERE updated ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED))`
const DELETE_TURNS = `
  WITH gone AS (
    DELETE FROM agent_turn WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM agent_turn WHERE ended ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING instance_id, id
  ), steps AS (
    DELETE FROM agent_step AS s USING gone WHERE s.instance_id = gone.instance_id AND s.turn_id = gone.id
  ), calls AS (
    DELETE FROM agent_call AS c USING gone WHERE c.instance_id = gone.instance_id AND c.turn_id = gone.id
  ), replies AS (
    DELETE FROM agent_reply AS r USING gone WHERE r.instance_id = gone.instance_id AND r.turn_id = gone.id
  )
  SELECT FROM gone`
const DELETE_SUCCESSES = `
  DELETE FROM webhook_success WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM webhook_success WHERE created ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED))`
const DELETE_CHATWOOT = ['chatwoot_message', 'chatwoot_in'].map(
  (table) => `
  DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE created ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
)
const DELETE_CHANNEL_POSTS = `
  DELETE FROM channel_post WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM channel_post WHERE created ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED))`
const DELETE_STATUS_POSTS = `
  WITH gone AS (
    DELETE FROM status_post WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM status_post WHERE created ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING instance_id, messageid
  ), views AS (
    DELETE FROM status_view AS v USING gone WHERE v.instance_id = gone.instance_id AND v.messageid = gone.messageid
  )
  SELECT FROM gone`
// A message to a large group has a thousand receipts.
const DELETE_GROUP_RECEIPTS = [
  `DELETE FROM message_receipt WHERE ctid = ANY(ARRAY(
    SELECT r.ctid FROM group_message AS g JOIN message_receipt AS r ON r.instance_id = g.instance_id AND r.id = g.id
    WHERE g.created ${OLD} LIMIT $2 FOR UPDATE OF r SKIP LOCKED))`,
  `DELETE FROM group_message WHERE ctid = ANY(ARRAY(
    SELECT g.ctid FROM group_message AS g WHERE g.created ${OLD}
      AND NOT EXISTS (SELECT FROM message_receipt AS r WHERE r.instance_id = g.instance_id AND r.id = g.id)
    LIMIT $2 FOR UPDATE OF g SKIP LOCKED))`,
]
const DELETE_AUDIT = `
  DELETE FROM audit WHERE position = ANY(ARRAY(
    SELECT position FROM audit WHERE at ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED))`
const DELETE_BULK_JOBS = `
  DELETE FROM bulk_job WHERE ctid = ANY(ARRAY(SELECT ctid FROM bulk_job WHERE ended ${OLD} LIMIT $2 FOR UPDATE SKIP LOCKED))`
// Keys, former tokens, suppressions, answers under an Idempotency-Key and looked up numbers that have ended. A delivery that lost its event or its webhook can never be made.
// Instances of bulk jobs stay for a week after the end of the job.
// $1 rows
const DELETE_WITHOUT_AGE = [
  `DELETE FROM message_text WHERE ctid = ANY(ARRAY(
    SELECT t.ctid FROM message_text AS t
    WHERE NOT EXISTS (SELECT FROM message AS m WHERE m.instance_id = t.instance_id AND m.id = t.id AND m.status <> 'deleted')
    LIMIT $1 FOR UPDATE OF t SKIP LOCKED))`,
  `DELETE FROM agent_usage WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM agent_usage WHERE day < (now() - interval '60 days')::date LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM number_check WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM number_check WHERE checked_at < now() - interval '30 days' LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM suppression WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM suppression WHERE until < clock_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  // Rows in the future are of a clock that was set back.
  `DELETE FROM traffic WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM traffic WHERE at NOT BETWEEN now() - interval '8 days' AND now() + interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM receiver_hour WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM receiver_hour WHERE at NOT BETWEEN now() - interval '8 days' AND now() + interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  // The newest of the former days stays: it says what was so when these days begin.
  `DELETE FROM account_state WHERE at > now() + interval '1 day' OR at = ANY(ARRAY(
    SELECT s.at FROM account_state AS s
    WHERE s.at < (SELECT max(former.at) FROM account_state AS former WHERE former.at < now() - interval '8 days')
    LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM request_log WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM request_log WHERE at < now() - interval '1 day' ORDER BY at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM bulk_target WHERE ctid = ANY(ARRAY(
    SELECT t.ctid FROM bulk_target AS t
    WHERE NOT EXISTS (SELECT FROM bulk_job AS j WHERE j.id = t.job_id AND (j.ended IS NULL OR j.ended > now() - interval '7 days'))
    LIMIT $1 FOR UPDATE OF t SKIP LOCKED))`,
  `DELETE FROM access_key WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM access_key WHERE ends < clock_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM kept_answer WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM kept_answer WHERE created < now() - interval '24 hours' LIMIT $1 FOR UPDATE SKIP LOCKED))`,
  `DELETE FROM dead_letter WHERE ctid = ANY(ARRAY(
    SELECT d.ctid FROM dead_letter AS d WHERE NOT EXISTS (SELECT FROM event AS e WHERE e.position = d.position)
    LIMIT $1 FOR UPDATE OF d SKIP LOCKED))`,
  `DELETE FROM delivery WHERE ctid = ANY(ARRAY(
    SELECT d.ctid FROM delivery AS d WHERE NOT EXISTS (SELECT FROM webhook AS w WHERE w.id = d.webhook_id)
      OR NOT EXISTS (SELECT FROM event AS e WHERE e.position = d.position)
    LIMIT $1 FOR UPDATE OF d SKIP LOCKED))`,
]
// An Idempotency-Key is valid for 24 hours. Reads a page of the index at a time, whether something in it is old or not.
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

// Claims a round when there was none within the time, by PostgreSQL's clock. A claim in the future is of a clock that was set back. A node
// that claims a round and dies delays the deletion by one round.
// $1 the time, ms
const CLAIM = `
  INSERT INTO meta AS m VALUES ('retention', (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text)
  ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
  WHERE m.value::bigint NOT BETWEEN EXCLUDED.value::bigint - $1::bigint AND EXCLUDED.value::bigint
  RETURNING key`

export interface Retention {
  /** Makes one round over all tables, until the signal ends it. Safe to run on several nodes at once. */
  run(signal?: AbortSignal): Promise<RetentionResult>
  /** Makes a round unless a node has begun one not long ago; returns null then. */
  runInTurn(signal?: AbortSignal): Promise<RetentionResult | null>
}

const NEVER = new AbortController().signal

export function createRetention(options: RetentionOptions): Retention {
  const everyMs = options.everyMs ?? 60 * 60 * 1_000
  const run = (signal = NEVER) => new RetentionRound(options, signal).run()
  return {
    run,
    async runInTurn(signal) {
      const { rowCount } = await options.pool.query(CLAIM, [Math.trunc(everyMs * 0.9)])
      return rowCount === 0 ? null : await run(signal)
    },
  }
}

class RetentionRound {
  readonly #options: RetentionOptions
  readonly #batchRows: number
  readonly #signal: AbortSignal

  constructor(options: RetentionOptions, signal: AbortSignal) {
    this.#options = options
    this.#batchRows = options.batchRows ?? 1_000
    this.#signal = signal
  }

  async run(): Promise<RetentionResult> {
    const { pool, messagesMs = 14 * DAY_MS, eventsMs = 14 * DAY_MS, auditMs = 90 * DAY_MS } = this.#options
    const messages = await this.#deleteOlder(DELETE_MESSAGES, messagesMs)
    const events = await this.#deleteOlder(DELETE_EVENTS, eventsMs)
    await this.#deleteOlder(DELETE_CONNECTIONS, eventsMs)
    await this.#deleteOlder(DELETE_SUCCESSES, eventsMs)
    await this.#deleteOlder(DELETE_ENDED_SCHEDULES, messagesMs)
    for (const statement of DELETE_CHATWOOT) await this.#deleteOlder(statement, messagesMs)
    await this.#deleteOlder(DELETE_AGENT_CALLS, messagesMs)
    await this.#deleteOlder(DELETE_TURNS, messagesMs)
    await this.#deleteOlder(DELETE_STATUS_POSTS, messagesMs)
    await this.#deleteOlder(DELETE_CHANNEL_POSTS, messagesMs)
    for (const statement of DELETE_GROUP_RECEIPTS) await this.#deleteOlder(statement, messagesMs)
    await this.#deleteOlder(DELETE_AUDIT, auditMs)
    await this.#deleteOlder(DELETE_BULK_JOBS, auditMs)
    if (!this.#signal.aborted) await purgeDeletedInstances(pool)
    if (!this.#signal.aborted) await purgeImports(pool)
    if (!this.#signal.aborted) await purgeContacts(pool, { batchRows: this.#batchRows, signal: this.#signal })
    for (const statement of DELETE_WITHOUT_AGE) await this.#deleteInBatches(statement, [])
    await this.#forgetKeys()
    return { messages, events }
  }

  async #deleteOlder(statement: string, keepMs: number): Promise<number> {
    if (keepMs === Number.POSITIVE_INFINITY) return 0
    return await this.#deleteInBatches(statement, [keepMs])
  }

  async #deleteInBatches(statement: string, values: readonly unknown[]): Promise<number> {
    let deleted = 0
    while (!this.#signal.aborted) {
      const { rowCount } = await this.#options.pool.query(statement, [...values, this.#batchRows])
      deleted += rowCount ?? 0
      if ((rowCount ?? 0) < this.#batchRows) break
    }
    return deleted
  }

  async #forgetKeys(): Promise<void> {
    for (let [instance, key] = ['', '']; !this.#signal.aborted; ) {
      const values = [instance, key, this.#batchRows]
      const { rows } = await this.#options.pool.query<{ instance_id: string; idempotency_key: string }>(
        FORGET_KEYS,
        values,
      )
      const last = rows.at(-1)
      if (last === undefined || rows.length < this.#batchRows) return
      instance = last.instance_id
      key = last.idempotency_key
    }
  }
}

interface ContactRetentionOptions {
  readonly batchRows: number
  readonly signal: AbortSignal
}

/** Days for which a person is kept after the last message of a campaign. Rules look back 365 days at most. */
const KEPT_DAYS = 366
/** Batches of one round. The next round goes on behind them, so that a round costs the same however many people there are. */
const BATCHES_MAX = 100
const CURSOR = 'campaign_contact'

const READ_CURSOR = 'SELECT value FROM meta WHERE key = $1'
const WRITE_CURSOR = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value'
const IS_OLD = `last_at < now() - interval '${KEPT_DAYS} days'`
// Reads a page of the key, whether something in it is old or not: an index of the time would be written with each send of a campaign. A person
// who gets a message meanwhile is not old.
// $1 instance and $2 address after which the page begins   $3 rows
const DELETE_PAGE = `
  WITH page AS (
    SELECT ctid, instance_id, address, ${IS_OLD} AS is_old FROM campaign_contact
    WHERE (instance_id, address) > ($1, $2) ORDER BY instance_id, address LIMIT $3
  ), gone AS (
    DELETE FROM campaign_contact WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM campaign_contact WHERE ctid = ANY(ARRAY(SELECT ctid FROM page WHERE is_old)) AND ${IS_OLD} FOR UPDATE SKIP LOCKED))
  )
  SELECT instance_id AS instance, address FROM page ORDER BY instance_id, address`

/** Deletes people who got no message of a campaign for a year, in batches by PostgreSQL's clock. Call it on one node at a time. */
async function purgeContacts(pool: pg.Pool, { batchRows, signal }: ContactRetentionOptions): Promise<void> {
  const { rows: stored } = await pool.query<{ value: string }>(READ_CURSOR, [CURSOR])
  let after = readCursor(stored[0]?.value)
  for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
    const { rows } = await pool.query<{ instance: string; address: string }>(DELETE_PAGE, [...after, batchRows])
    const last = rows.at(-1)
    const isEnd = last === undefined || rows.length < batchRows
    after = isEnd ? ['', ''] : [last.instance, last.address]
    if (isEnd) break
  }
  await pool.query(WRITE_CURSOR, [CURSOR, JSON.stringify(after)])
}

function readCursor(value: string | undefined): [instance: string, address: string] {
  if (value === undefined) return ['', '']
  // Ours: a cursor of ours.
  const [instance = '', address = ''] = JSON.parse(value) as string[]
  return [instance, address]
}
