/** The identity of the store and its position in time, as each reading of the table of shards finds them. */
import type { StoreLossView } from '../../schemas/ports/cluster.js'
import type { LastCommit } from '../store/journal.js'
import type { Incarnation } from './ownership/protocol.js'

/** How the store went back: to a copy that had not got the last commits, or to an older copy of itself. */
export type StoreLossCause = StoreLossView['cause']

export interface StoreReading {
  /** System identifier of PostgreSQL's data; null where PostgreSQL does not say it. */
  readonly system: string | null
  /** Timeline of its write-ahead log in hexadecimal digits; null as `system`, and for a standby. */
  readonly timeline: string | null
  readonly isStandby: boolean
  /** When this server started: the same data for as long as that is the same. */
  readonly started: string
  /** Durable position in the write-ahead log, in bytes. */
  readonly position: number
  /** Id of the next transaction. */
  readonly nextXid: number
  /** Grows with each change of nodes or owners. */
  readonly counter: number
  readonly era: number
  /** By PostgreSQL's clock. */
  readonly nowMs: number
  readonly loss: StoreLossView | null
}

export interface EraStart {
  /** The era of the table that was read. Nothing is done when another node was first. */
  readonly over: number
  readonly era: number
  /** The highest counter and epoch that were seen. */
  readonly counter: number
  readonly epoch: number
  readonly cause: StoreLossCause
  readonly noticedBy: string
  readonly from: Date | null
  readonly until: Date | null
}

/** Statements about the store's own past. They throw the errors of the database and of the connection. */
export interface StoreHistory {
  /** Tells whether the commit is in the store. False as well when that cannot be told. */
  hasCommit(commit: LastCommit, owner: Incarnation): Promise<boolean>
  /** Begins an era: all shards lose their owners, and get epochs above all that were seen. */
  beginEra(start: EraStart): Promise<void>
  /** Returns the time of the newest change of nodes or owners. */
  newestChange(): Promise<Date | null>
}

/**
 * Epochs that the lost commits may have given out, and of which no node that is left knows. One shard does not change its owner so often
 * between two readings of the table.
 */
const UNSEEN_EPOCHS = 1_000

// `pg_walfile_name` is the only function for everybody that has the timeline before the first checkpoint of a new primary.
const POSITION = `
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline,
  CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_flush_lsn() - '0/0')::text END AS position`
const NO_POSITION = 'NULL::text AS system, NULL::text AS timeline, NULL::text AS position'

const HISTORY = `
  pg_is_in_recovery() AS "isStandby", pg_postmaster_start_time()::text AS started, pg_snapshot_xmax(pg_current_snapshot())::text AS "nextXid",
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs",
  (SELECT json_build_object('counter', counter, 'era', era, 'eraBegan', era_began, 'cause', cause, 'noticedBy', noticed_by,
    'lostFrom', lost_from, 'lostUntil', lost_until) FROM store_history) AS history`

/** Columns of a reading. `isSilent`: this PostgreSQL does not say its position. */
export function storeColumns(isSilent: boolean): string {
  return `${isSilent ? NO_POSITION : POSITION}, ${HISTORY}`
}

/** Managed servers may keep these functions from their users: insufficient privilege, not supported, undefined function. */
export function hidesPosition(error: unknown): boolean {
  return ['42501', '0A000', '42883'].includes((error as { code?: string }).code ?? '')
}

export interface StoreColumns {
  readonly system: string | null
  readonly timeline: string | null
  readonly position: string | null
  readonly isStandby: boolean
  readonly started: string
  readonly nextXid: string
  readonly nowMs: number
  readonly history: {
    readonly counter: number
    readonly era: number
    readonly eraBegan: string | null
    readonly cause: string
    readonly noticedBy: string
    readonly lostFrom: string | null
    readonly lostUntil: string | null
  } | null
}

export function toReading(row: StoreColumns): StoreReading {
  const { history } = row
  return {
    system: row.system,
    timeline: row.timeline,
    isStandby: row.isStandby,
    started: row.started,
    position: Number(row.position ?? 0),
    nextXid: Number(row.nextXid),
    nowMs: row.nowMs,
    counter: history?.counter ?? 0,
    era: history?.era ?? 1,
    loss: history?.eraBegan == null ? null : readLoss(history, history.eraBegan),
  }
}

function readLoss(history: NonNullable<StoreColumns['history']>, began: string): StoreLossView {
  return {
    era: history.era,
    cause: history.cause as StoreLossCause,
    noticedAt: new Date(began),
    noticedBy: history.noticedBy,
    from: toDate(history.lostFrom),
    until: toDate(history.lostUntil),
  }
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

// A commit of the journal locks the rows of its shards, and PostgreSQL writes the id of the last locker into the row, and into the log. The
// owner alone locks them, one commit after the other: a later id says that the commit was over, an earlier one that it is gone. A change of
// the epoch has waited for the commit. Where two have locked at once, the number of the pair is mostly lower: then it counts as gone.
// $1 shard   $2 epoch   $3 owner   $4 the lower half of the transaction's id; these ids begin again at 2^32
export const HAS_COMMIT = `
  SELECT EXISTS (SELECT FROM shard_owner WHERE shard = $1 AND (epoch > $2 OR (epoch = $2 AND owner = $3 AND xmax <> 0::text::xid
    AND (xmax::text::bigint - $4::bigint + 4294967296) % 4294967296 < 2147483648))) AS "isThere"`

export const NEWEST_CHANGE = `
  SELECT greatest((SELECT max(updated) FROM shard_owner), (SELECT max(registered) FROM node)) AS at`

/** In the order in which claims lock: the shards first. */
export const LOCK_SHARDS = 'SELECT FROM shard_owner ORDER BY shard FOR UPDATE'
// $1 the era that is over   $2 the new one   $3 counter   $4 cause   $5 node id   $6 from   $7 until
export const BEGIN_ERA = `
  UPDATE store_history SET era = $2, counter = greatest(counter, $3::bigint) + 1, era_began = now(), cause = $4, noticed_by = $5,
    lost_from = $6, lost_until = $7
  WHERE era = $1 RETURNING era`
// $1 the highest epoch that was seen
export const FREE_SHARDS = `
  UPDATE shard_owner SET owner = NULL, epoch = greatest(epoch, $1::bigint) + ${UNSEEN_EPOCHS}, updated = now()`
