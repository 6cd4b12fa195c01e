/**
 * Changes of many instances, as the node that runs them reads and writes them. Each instance is claimed before it is changed, and its outcome is
 * written after it, so that a node that takes over knows which changes may have been made.
 */
import type pg from 'pg'
import type { InstanceId } from '../../schemas/ids.js'
import type { BulkAction, BulkJobRow } from '../../schemas/ports/bulk-jobs.js'
import type { BulkFacts, BulkResult, BulkWork, ClaimedTarget } from '../queues/bulk-ports.js'
import { JOB_COLUMNS, type StoredJob, toJob } from './bulk-jobs.js'
import { inTransaction } from './in-transaction.js'
import { IS_PAIRED, instanceCondition } from './instance-filter.js'
import { INSTANCE_TABLES } from './instance-rows.js'

// Bound: 1,000, the targets that are claimed at once.

const REASON_MAX = 1_000

// $1 run   $2 node
const ADOPT = `
  UPDATE bulk_job AS j SET runner = $1, node = $2, started = COALESCE(j.started, clock_timestamp())
  WHERE j.state = 'running' AND j.runner IS DISTINCT FROM $1 RETURNING ${JOB_COLUMNS}`
// Puts back changes that a former run has begun, so that they are repeated.
// $1 jobs
const RETURN_BEGUN = `UPDATE bulk_target SET state = 'waiting', due = NULL WHERE job_id = ANY($1::text[]) AND state = 'begun'`
// Fails those of cancelled jobs instead.
// $1 run   $2 reason
const FAIL_LEFT = `
  WITH lost AS (
    UPDATE bulk_target AS t SET state = 'failed', code = 'OUTCOME_UNKNOWN', reason = $2, ended = clock_timestamp()
    FROM bulk_job AS j WHERE j.id = t.job_id AND j.state = 'cancelled' AND j.runner IS DISTINCT FROM $1 AND t.state = 'begun'
    RETURNING t.job_id)
  UPDATE bulk_job AS j SET failed = j.failed + lost.count
  FROM (SELECT job_id, count(*)::int AS count FROM lost GROUP BY 1) AS lost WHERE j.id = lost.job_id`
// The lock on the job waits for a cancellation that is under way. A row that another run holds is left to it.
// $1 job   $2 run   $3 limit
const CLAIM = `
  WITH job AS (SELECT id FROM bulk_job WHERE id = $1 AND runner = $2 AND state = 'running' FOR SHARE),
  next AS (
    SELECT t.position FROM bulk_target AS t
    WHERE t.job_id = (SELECT id FROM job) AND t.state = 'waiting' AND (t.due IS NULL OR t.due <= clock_timestamp())
    ORDER BY t.position LIMIT $3 FOR UPDATE SKIP LOCKED)
  UPDATE bulk_target AS t SET state = 'begun', attempts = t.attempts + 1, begun = COALESCE(t.begun, clock_timestamp())
  FROM next WHERE t.job_id = $1 AND t.position = next.position
  RETURNING t.position, t.target AS instance, t.attempts, t.begun::text AS begun`
// $1 job   $2 run
const IS_OURS = `SELECT FROM bulk_job WHERE id = $1 AND runner = $2 AND state = 'running'`
// $1 job   $2 position   $3 outcome   $4 code   $5 reason   $6 whether it goes into the audit log   $7 status
const SETTLE = `
  WITH target AS (
    UPDATE bulk_target SET state = $3, code = $4, reason = $5, ended = clock_timestamp()
    WHERE job_id = $1 AND position = $2 AND state = 'begun' RETURNING target),
  job AS (
    UPDATE bulk_job AS j SET done = done + ($3 = 'done')::int, skipped = skipped + ($3 = 'skipped')::int, failed = failed + ($3 = 'failed')::int,
      state = CASE WHEN state = 'running' AND done + skipped + failed + 1 = count THEN 'done' ELSE state END,
      ended = CASE WHEN state = 'running' AND done + skipped + failed + 1 = count THEN clock_timestamp() ELSE ended END
    FROM target WHERE j.id = $1 RETURNING j.id, j.actor, j.pass, j.node, target.target)
  INSERT INTO audit (actor_kind, actor, address, method, route, operation, subject, request_id, node, status, code, pass)
  SELECT 'admin', actor, '', 'POST', '/admin/instances/bulk', 'changeInstances', target, id, node, $7, $4, pass FROM job WHERE $6`
