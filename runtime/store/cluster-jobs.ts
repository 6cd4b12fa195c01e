/** When each job of the cluster is due, by PostgreSQL's clock, and the lock under which it runs on one node at a time. */
import type pg from 'pg'
import type { ClusterJobStore, JobOutcome, JobPlan, JobState } from '../queues/processor.js'
import type { SessionLocks } from './session-locks.js'

/** First key of the advisory locks of jobs: 'jobs' in ASCII. The second is a hash of the name. */
const LOCK_CLASS = 0x6a6f6273
/** Maximum time from a claim to the next run, if the node that claimed dies. While a run goes on, its lock keeps others away. */
const CLAIMED_MAX_MS = 10 * 60_000

// The first run comes after part of the time between two, so that kinds of one age do not run together.
// $1 names   $2 times between two runs, ms; null: only on request
const INSERT = `
  INSERT INTO cluster_job (name, due)
  SELECT name, CASE WHEN every IS NULL THEN 'infinity' ELSE clock_timestamp() + every * random() * interval '1 millisecond' END
  FROM unnest($1::text[], $2::bigint[]) AS job (name, every)
  ON CONFLICT DO NOTHING`
// A due time too far ahead is of a clock that was set back.
const IS_DUE = `(due <= clock_timestamp() OR due <> 'infinity' AND due > clock_timestamp() + 2 * every * interval '1 millisecond')`
/** The due time as a text that is the same in all sessions. */
const DUE_ID = 'extract(epoch FROM due)::text'
// $1 names   $2 times between two runs
const READ = `
  SELECT name, ${IS_DUE} AS "isDue", result,
    CASE WHEN ${IS_DUE} THEN greatest(0, extract(epoch FROM clock_timestamp() - due) * 1000)::float8 ELSE 0 END AS "overdueMs",
    ${DUE_ID} AS due
  FROM cluster_job JOIN unnest($1::text[], $2::bigint[]) AS job (name, every) USING (name)`
// $1 name   $2 time between two runs   $3 node   $4 time to the next run if this one does not end
const CLAIM = `
  UPDATE cluster_job SET due = clock_timestamp() + $4::bigint * interval '1 millisecond', started = clock_timestamp(), ended = NULL, node = $3
  FROM (SELECT $2::bigint AS every) AS job
  WHERE name = $1 AND ${IS_DUE} RETURNING ${DUE_ID} AS due`
// $1 name   $2 ms to the next claim   $3 node
const RENEW = `
  WITH former AS (SELECT name, ${DUE_ID} AS former FROM cluster_job WHERE name = $1 AND node = $3 FOR UPDATE)
  UPDATE cluster_job AS j SET due = clock_timestamp() + $2::bigint * interval '1 millisecond'
  FROM former WHERE j.name = former.name RETURNING former, ${DUE_ID} AS due`
// A request that came during the run has moved the due time, and stays. A node that lost its lock changes no claim of another.
// $1 name   $2 due time of the claim   $3 ms to the next run, or null   $4 failure   $5 result   $6 node
const FINISH = `
  UPDATE cluster_job SET ended = clock_timestamp(), failure = $4, result = coalesce($5::jsonb, result),
    due = CASE WHEN ${DUE_ID} <> $2 THEN due WHEN $3::bigint IS NULL THEN 'infinity' ELSE clock_timestamp() + $3::bigint * interval '1 millisecond' END
  WHERE name = $1 AND node = $6 RETURNING due <= clock_timestamp() AS "isDue"`
// $1 name   $2 minimum time since the last run began, ms
const REQUEST = `
  INSERT INTO cluster_job AS j (name, due) VALUES ($1, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET due =
    least(j.due, greatest(clock_timestamp(), coalesce(j.started, '-infinity') + $2::bigint * interval '1 millisecond'))`

/** Makes a job due now. For transactions that write what the job shall find. */
export async function requestJob(client: pg.ClientBase | pg.Pool, name: string, minGapMs = 0): Promise<void> {
  await client.query(REQUEST, [name, minGapMs])
}

export interface ClusterJobStoreOptions {
  readonly pool: pg.Pool
  readonly locks: SessionLocks
  /** Name of this node. */
  readonly node: string
}

export function createClusterJobStore({ pool, locks, node }: ClusterJobStoreOptions): ClusterJobStore {
  const toColumns = (plans: readonly JobPlan[]) => [
    plans.map(({ name }) => name),
    plans.map(({ everyMs }) => (everyMs === null ? null : Math.trunc(everyMs))),
  ]
  return {
    async read(plans) {
      const { rows } = await pool.query<JobState>(READ, toColumns(plans))
      if (rows.length === plans.length) return rows
      await pool.query(INSERT, toColumns(plans))
      return (await pool.query<JobState>(READ, toColumns(plans))).rows
    },
    request: (name, minGapMs = 0) => requestJob(pool, name, minGapMs),
    async runAlone(plan, work) {
      const lock = await locks.tryLock({ key: `${LOCK_CLASS}, hashtext($1)`, values: [plan.name] })
      if (lock === null) return null
      try {
        return await runLocked({ pool, node, plan }, lock.lost, work)
      } finally {
        await lock.release()
      }
    },
  }
}

interface Run {
  readonly pool: pg.Pool
  readonly node: string
  readonly plan: JobPlan
}

/** Runs a job whose lock this node has, unless it is not due. */
async function runLocked(
  run: Run,
  lost: AbortSignal,
  work: (lost: AbortSignal) => Promise<JobOutcome>,
): Promise<JobOutcome | null> {
  const { pool, node, plan } = run
  const { name, everyMs, claimMs = Math.min(everyMs ?? CLAIMED_MAX_MS, CLAIMED_MAX_MS) } = plan
  const claimed = await pool.query<{ due: string }>(CLAIM, [name, everyMs, node, claimMs])
  const due = claimed.rows[0]?.due
  if (due === undefined) return null
  const claim = keepClaim(run, lost, due)
  const outcome = await work(lost).finally(claim.end)
  const { nextMs: wantedMs, failure = null, result } = outcome
  const nextMs = claim.isRequested() ? 0 : wantedMs
  const finished = await pool.query<{ isDue: boolean }>(FINISH, [
    name,
    claim.due(),
    nextMs === null ? null : Math.trunc(nextMs),
    failure,
    result === undefined ? null : JSON.stringify(result),
    node,
  ])
  return finished.rows[0]?.isDue === true ? { ...outcome, nextMs: 0 } : outcome
}

interface KeptClaim {
  /** The due time of the claim. */
  due(): string
  /** Returns true when the job was requested since the claim. */
  isRequested(): boolean
  end(): Promise<void>
}

/** Renews the claim while the job runs, if its plan says so. */
function keepClaim({ pool, node, plan: { name, claimMs } }: Run, lost: AbortSignal, claimed: string): KeptClaim {
  let due = claimed
  let isRequested = false
  let renewal = Promise.resolve()
  const renew = async (): Promise<void> => {
    if (lost.aborted) return
    const { rows } = await pool.query<{ former: string; due: string }>(RENEW, [name, claimMs, node])
    isRequested ||= rows[0]?.former !== due
    due = rows[0]?.due ?? due
  }
  const timer =
    claimMs === undefined
      ? undefined
      : setInterval(() => {
          // The next one renews it as well: a claim is renewed three times before it ends.
          renewal = renewal.then(renew).catch(() => {})
        }, claimMs / 3)
  return {
    due: () => due,
    isRequested: () => isRequested,
    end() {
      clearInterval(timer)
      return renewal
    },
  }
}
