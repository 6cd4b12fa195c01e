import { Worker } from 'node:worker_threads'
import { bestRows, type VectorHit, type VectorMatrix } from './cosine.js'
import type { FromSearchWorker, ToSearchWorker } from './search-worker.js'

export interface VectorSearch {
  /** Returns the best rows, the best first. */
  best(matrices: readonly VectorMatrix[], query: Float32Array, limit: number): Promise<readonly VectorHit[]>
  close(): Promise<void>
}

/** Fewer rows are compared at once, which takes less than a millisecond. */
const INLINE_ROWS_MAX = 2_000

/** Compares many rows in a thread, which starts with the first such search. */
export function createVectorSearch(): VectorSearch {
  let worker: Worker | undefined
  let lastId = 0
  const waiting = new Map<number, { resolve: (hits: readonly VectorHit[]) => void; reject: (error: Error) => void }>()

  function start(): Worker {
    const started = new Worker(new URL('./search-worker.js', import.meta.url), { env: {} })
    const fail = (error: Error): void => {
      if (worker === started) worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('message', ({ id, hits }: FromSearchWorker) => {
      waiting.get(id)?.resolve(hits)
      waiting.delete(id)
    })
    started.on('error', fail)
    started.on('exit', () => fail(new Error('The thread that compares vectors has ended.')))
    // It does not keep a process alive.
    started.unref()
    return started
  }

  return {
    async best(matrices, query, limit) {
      const rows = matrices.reduce((sum, matrix) => sum + matrix.rows, 0)
      if (rows <= INLINE_ROWS_MAX) return bestRows(matrices, query, limit)
      worker ??= start()
      lastId += 1
      const message: ToSearchWorker = { id: lastId, matrices, query, limit }
      const hits = new Promise<readonly VectorHit[]>((resolve, reject) => waiting.set(message.id, { resolve, reject }))
      worker.postMessage(message)
      return await hits
    },
    async close() {
      await worker?.terminate()
    },
  }
}
