import { once } from 'node:events'
import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { withTimeLimit } from '../../lib/time-limit.js'
import type { StoreIdentity } from './lease-scripts.js'
import type { FromWorker, LeaseWorkerData, ToWorker } from './lease-worker.js'
import type { Instant } from './ownership/protocol.js'
import { type CountedEvent, now, Proof } from './proof.js'

export interface LeaseOptions extends Omit<LeaseWorkerData, 'memory'> {
  /** Called when the node must end: this incarnation was declared dead, or the worker failed, and with it every later proof. */
  readonly onRefused: (why: string) => void
  /** Called again and again while other nodes use a newer store than this one. */
  readonly onOutdated?: () => void
}

/** This node's proof that it lives, kept by a thread of its own. */
export interface NodeLease {
  /** Tells whether bytes may leave now. */
  isOpen(): boolean
  /** Returns the time since the request of the last proof was sent; null before the first. */
  ageMs(): number | null
  /** Returns the results of the requests to Redis and SQL since the start. */
  counts(): Readonly<Record<CountedEvent, number>>
  /** Call when a statement sent at that time has made the row in SQL: the first proof. */
  begin(sentAt: Instant): void
  /** Call with the store that this node uses, which its lease then names. */
  follow(store: StoreIdentity): void
  /** Call when nothing of this node acts: tells the others, in a limited time. */
  leave(): Promise<void>
  close(): Promise<void>
}

const MAIN_SIGN_MS = 250

export function startLease({ onRefused, onOutdated = () => {}, ...data }: LeaseOptions): NodeLease {
  const proof = new Proof()
  const signMain = (): void => {
    proof.noteMain()
    proof.noteDebugger(debuggerUrl() !== undefined)
  }
  signMain()
  const worker = new Worker(new URL('./lease-worker.js', import.meta.url), {
    workerData: { ...data, memory: proof.memory } satisfies LeaseWorkerData,
  })
  const sign = setInterval(signMain, MAIN_SIGN_MS)
  let isEnding = false
  let hasLeft = (): void => {}
  const left = new Promise<void>((resolve) => {
    hasLeft = resolve
  })
  worker.on('message', ({ type }: FromWorker) => {
    if (type === 'left') hasLeft()
    else if (type === 'outdated') onOutdated()
    else if (!isEnding) onRefused('Another node has declared this one dead.')
  })
  worker.on('error', (error: Error) => {
    if (!isEnding) onRefused(`The lease worker failed: ${error.message}`)
  })
  const send = (message: ToWorker): void => worker.postMessage(message)

  return {
    isOpen: () => proof.isOpen(data.timing.guardMs),
    ageMs() {
      const provenAtMs = proof.provenAtMs(data.timing.guardMs)
      return provenAtMs === null ? null : now().monotonicMs - provenAtMs
    },
    counts: () => proof.counts(),
    begin: (sentAt) => send({ type: 'begin', sentAt }),
    follow: (store) => send({ type: 'store', store }),
    async leave() {
      isEnding = true
      send({ type: 'leave' })
      await withTimeLimit(Promise.race([left, once(worker, 'exit')]), data.timing.commandTimeoutMs, () => {})
    },
    async close() {
      isEnding = true
      clearInterval(sign)
      await worker.terminate()
    },
  }
}
