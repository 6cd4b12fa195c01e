/** Reads JSON of servers that tenants name: small answers at once, large ones in a thread, in a fair share for each owner. */
import { Worker } from 'node:worker_threads'
import { createOwnerSlots, semaphore } from '../../../lib/owner-slots.js'
import { ERROR_JSON, type JsonAnswer, type JsonUse } from './json-use.js'
import type { ToJsonWorker } from './json-worker.js'
import { readJson, refusal } from './read-json.js'

export interface JsonReader {
  /** Never rejects. `owner`: the instance on whose behalf it was fetched. */
  read(owner: string, bytes: Buffer, use: JsonUse): Promise<JsonAnswer>
  close(): Promise<void>
}

export interface JsonReaderOptions {
  /** For one answer in the thread. */
  readonly timeoutMs?: number
  /** Time without work after which the thread ends. */
  readonly idleMs?: number
}

/** Up to here the main thread takes a few milliseconds, whatever the answer is. */
const INLINE_BYTES_MAX = 256 * 1024
const INLINE_VALUES_MAX = 5_000
/** Large answers of one owner that may wait. */
const WAITING_MAX = 16
const HEAP_MIB = 192

export function createJsonReader({ timeoutMs = 10_000, idleMs = 30_000 }: JsonReaderOptions = {}): JsonReader {
  // One answer at once, and one of each owner in the line for it: owners take turns.
  const inSlot = semaphore(1)
  const owners = createOwnerSlots({ max: 1, waitingMax: WAITING_MAX }, () => new Error('busy'))
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  /** Ends the wait for the answer in the thread. */
  let settle = (_answer: JsonAnswer): void => {}

  return {
    async read(owner, bytes, use) {
      if (bytes.length > use.bytesMax || isSmall(bytes, use)) return readJson(bytes, use)
      try {
        return await owners.run(owner, () => inSlot(() => readInThread({ bytes, use })))
      } catch {
        return { type: 'refused', why: 'cannot be read now, because too many large answers wait' }
      }
    },
    async close() {
      clearTimeout(idle)
      await worker?.terminate()
    },
  }

  async function readInThread(message: ToJsonWorker): Promise<JsonAnswer> {
    clearTimeout(idle)
    worker ??= start()
    const mine = worker
    const answer = await new Promise<JsonAnswer>((resolve) => {
      const timer = setTimeout(() => void mine.terminate(), timeoutMs)
      settle = (given) => {
        clearTimeout(timer)
        resolve(given)
      }
      mine.postMessage(message)
    })
    idle = setTimeout(end, idleMs)
    idle.unref()
    return answer
  }

  function start(): Worker {
    const started = new Worker(new URL('./json-worker.js', import.meta.url), {
      // Secrets of the installation are in the environment.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    started.on('message', (answer: JsonAnswer) => settle(answer))
    // Out of memory: its exit follows.
    started.on('error', () => {})
    started.on('exit', () => {
      if (worker !== started) return
      worker = undefined
      settle({ type: 'refused', why: 'takes too much time or memory to read' })
    })
    started.unref()
    return started
  }

  function end(): void {
    const ended = worker
    worker = undefined
    void ended?.terminate()
  }
}

/** Reads a whole answer for a use; one that is no success, as an error. */
export async function readJsonAnswer(
  reader: JsonReader,
  owner: string,
  { statusCode, body, isCut }: { readonly statusCode: number; readonly body: Buffer; readonly isCut: boolean },
  use: JsonUse,
): Promise<JsonAnswer> {
  if (isCut) return { type: 'refused', why: `is longer than ${use.bytesMax} bytes` }
  return await reader.read(owner, body, statusCode < 300 ? use : ERROR_JSON)
}

function isSmall(bytes: Buffer, use: JsonUse): boolean {
  if (bytes.length > INLINE_BYTES_MAX) return false
  return refusal(bytes, { ...use, valuesMax: Math.min(use.valuesMax, INLINE_VALUES_MAX) }) === null
}
