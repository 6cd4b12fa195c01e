import type { InstanceJournal, WriteDelay, WriteResult } from '../../../actors/instance/ports.js'
import type { JournalChange } from './batch.js'
import { createInstanceWrites, type InstanceWrites } from './waiting-write.js'

/** Writes that are being joined into one. */
interface Group {
  readonly changes: JournalChange[]
  readonly written: Promise<WriteResult>
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

export type Enqueue = (
  changes: readonly JournalChange[],
  session: InstanceWrites,
  when?: WriteDelay,
) => Promise<WriteResult>

/**
 * Creates the journal of one instance: a session of its own, whose writes go into the queue of the node. Calls `hurry` when somebody waits for
 * all that was written.
 */
export function createInstanceJournal(enqueue: Enqueue, hurry: () => void): InstanceJournal {
  const session = createInstanceWrites()
  let group: Group | undefined
  // A plain object: callers spread it to wrap `write`.
  return {
    write(changes, when) {
      if (group === undefined) return enqueue(changes, session, when)
      group.changes.push(...changes)
      return group.written
    },
    settled(when) {
      if (session.failure !== undefined) return Promise.reject(session.failure)
      if (group !== undefined && group.changes.length > 0) return group.written.then(() => {})
      if (session.pending === 0) return undefined
      if (when === undefined) hurry()
      // First in, first out: when the last write is durable, all are.
      return session.last.then(() => {})
    },
    together(work) {
      if (group !== undefined) return work()
      const mine = createGroup()
      group = mine
      try {
        work()
      } catch (error) {
        mine.reject(error)
        throw error
      } finally {
        group = undefined
      }
      if (mine.changes.length > 0) enqueue(mine.changes, session).then(mine.resolve, mine.reject)
    },
  }
}

function createGroup(): Group {
  let resolve: Group['resolve'] = () => {}
  let reject: Group['reject'] = () => {}
  const written = new Promise<WriteResult>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  written.catch(() => {})
  return { changes: [], written, resolve, reject }
}
