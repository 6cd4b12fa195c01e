/** The log of an instance's calls of the API, as API and store share it. Types only. */
import type { InstanceId } from '../ids.js'

/** A call as it is written down. */
export interface NotedRequest {
  readonly instance: InstanceId
  readonly operation: string
  /** Kind of the token that the call had, or from which its pass was made. */
  readonly by: 'token' | 'key' | 'admin'
  /** Id of the key; empty for others. */
  readonly key: string
  /** Name that the client gives itself (`User-Agent`). */
  readonly client: string
  /** The call had a pass, as those of the dashboard have. */
  readonly hasPass: boolean
  readonly isRead: boolean
  readonly status: number
  /** Of the error; empty when there was none. */
  readonly code: string
  readonly durationMs: number
  readonly requestId: string
}

export interface RequestRow extends Omit<NotedRequest, 'instance' | 'isRead'> {
  /** Grows. */
  readonly position: number
  readonly at: Date
  /** NODE_ID of the node that was asked. */
  readonly node: string
}

export interface RequestQuery {
  readonly limit: number
  /** Only what came before that position. */
  readonly before?: number
  readonly operation?: string
  readonly key?: string
  readonly isFailed?: boolean
  /** With what the dashboard read. */
  readonly withDashboard: boolean
}

export interface RequestPage {
  /** The newest first. */
  readonly requests: readonly RequestRow[]
  readonly hasMore: boolean
  /** Calls of the last day that were not written down. */
  readonly leftOut: number
}

export interface RequestDirectory {
  find(instance: InstanceId, query: RequestQuery): Promise<RequestPage>
}
