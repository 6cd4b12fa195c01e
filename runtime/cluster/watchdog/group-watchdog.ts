/** The watchdog of the supervisor of several processes (NODE_PROCESSES), which answers probes for all of them. */
import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { Proof } from '../proof.js'
import type { GroupWatchdogData } from './group-worker.js'

const SIGN_MS = 250

export interface GroupWatchdog {
  close(): Promise<void>
}

/** Starts the thread. Its failure is logged, and ends nothing. */
export function startGroupWatchdog(
  data: Omit<GroupWatchdogData, 'memory'>,
  onError: (error: Error) => void,
): GroupWatchdog {
  const proof = new Proof()
  const sign = (): void => {
    proof.noteMain()
    proof.noteDebugger(debuggerUrl() !== undefined)
  }
  sign()
  const worker = new Worker(new URL('./group-worker.js', import.meta.url), {
    workerData: { ...data, memory: proof.memory } satisfies GroupWatchdogData,
  })
  worker.on('error', onError)
  const timer = setInterval(sign, SIGN_MS)
  return {
    async close() {
      clearInterval(timer)
      await worker.terminate()
    },
  }
}
