/** Changes of many instances, as the API starts, shows and cancels them, on any node. `bulk-work.ts` has the side of the node that runs them. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceFilter } from '../../schemas/generated.js'
import type {
  BulkChange,
  BulkJobRow,
  BulkJobs,
  BulkSelection,
  BulkStart,
  BulkTarget,
} from '../../schemas/ports/bulk-jobs.js'
import { textArray } from './arrays.js'
import { cleanChange, createBulkSelection, type SelectedInstances } from './bulk-selection.js'
import { requestJob } from './cluster-jobs.js'
import { inTransaction } from './in-transaction.js'

// Bound: 16,384, 5,000 values, a change of many instances.

export interface BulkJobsOptions {
  readonly pool: pg.Pool
  /** Maximum time of the search for the instances. */
  readonly searchTimeoutMs: number
  /** Called when a job was stored: a node shall run it now. */
  readonly onStarted: () => void
}

export interface StoredJob {
  readonly id: string
  readonly position: number
  readonly action: BulkJobRow['action']
  readonly tags: string
  readonly filter: string | null
  readonly digest: string
  readonly per_minute: number
  readonly state: BulkJobRow['state']
  readonly count: number
  readonly begun: number
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly actor: string
  readonly node: string
  readonly created: Date
  readonly started: Date | null
  readonly ended: Date | null
}

/** Job of the cluster that runs them. */
export const BULK_JOBS = 'bulk-jobs'
/** Maximum of running jobs. */
const RUNNING_MAX = 5

/** Columns of `StoredJob`, of the job `j`. */
export const JOB_COLUMNS = `
  j.id, j.position, j.action, j.tags, j.filter, j.digest, j.per_minute, j.state, j.count, j.done, j.skipped, j.failed, j.actor, j.node,
  j.created, j.started, j.ended,
  (SELECT count(*)::int FROM bulk_target AS t WHERE t.job_id = j.id AND t.state = 'begun') AS begun`
// One at a time, so that many at once do not make too many. 'bulk' in ASCII.
const LOCK = `SELECT pg_advisory_xact_lock(${0x62756c6b})`
// $1 digest
const FIND_RUNNING = `
  SELECT (SELECT id FROM bulk_job WHERE state = 'running' AND digest = $1 LIMIT 1) AS same,
    (SELECT count(*)::int FROM bulk_job WHERE state = 'running') AS running`
// A job for no instances is done at once.
// $1 id   $2 action   $3 tags   $4 filter   $5 digest   $6 a minute   $7 count   $8 actor   $9 pass
const INSERT = `
  INSERT INTO bulk_job (id, action, tags, filter, digest, per_minute, count, actor, pass, state, ended)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $7 = 0 THEN 'done' ELSE 'running' END,
    CASE WHEN $7 = 0 THEN clock_timestamp() END)`
// $1 job   $2 instances
const INSERT_TARGETS = `
  INSERT INTO bulk_target (job_id, position, target)
  SELECT $1, position, target FROM unnest($2::text[]) WITH ORDINALITY AS t (target, position)`
// $1 id
const FIND = `SELECT ${JOB_COLUMNS} FROM bulk_job AS j WHERE j.id = $1`
// $1 limit   $2 position before which they are
const LIST = `SELECT ${JOB_COLUMNS} FROM bulk_job AS j WHERE $2::bigint IS NULL OR j.position < $2 ORDER BY j.position DESC LIMIT $1`
// $1 job   $2 position after which they are   $3 outcome   $4 limit
const TARGETS = `
  SELECT position, target AS instance, state AS outcome, code, reason, attempts, ended FROM bulk_target
  WHERE job_id = $1 AND position > $2 AND ($3::text IS NULL OR state = $3) ORDER BY position LIMIT $4`
// $1 id
const CANCEL = `UPDATE bulk_job SET state = 'cancelled', ended = clock_timestamp() WHERE id = $1 AND state = 'running'`

export function createBulkJobs({ pool, searchTimeoutMs, onStarted }: BulkJobsOptions): BulkJobs {
  const select = createBulkSelection(pool, searchTimeoutMs)
  return {
    async preview(change, selection) {
      const { all: _, ...preview } = await select(cleanChange(change), selection)
      return preview
    },

    async start(given, selection, start) {
      const change = cleanChange(given)
      const found = await select(change, selection)
      if (start.digest !== null && start.digest !== found.digest) throw new GatewayError('SELECTION_CHANGED')
      const job = await inTransaction(pool, (client) => insertJob(client, change, selection, found, start))
      onStarted()
      const { all: _, ...preview } = found
      return { ...preview, job }
    },

    async list(limit, before) {
      return (await pool.query<StoredJob>(LIST, [limit, before ?? null])).rows.map(toJob)
    },

    find: (id) => findJob(pool, id),

    async targets(id, { limit, after = 0, outcome }) {
      const values = [clean(id), Math.min(after, 2 ** 31 - 1), outcome ?? null, limit]
      return (await pool.query<BulkTarget>(TARGETS, values)).rows
    },

    async cancel(id) {
      return await inTransaction(pool, async (client) => {
        await client.query(CANCEL, [clean(id)])
        return await findJob(client, id)
      })
    },
  }
}

/** Returns the new job, or the running one of the same digest. @throws GatewayError TOO_MANY_JOBS */
async function insertJob(
  client: pg.PoolClient,
  { action, add, remove }: BulkChange,
  { filter }: BulkSelection,
  { all, digest }: SelectedInstances,
  { perMinute, actor, pass }: BulkStart,
): Promise<BulkJobRow> {
  await client.query(LOCK)
  const [known] = (await client.query<{ same: string | null; running: number }>(FIND_RUNNING, [digest])).rows
  if (typeof known?.same === 'string') return await findJob(client, known.same)
  if ((known?.running ?? 0) >= RUNNING_MAX) throw new GatewayError('TOO_MANY_JOBS')
  const id = `b${randomBytes(6).toString('hex')}`
  const what = [action, JSON.stringify({ add, remove }), filter === undefined ? null : JSON.stringify(filter)]
  await client.query(INSERT, [id, ...what, digest, perMinute, all.length, actor, pass])
  await client.query(INSERT_TARGETS, [id, textArray(all)])
  await requestJob(client, BULK_JOBS)
  return await findJob(client, id)
}

/** @throws GatewayError JOB_NOT_FOUND */
async function findJob(client: pg.ClientBase | pg.Pool, id: string): Promise<BulkJobRow> {
  const [row] = (await client.query<StoredJob>(FIND, [clean(id)])).rows
  if (row === undefined) throw new GatewayError('JOB_NOT_FOUND')
  return toJob(row)
}

export function toJob({ tags, filter, per_minute: perMinute, ...row }: StoredJob): BulkJobRow {
  const { add, remove } = JSON.parse(tags) as Pick<BulkChange, 'add' | 'remove'>
  return { ...row, add, remove, perMinute, filter: filter === null ? null : (JSON.parse(filter) as InstanceFilter) }
}

/** Removes NUL, which PostgreSQL refuses in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '')
}
