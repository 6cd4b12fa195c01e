/**
 * Finds out how a transaction ended whose COMMIT was sent and not answered.
 * PostgreSQL remembers by the id of the transaction. The answer counts only where the id still means the same transaction:
 * another cluster has ids of its own, a promoted standby gives out again those that had not reached it, and a server that crashed
 * gives out again those of which nothing had reached its disk.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type CommitOutcome = 'committed' | 'aborted' | 'unknown'

/** The server in which an id of a transaction has its meaning. */
export interface ServerIdentity {
  /** The system identifier and the timeline of the log; null where PostgreSQL does not say them. */
  readonly cluster: string | null
  /** Changes with each recovery from a crash: that is when PostgreSQL throws its statistics away. */
  readonly recovered: string | null
  /** True behind a pooler: the server may have recovered since this was read, without an end of our connection. */
  readonly mayBeOld?: boolean
}

export interface TransactionId {
  readonly xid: string
  readonly server: ServerIdentity
}

/** The COMMIT of a transaction was sent and not answered; `cause` says why. */
export class UnansweredCommit extends Error {
  readonly xid: string

  constructor(xid: string, cause: unknown) {
    super('The commit was not answered.', { cause })
    this.name = 'UnansweredCommit'
    this.xid = xid
  }
}

interface Queries {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

// A server in recovery does not say its timeline.
const IDENTITY = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || ' '
    || CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS cluster,
    pg_stat_get_bgwriter_stat_reset_time()::text AS recovered`

// $1 the id of the transaction
const STATUS = 'SELECT pg_xact_status($1::xid8) AS status'

// A backend that waits for more of a transaction whose client is gone: nothing will come, and its end makes the outcome known. One
// that is at its COMMIT is let finish.
// $1 the lower half of the id, as `pg_stat_activity` has it
const END_WAITING = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE backend_xid = $1::xid AND state IN ('idle in transaction', 'idle in transaction (aborted)')`

/** PostgreSQL says so of an id that it has not given out yet. */
const INVALID_PARAMETER = '22023'

const FIRST_PAUSE_MS = 20
const PAUSE_MAX_MS = 500
/** A commit that is on its way to the server arrives well before. */
const END_WAITING_AFTER_MS = 500

/** Never rejects: a server that does not say who it is cannot be asked later. Not within a transaction: a failure would end it. */
export async function readIdentity(client: Queries): Promise<ServerIdentity> {
  try {
    const [row] = (await client.query(IDENTITY)).rows
    return { cluster: (row?.cluster ?? null) as string | null, recovered: (row?.recovered ?? null) as string | null }
  } catch {
    return { cluster: null, recovered: null }
  }
}

const CONNECT_TIMEOUT_MS = 5_000

/** Returns the time after which an outcome is unknown: two tries to connect, so that PostgreSQL may restart meanwhile. */
function askWithinMs({ connectionTimeoutMillis }: pg.ClientConfig): number {
  return 2 * (connectionTimeoutMillis || CONNECT_TIMEOUT_MS)
}

export interface AskOptions {
  /** The node is ending: a server that is away is not waited for. */
  readonly isEnding?: () => boolean
  /** The server did not answer a first time. */
  readonly onAway?: (error: unknown) => void
}

/** Asks on connections of its own, again until PostgreSQL answers or the time is over. */
export async function askOutcome(
  config: pg.ClientConfig,
  transaction: TransactionId,
  { isEnding = () => false, onAway = () => {} }: AskOptions = {},
): Promise<CommitOutcome> {
  if (transaction.server.cluster === null) return 'unknown'
  const withinMs = askWithinMs(config)
  const startedMs = performance.now()
  const leftMs = () => withinMs - (performance.now() - startedMs)
  for (let waitMs = FIRST_PAUSE_MS; leftMs() > 0; waitMs = Math.min(2 * waitMs, PAUSE_MAX_MS)) {
    try {
      const isLate = performance.now() - startedMs > END_WAITING_AFTER_MS
      const answer = await askOnce(config, transaction, { timeoutMs: Math.max(100, leftMs()), isLate })
      if (answer !== 'in progress') return answer
    } catch (error) {
      onAway(error)
      if (isEnding()) return 'unknown'
    }
    await pause(Math.max(0, Math.min(waitMs, leftMs())))
  }
  return 'unknown'
}

async function askOnce(
  config: pg.ClientConfig,
  { xid, server }: TransactionId,
  { timeoutMs, isLate }: { timeoutMs: number; isLate: boolean },
): Promise<CommitOutcome | 'in progress'> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: Math.min(timeoutMs, config.connectionTimeoutMillis || timeoutMs),
    query_timeout: timeoutMs,
    application_name: 'posthorn outcome',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const present = await readIdentity(client)
    // A standby, which may be promoted yet.
    if (present.cluster === null) return 'in progress'
    if (present.cluster !== server.cluster) return 'unknown'
    const isSameLife = present.recovered === server.recovered
    const status = await readStatus(client, xid)
    // Of an id that was given out again, a transaction of ours had not reached the disk: only that it was committed may be another's doing.
    if (status === 'committed') return isSameLife ? 'committed' : 'unknown'
    if (status === 'aborted') return 'aborted'
    if (status === null) return 'unknown'
    if (!isSameLife && !server.mayBeOld) return 'aborted'
    if (isLate) await client.query(END_WAITING, [String(BigInt(xid) & 0xffff_ffffn)])
    return 'in progress'
  } finally {
    client.end().catch(() => {})
  }
}

/** Null: it was so long ago that PostgreSQL has forgotten it. */
async function readStatus(client: pg.Client, xid: string): Promise<string | null> {
  try {
    return (await client.query<{ status: string | null }>(STATUS, [xid])).rows[0]?.status ?? null
  } catch (error) {
    // Not given out: after a crash that lost all of it.
    if ((error as { code?: string }).code === INVALID_PARAMETER) return 'aborted'
    throw error
  }
}
