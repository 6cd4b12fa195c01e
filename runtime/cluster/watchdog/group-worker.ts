/** The thread of the supervisor that watches its event loop, and answers probes with the worst of all processes of the machine. */
import { parentPort, workerData } from 'node:worker_threads'
import { now, Proof } from '../proof.js'
import { askHealth, type HealthState } from './health-server.js'
import { startWatchdog, type WatchdogSettings } from './watchdog.js'

/** Data that the main thread gives to the worker. */
export interface GroupWatchdogData {
  readonly settings: WatchdogSettings
  readonly memory: SharedArrayBuffer
  /** Sockets on which the threads of the processes answer. */
  readonly sockets: readonly string[]
}

const { settings, memory, sockets } = workerData as GroupWatchdogData
const proof = new Proof(memory)

startWatchdog(settings, {
  seenMs: () => proof.mainSeenMs,
  nowMs: () => now().monotonicMs,
  isDebugged: () => proof.isDebugged,
  async others() {
    const states = await Promise.all(sockets.map(askHealth))
    return states.filter((state): state is HealthState => state !== null)
  },
})
// Keeps the thread alive.
parentPort?.on('message', () => {})
