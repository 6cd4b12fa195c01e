/** The thread that reads one file. It is made for the file and ended after it, so that a hostile file meets nothing of others. */
import { parentPort, workerData } from 'node:worker_threads'
import { lowerThread } from '../../work/priority.js'
import { csvText } from './csv.js'
import { decodeText } from './decode-text.js'
import { type Extracted, type ExtractSource, extracted, readPlainText } from './extracted.js'
import { htmlText } from './html.js'
import { ExtractionRefused } from './limits.js'

/** Reads a text or a file that is none of PDF. Loads the libraries for HTML and CSV: for a thread. @throws ExtractionRefused */
export function readText({ type, bytes, charset = '' }: ExtractSource): Extracted {
  if (type === 'html') return extracted(htmlText(bytes, charset))
  return type === 'csv' ? extracted(csvText(decodeText(bytes, charset))) : readPlainText(bytes, charset)
}

export type FromExtractWorker =
  | { readonly type: 'read'; readonly extracted: Extracted }
  | { readonly type: 'refused'; readonly reason: string }

lowerThread()
parentPort?.postMessage(await answer(workerData as ExtractSource))

async function answer(source: ExtractSource): Promise<FromExtractWorker> {
  try {
    return { type: 'read', extracted: await read(source) }
  } catch (error) {
    if (error instanceof ExtractionRefused) return { type: 'refused', reason: error.message }
    return { type: 'refused', reason: 'The file is broken.' }
  }
}

async function read(source: ExtractSource): Promise<Extracted> {
  if (source.type !== 'pdf') return readText(source)
  // Other files need not wait for the library.
  const { pdfText } = await import('./pdf.js')
  return extracted(await pdfText(source.bytes))
}
