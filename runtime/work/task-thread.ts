/** Does one piece of work over a hostile file in a thread of its own, with bounds of time and memory. The thread is ended after it. */
import { Worker } from 'node:worker_threads'

export interface ThreadTask {
  /** The module that the thread runs. It posts one message. */
  readonly module: URL
  readonly data: unknown
  /** Parts of `data` that are handed over. */
  readonly transfer?: readonly ArrayBuffer[]
  readonly timeoutMs: number
  /** Maximum of objects and texts. Buffers and WebAssembly are not in it: the module bounds them. */
  readonly heapMiB: number
  readonly signal?: AbortSignal
}

export type ThreadFailure = 'timeout' | 'memory' | 'broken'

/** A thread that did not answer: it took too much time or memory, or failed. */
export class ThreadFailed extends Error {
  readonly failure: ThreadFailure

  constructor(failure: ThreadFailure) {
    super(`The thread failed: ${failure}.`)
    this.failure = failure
  }
}

/** Returns the message that the thread posts. @throws ThreadFailed, or the signal's reason */
export async function runInThread<Answer>(task: ThreadTask): Promise<Answer> {
  const { signal } = task
  signal?.throwIfAborted()
  const worker = new Worker(task.module, {
    workerData: task.data,
    transferList: [...(task.transfer ?? [])],
    resourceLimits: { maxOldGenerationSizeMb: task.heapMiB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // Secrets of the installation are in the environment.
    env: {},
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  let abort = (): void => {}
  try {
    return await new Promise<Answer>((resolve, reject) => {
      timer = setTimeout(() => reject(new ThreadFailed('timeout')), task.timeoutMs)
      abort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', abort)
      worker.once('message', resolve)
      worker.once('error', ({ code }: NodeJS.ErrnoException) =>
        reject(new ThreadFailed(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'broken')),
      )
      worker.once('exit', () => reject(new ThreadFailed('broken')))
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
