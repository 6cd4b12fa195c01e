/** The thread that compares a vector with thousands, so that the node's own thread does not stand still. */
import { parentPort } from 'node:worker_threads'
import { lowerThread } from '../../work/priority.js'
import { bestRows, type VectorHit, type VectorMatrix } from './cosine.js'

export interface ToSearchWorker {
  readonly id: number
  readonly matrices: readonly VectorMatrix[]
  readonly query: Float32Array
  readonly limit: number
}

export interface FromSearchWorker {
  readonly id: number
  readonly hits: readonly VectorHit[]
}

lowerThread()
parentPort?.on('message', ({ id, matrices, query, limit }: ToSearchWorker) => {
  parentPort?.postMessage({ id, hits: bestRows(matrices, query, limit) } satisfies FromSearchWorker)
})
