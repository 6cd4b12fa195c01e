/** Notes which work read from a replica of PostgreSQL, so that its answer can say how old it may be. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** `lagMs`: maximum age of what was read from a replica; null when nothing was. */
export interface ReplicaNote {
  lagMs: number | null
}

let notes: AsyncLocalStorage<ReplicaNote> | undefined

/** Begins to note. Without replicas nothing is noted, and it costs nothing. */
export function noteReplicaReads(): void {
  notes ??= new AsyncLocalStorage()
}

export function noteReplicaRead(lagMs: number): void {
  const note = notes?.getStore()
  if (note !== undefined) note.lagMs = Math.max(note.lagMs ?? 0, lagMs)
}

/** Does the work, and tells `told` the age of what it read, if it read from a replica. */
export async function tellingReplicaReads<T>(told: (lagMs: number) => void, work: () => Promise<T>): Promise<T> {
  if (notes === undefined) return await work()
  const note: ReplicaNote = { lagMs: null }
  const result = await notes.run(note, work)
  if (note.lagMs !== null) told(Math.ceil(note.lagMs))
  return result
}