// $1 job   $2 position   $3 milliseconds   $4 code   $5 reason
const RETRY = `
  UPDATE bulk_target SET state = 'waiting', due = clock_timestamp() + $3::bigint * interval '1 millisecond', code = $4, reason = $5,
    ended = clock_timestamp()
  WHERE job_id = $1 AND position = $2 AND state = 'begun'`

/** Changes that each have a line in the audit log, as those of a single instance. */
const AUDITED: ReadonlySet<BulkAction> = new Set(['delete', 'disconnect', 'start', 'stop'])

const LOST_REASON =
  'The job was cancelled, and its node ended in the middle of the change: it may or may not have happened.'

/** `run`: random, of this run of the job. `node`: NODE_ID. */
export function createBulkWork(pool: pg.Pool, run: string, node: string): BulkWork {
  return {
    async failLeft() {
      await pool.query(FAIL_LEFT, [run, LOST_REASON])
    },

    async adopt() {
      return await inTransaction(pool, async (client) => {
        const { rows } = await client.query<StoredJob>(ADOPT, [run, node])
        if (rows.length > 0) await client.query(RETURN_BEGUN, [rows.map(({ id }) => id)])
        return rows.map(toJob)
      })
    },

    async claim(job, limit) {
      const { rows } = await pool.query<ClaimedTarget>(CLAIM, [job, run, limit])
      return rows.toSorted((one, other) => one.position - other.position)
    },

    async isOurs(job) {
      return (await pool.query(IS_OURS, [job, run])).rowCount === 1
    },

    facts: (job, targets) => readFacts(pool, job, targets),

    async settle({ id, action }, position, result) {
      const { outcome, code, reason } = result
      const isAudited = outcome !== 'skipped' && AUDITED.has(action)
      const values = [id, position, outcome, code, cut(reason), isAudited, findStatus(result)]
      await pool.query(SETTLE, values)
    },

    async retry(job, position, afterMs, { code, reason }) {
      await pool.query(RETRY, [job, position, afterMs, code, cut(reason)])
    },
  }
}

/**
 * Reads what decides about the changes of some instances. An instance that was begun before is not asked whether it fits the filter: the change
 * itself may have moved it out.
 */
async function readFacts(
  pool: pg.Pool,
  { action, filter }: BulkJobRow,
  targets: readonly ClaimedTarget[],
): Promise<ReadonlyMap<InstanceId, BulkFacts>> {
  const again = targets.map(({ attempts, begun }) => (attempts > 1 ? begun : null))
  const values: unknown[] = [targets.map(({ instance }) => instance), again, action === 'disconnect']
  const condition = filter === null ? 'true' : instanceCondition(filter, values)
  const { rows } = await pool.query<BulkFacts & { readonly id: InstanceId }>(
    `SELECT i.id, ${IS_PAIRED} AS "isPaired", i.exported_at IS NOT NULL AS "isExported", COALESCE((${condition}), false) AS fits,
       again.begun IS NOT NULL AND EXISTS (
         SELECT FROM connection_history AS h WHERE h.instance_id = i.id AND h.at > again.begun AND (NOT $3::bool OR h.cause = 'asked')
       ) AS "isChanged"
     FROM ${INSTANCE_TABLES} JOIN unnest($1::text[], $2::timestamptz[]) AS again (id, begun) ON again.id = i.id`,
    values,
  )
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

function findStatus({ outcome, status }: BulkResult): number {
  return outcome === 'done' ? 200 : (status ?? 500)
}

function cut(text: string): string {
  return text.replaceAll('\0', '').slice(0, REASON_MAX)
}
