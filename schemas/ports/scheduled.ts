/** Types only. */
import type { InstanceId, MessageId } from '../ids.js'
import type { ChatAddress } from '../jid.js'
import type { ScheduledStatus } from '../scheduled-send.js'

export interface ScheduledQuery {
  readonly id?: MessageId
  readonly chat?: ChatAddress
  readonly trackId?: string
  /** All when absent. */
  readonly status?: ScheduledStatus
  /** Unix milliseconds; both included. */
  readonly fromMs?: number
  readonly toMs?: number
  readonly after?: ScheduledPlace
  readonly limit: number
}

/** Place of a send in the order of their times. */
export interface ScheduledPlace {
  readonly atMs: number
  /** Number that grows with each send that is accepted, as digits. */
  readonly position: string
}

export interface ScheduledDirectory {
  /** Returns message records, the first due first, and the place of the last one; `hasMore` when others follow. */
  list(
    instance: InstanceId,
    query: ScheduledQuery,
  ): Promise<{
    readonly messages: readonly Readonly<Record<string, unknown>>[]
    readonly last: ScheduledPlace | null
    readonly hasMore: boolean
  }>
}
