/** The things that the runner of bulk jobs needs. Types only. */
import type { InstanceId } from '../../schemas/ids.js'
import type { BulkJobRow } from '../../schemas/ports/bulk-jobs.js'

/** An instance whose turn has come. */
export interface ClaimedTarget {
  readonly position: number
  readonly instance: InstanceId
  /** Number of attempts, this one included. */
  readonly attempts: number
  /** Time of the first attempt by PostgreSQL's clock, as text. */
  readonly begun: string
}

/** The state of an instance just before its change. */
export interface BulkFacts {
  readonly isPaired: boolean
  readonly isExported: boolean
  /** It fits the filter of the job. */
  readonly fits: boolean
  /** Its connection has changed as the job wants since a former attempt was begun. */
  readonly isChanged: boolean
}

export interface BulkResult {
  readonly outcome: 'done' | 'skipped' | 'failed'
  /** Error code; empty when there is none. */
  readonly code: string
  readonly reason: string
  /** Status of the error. */
  readonly status?: number
  /** True when another attempt may succeed. */
  readonly isRetryable?: boolean
}

/** The rows of the jobs, for one run. */
export interface BulkWork {
  /** Gives up changes of cancelled jobs that were begun by a node which has died. */
  failLeft(): Promise<void>
  /** Takes all running jobs that this run does not have, from other runs too, and returns them. */
  adopt(): Promise<readonly BulkJobRow[]>
  /** Claims the next instances. Returns none when none is due, or the job is another run's. */
  claim(job: string, limit: number): Promise<readonly ClaimedTarget[]>
  /** Returns true while the job runs and is this run's. */
  isOurs(job: string): Promise<boolean>
  /** Deleted instances are missing. */
  facts(job: BulkJobRow, targets: readonly ClaimedTarget[]): Promise<ReadonlyMap<InstanceId, BulkFacts>>
  /** Writes the outcome of a change. The job is done with its last one. */
  settle(job: BulkJobRow, position: number, result: BulkResult): Promise<void>
  /** Lets an instance wait for another attempt. */
  retry(job: string, position: number, afterMs: number, result: BulkResult): Promise<void>
}

/** Changes one instance, wherever it lives. Never rejects. */
export type ChangeInstance = (
  job: BulkJobRow,
  target: ClaimedTarget,
  facts: BulkFacts | undefined,
) => Promise<BulkResult>
