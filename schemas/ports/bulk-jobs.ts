/** Changes of many instances, as API, store and runner share them. Types only. */
import type { InstanceFilter } from '../generated.js'
import type { InstanceId } from '../ids.js'
import type { InstanceRow } from './instances.js'

export type BulkAction = 'connect' | 'start' | 'stop' | 'disconnect' | 'reset' | 'tag' | 'delete' | 'restart'

export interface BulkChange {
  readonly action: BulkAction
  /** Tags that each instance gets and loses. */
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Selects the instances that match all given fields. */
export interface BulkSelection {
  readonly ids?: readonly string[] | undefined
  readonly filter?: InstanceFilter | undefined
  /** NODE_ID of each. */
  readonly nodes?: readonly string[] | undefined
}

export interface BulkPreview {
  readonly count: number
  readonly counts: Readonly<Record<InstanceRow['status'], number>>
  /** The first of them. */
  readonly ids: readonly InstanceId[]
  /** Given ids without an instance. */
  readonly unknown: readonly string[]
  /** Of the change and all its instances. */
  readonly digest: string
}

export interface BulkJobRow extends BulkChange {
  readonly id: string
  /** Grows. */
  readonly position: number
  readonly state: 'running' | 'done' | 'cancelled'
  readonly count: number
  readonly begun: number
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly perMinute: number
  readonly digest: string
  readonly filter: InstanceFilter | null
  readonly actor: string
  readonly node: string
  readonly created: Date
  readonly started: Date | null
  readonly ended: Date | null
}

export type BulkOutcome = 'waiting' | 'begun' | 'done' | 'skipped' | 'failed'

export interface BulkTarget {
  readonly position: number
  readonly instance: InstanceId
  readonly outcome: BulkOutcome
  /** Error code; empty when there is none. */
  readonly code: string
  readonly reason: string
  readonly attempts: number
  readonly ended: Date | null
}

export interface BulkStart {
  /** Digest that the instances must have; null when none is demanded. */
  readonly digest: string | null
  readonly perMinute: number
  /** Name of the administrator's token, and the pass of the call. */
  readonly actor: string
  readonly pass: string
}

export interface BulkJobs {
  /** Finds the instances that a change is for. @throws GatewayError INVALID_REQUEST when they are too many, RATE_LIMITED when it takes too long */
  preview(change: BulkChange, selection: BulkSelection): Promise<BulkPreview>
  /**
   * Stores a job, which a node of the cluster runs. Returns the running job of the same digest instead, if there is one.
   * @throws GatewayError SELECTION_CHANGED, TOO_MANY_JOBS, and as `preview`
   */
  start(
    change: BulkChange,
    selection: BulkSelection,
    start: BulkStart,
  ): Promise<BulkPreview & { readonly job: BulkJobRow }>
  /** Returns jobs, newest first, from before that position. */
  list(limit: number, before?: number): Promise<readonly BulkJobRow[]>
  /** @throws GatewayError JOB_NOT_FOUND */
  find(id: string): Promise<BulkJobRow>
  /** Returns the instances of a job in the order of their turns, from after that position. */
  targets(
    id: string,
    query: { readonly limit: number; readonly after?: number | undefined; readonly outcome?: BulkOutcome | undefined },
  ): Promise<readonly BulkTarget[]>
  /** Ends a running job; no further instance is begun then. Any other stays as it is. @throws GatewayError JOB_NOT_FOUND */
  cancel(id: string): Promise<BulkJobRow>
}
