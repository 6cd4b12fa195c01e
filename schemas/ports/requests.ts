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

/** Answers of calls with an `Idempotency-Key`. */

/** A call under its key. */
export interface KeyedCall {
  /** Null for a call of the administrator. */
  readonly instance: InstanceId | null
  readonly idempotencyKey: string
  /** Hash of the operation and its request, so that one key is not used for two. */
  readonly requestHash: string
}

export interface KeptAnswer {
  readonly status: number
  readonly reply: unknown
}

/** The call that had the key first. */
export interface FirstCall {
  readonly requestHash: string
  /** Null while it is under way, and after one that nobody knows the end of. */
  readonly answer: KeptAnswer | null
}

export interface KeptAnswers {
  /**
   * Begins a call. Resolves with null if it has the key first within 24 hours, else with the one that had it.
   * @throws GatewayError RATE_LIMITED when the owner has too many
   */
  begin(call: KeyedCall): Promise<FirstCall | null>
  /** Keeps the answer of the call that has begun. */
  keep(call: KeyedCall, answer: KeptAnswer): Promise<void>
  /** Frees the key of a call that did nothing. */
  release(call: KeyedCall): Promise<void>
}

/** The audit log, as API and store share it. Types only. */
/** A call as it is written down. */
export interface AuditedCall {
  /** `unknown`: its token was none. `node`: no call, but a note of a node. */
  readonly actorKind: 'admin' | 'token' | 'key' | 'unknown' | 'node'
  /** Tells tokens apart without being one. */
  readonly actor: string
  readonly address: string
  readonly method: string
  /** As declared: `/instance/keys/:id`. */
  readonly route: string
  readonly operation: string
  /** The instance, or whatever else the path names; may be empty. */
  readonly subject: string
  readonly requestId: string
  /** Pass with which the call was made, or that it opened; empty when there is none. */
  readonly pass: string
}

export interface AuditRow extends AuditedCall {
  /** Grows. */
  readonly position: number
  readonly at: Date
  /** NODE_ID of the node that was asked. */
  readonly node: string
  /** Null: not known, since the call is under way or its node died. */
  readonly status: number | null
  /** Of the error; empty when there was none. */
  readonly code: string
}

export interface AuditQuery {
  readonly limit: number
  /** Only what came before that position. */
  readonly before?: number
  readonly subject?: string
  readonly operation?: string
  readonly pass?: string
  readonly from?: Date
}

export interface AuditLog {
  /** Resolves with the position when it is durable. */
  begin(call: AuditedCall, outcome?: Pick<AuditRow, 'status' | 'code'>): Promise<number>
  /** `subject` and `pass` where they became known meanwhile, else empty. */
  end(
    position: number,
    outcome: { status: number; code: string },
    note: Pick<AuditedCall, 'subject' | 'pass'>,
  ): Promise<void>
  /** The newest first. */
  find(query: AuditQuery): Promise<{ entries: readonly AuditRow[]; hasMore: boolean }>
}
