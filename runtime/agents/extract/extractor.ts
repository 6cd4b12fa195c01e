/** Reads texts out of files that tenants gave, in threads with bounds. */
import { Worker } from 'node:worker_threads'
import type { Work } from '../../work/work.js'
import type { FromExtractWorker } from './extract-worker.js'
import { type Extracted, type ExtractSource, readPlainText } from './extracted.js'
import { EXTRACT_LIMITS, ExtractionRefused } from './limits.js'

export interface Extractor {
  /**
   * Reads a file, in the turn of its instance.
   * @throws ExtractionRefused, GatewayError RATE_LIMITED, or the signal's reason
   */
  read(instance: string, source: ExtractSource, signal: AbortSignal): Promise<Extracted>
}

export interface ExtractorOptions {
  readonly work: Pick<Work, 'run'>
  readonly timeoutMs?: number
}

/** A plain text up to this size is read without a thread: one of short lines takes a millisecond for each 1,000 bytes. */
const SMALL_TEXT_BYTES = 8 * 1024

export function createExtractor({ work, timeoutMs = EXTRACT_LIMITS.timeoutMs }: ExtractorOptions): Extractor {
  return {
    async read(instance, source, signal) {
      if (source.type === 'txt' && source.bytes.length <= SMALL_TEXT_BYTES)
        return readPlainText(source.bytes, source.charset)
      return await work.run('extract', instance, () => readInThread(source, timeoutMs, signal), signal)
    },
  }
}

async function readInThread(source: ExtractSource, timeoutMs: number, signal: AbortSignal): Promise<Extracted> {
  signal.throwIfAborted()
  const bytes = new Uint8Array(source.bytes)
  const worker = new Worker(new URL('./extract-worker.js', import.meta.url), {
    workerData: { ...source, bytes } satisfies ExtractSource,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: EXTRACT_LIMITS.heapMiB, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // Secrets of the installation are in the environment.
    env: {},
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  let abort = (): void => {}
  try {
    const answer = await new Promise<FromExtractWorker>((resolve, reject) => {
      timer = setTimeout(() => reject(new ExtractionRefused('It takes too long to read the file.')), timeoutMs)
      abort = () => reject(signal.reason as Error)
      signal.addEventListener('abort', abort)
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) => reject(refusalOf(error)))
      worker.once('exit', () => reject(new ExtractionRefused('The file is broken.')))
    })
    if (answer.type === 'refused') throw new ExtractionRefused(answer.reason)
    return answer.extracted
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

function refusalOf({ code }: NodeJS.ErrnoException): ExtractionRefused {
  return new ExtractionRefused(
    code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'It takes too much memory to read the file.' : 'The file is broken.',
  )
}
