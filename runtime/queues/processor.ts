/** Work that the cluster shares and no owner must do: what a kind of it is, and what the store knows of each kind. */

/** A kind of work. `processors/` has a file for each. Any node may run it, on one node at a time. */
export interface Processor extends JobPlan {
  /**
   * Does the work until it is done or the signal aborts it. It must be safe to repeat: a node may die in it. A rejection is logged, and the
   * job runs again after `retryMs`.
   */
  run(signal: AbortSignal): Promise<JobReport>
  /** Time to the next run after a failure. Default 5 minutes, or `everyMs` if that is less. */
  readonly retryMs?: number
}

export interface JobPlan {
  readonly name: string
  /** Time between two runs. Null: it only runs on request. */
  readonly everyMs: number | null
  /**
   * Time from a claim to the next run, if the node that claimed dies. It is claimed again while it runs. Default: 10 minutes, or `everyMs` if that
   * is less, once.
   */
  readonly claimMs?: number
}

export interface JobReport {
  /** Time to the next run, if it is not the usual one. */
  readonly nextMs?: number
  /** Small plain data that all nodes may see. Undefined keeps the former one. */
  readonly result?: unknown
}

export interface JobOutcome {
  /** Time to the next run. Null: at the next request. 0 when one was requested during the run. */
  readonly nextMs: number | null
  readonly failure?: string
  readonly result?: unknown
}

export interface JobState {
  readonly name: string
  readonly isDue: boolean
  /** Time for which the job has been due. 0: it is not due. */
  readonly overdueMs: number
  /** The due time, as text. */
  readonly due: string
  /** Result of the last run that had one. */
  readonly result: unknown
}

/** The truth about jobs, in PostgreSQL. */
export interface ClusterJobStore {
  /** Returns the state of each of these jobs, and makes those that are unknown. */
  read(plans: readonly JobPlan[]): Promise<readonly JobState[]>
  /** Makes a job due, at the earliest that time after its last run began. */
  request(name: string, minGapMs?: number): Promise<void>
  /**
   * Runs the work if the job is due and runs nowhere else; returns null if not. The signal aborts when the proof of that is lost.
   * @throws the error of the store; the work itself must not reject
   */
  runAlone(plan: JobPlan, work: (signal: AbortSignal) => Promise<JobOutcome>): Promise<JobOutcome | null>
}
