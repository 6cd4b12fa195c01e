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
