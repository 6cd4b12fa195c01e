/** Writes that wait for their commit, and the sessions that made them. */
import type { WriteResult } from '../../../actors/instance/ports.js'
import type { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { JournalChange, Write } from './batch.js'

export interface WaitingWrite extends Write {
  readonly bytes: number
  readonly session: InstanceWrites
  changes: readonly JournalChange[]
  /** True once it is answered. A batch that was split may fail in one part after another part was committed. */
  isDone: boolean
  /** True while it is back in the queue because its instance was set aside. */
  isReturned: boolean
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: GatewayError) => void
}

/** The writes of one InstanceJournal that are under way. */
export interface InstanceWrites {
  pending: number
  last: Promise<unknown>
  failure: GatewayError | undefined
}

export function createInstanceWrites(): InstanceWrites {
  return { pending: 0, last: Promise.resolve(), failure: undefined }
}

/**
 * Refuses further writes of the session until all its waiting callers have seen the failure: otherwise a write made in between could
 * become durable without what it builds on. A deposed owner is refused for ever.
 */
export function failWrites(session: InstanceWrites, failure: GatewayError): void {
  session.failure = failure
  if (failure.code === 'NOT_OWNER') return
  setImmediate(() => {
    if (session.failure === failure) session.failure = undefined
  })
}

/** Returns a rejected promise that does not end the process when nobody awaits it. */
export function rejectedWrite(failure: GatewayError): Promise<never> {
  const promise = Promise.reject(failure)
  promise.catch(() => {})
  return promise
}

export function instancesOf(writes: readonly WaitingWrite[]): readonly InstanceId[] {
  return [...new Set(writes.map((write) => write.instance))]
}

export function countChanges(writes: readonly WaitingWrite[]): number {
  return writes.reduce((sum, write) => sum + write.changes.length, 0)
}
