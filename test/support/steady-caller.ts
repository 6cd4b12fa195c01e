/**
 * Calls a gateway one call after the other, from a thread of its own: the simulated network runs on the main thread of a test, so that calls from
 * there would wait for it, and not for the gateway.
 */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { readMainThreadMs } from './main-thread-time.js'

interface Target {
  readonly url: string
  readonly token: string
  readonly pid: number
}

export interface CallTimes {
  readonly waitsMs: readonly number[]
  /** Time for which the gateway's main thread ran during each of the calls. What other programs take of the processors is not in it. */
  readonly mainThreadMs: readonly number[]
}

/** Begins to call. @returns a function that ends it and returns the times; it throws if a call was not answered with 200 */
export function startSteadyCaller(target: Target): () => Promise<CallTimes> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { steadyCaller: target } })
  const said = once(worker, 'message') as Promise<[CallTimes]>
  said.catch(() => {})
  return async () => {
    worker.postMessage('end')
    const [times] = await said
    return times
  }
}

async function callSteadily({ url, token, pid }: Target): Promise<CallTimes> {
  const waitsMs: number[] = []
  const mainThreadMs: number[] = []
  let isOver = false
  parentPort?.once('message', () => {
    isOver = true
  })
  // The first one loads what makes the calls.
  await (await fetch(url, { headers: { token } })).text()
  while (!isOver) {
    const [begunMs, before] = [performance.now(), readMainThreadMs(pid)]
    const answer = await fetch(url, { headers: { token } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`A call was answered with ${answer.status}.`)
    waitsMs.push(performance.now() - begunMs)
    const after = readMainThreadMs(pid)
    if (before !== null && after !== null) mainThreadMs.push(after - before)
  }
  return { waitsMs, mainThreadMs }
}

const { steadyCaller } = (workerData ?? {}) as { readonly steadyCaller?: Target }
if (!isMainThread && steadyCaller !== undefined) parentPort?.postMessage(await callSteadily(steadyCaller))
