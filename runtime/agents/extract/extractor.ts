/** Reads texts out of files that tenants gave, in threads with bounds. */
import { runInThread, ThreadFailed, type ThreadFailure } from '../../work/task-thread.js'
import type { SharedWork } from '../../work/work.js'
import type { FromExtractWorker } from './extract-worker.js'
import { EXTRACT_LIMITS, type Extracted, ExtractionRefused, type ExtractSource, readPlainText } from './extracted.js'

export interface Extractor {
  /**
   * Reads a file, in the turn of its instance.
   * @throws ExtractionRefused, GatewayError RATE_LIMITED, or the signal's reason
   */
  read(instance: string, source: ExtractSource, signal: AbortSignal): Promise<Extracted>
}

export interface ExtractorOptions {
  readonly work: Pick<SharedWork, 'run'>
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
  const bytes = new Uint8Array(source.bytes)
  const answer = await runInThread<FromExtractWorker>({
    module: new URL('./extract-worker.js', import.meta.url),
    data: { ...source, bytes } satisfies ExtractSource,
    transfer: [bytes.buffer],
    timeoutMs,
    heapMiB: EXTRACT_LIMITS.heapMiB,
    signal,
  }).catch((error: unknown) => {
    throw error instanceof ThreadFailed ? new ExtractionRefused(REFUSALS[error.failure]) : error
  })
  if (answer.type === 'refused') throw new ExtractionRefused(answer.reason)
  return answer.extracted
}

const REFUSALS: Readonly<Record<ThreadFailure, string>> = {
  timeout: 'It takes too long to read the file.',
  memory: 'It takes too much memory to read the file.',
  broken: 'The file is broken.',
}
