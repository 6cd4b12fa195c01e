/** The thread that reads one file. It is made for the file and ended after it, so that a hostile file meets nothing of others. */
import { parentPort, workerData } from 'node:worker_threads'
import { CsvError, parse } from 'csv-parse/sync'
import { compile } from 'html-to-text'
import { lowerThread } from '../../work/priority.js'
import { decodeText } from './decode-text.js'
import {
  boundedText,
  EXTRACT_LIMITS,
  type Extracted,
  ExtractionRefused,
  type ExtractSource,
  extracted,
  readPlainText,
  refuseLong,
} from './extracted.js'

const DELIMITERS = [',', ';', '\t', '|']

/** Returns a paragraph for each row, with the name of its column before each value. @throws ExtractionRefused */
function csvText(text: string): string {
  const [head = [], ...rows] = parseRecords(text)
  if (rows.length === 0) return boundedText(head.join('\n'))
  let length = 0
  const paragraphs: string[] = []
  for (const row of rows) {
    const paragraph = row
      .map((value, column) => [(head[column] ?? '').trim(), value.trim()])
      .filter(([, value]) => value !== '')
      .map(([name, value]) => (name === '' ? value : `${name}: ${value}`))
      .join('\n')
    if (paragraph === '') continue
    length += paragraph.length
    refuseLong(length)
    paragraphs.push(paragraph)
  }
  return boundedText(paragraphs.join('\n\n'))
}

function parseRecords(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: guessDelimiter(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: EXTRACT_LIMITS.rowMaxBytes,
      on_record: (record: string[]) => record.slice(0, EXTRACT_LIMITS.columnsMax),
    }) as string[][]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ExtractionRefused(
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `A row of the CSV has more than ${EXTRACT_LIMITS.rowMaxBytes} characters.`
        : `The CSV is broken (${error.code}).`,
    )
  }
}

/** Returns the delimiter that stands most often in the first line that has one. */
function guessDelimiter(text: string): string {
  // Bound: 8,192, a text; longer ones are read in a thread.
  for (const line of text.slice(0, 16_384).split('\n')) {
    // Bound: 8,192, a text; longer ones are read in a thread.
    const bare = line.replaceAll(/"[^"]*"/g, '')
    // Bound: 8,192, a text; longer ones are read in a thread.
    const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1)
    const most = Math.max(...counts)
    if (most > 0) return DELIMITERS[counts.indexOf(most)] ?? ','
  }
  return ','
}

const SKIPPED = ['script', 'style', 'nav', 'noscript', 'template', 'svg', 'iframe', 'form', 'img']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: 2 ** 24, maxDepth: EXTRACT_LIMITS.htmlDepthMax, ellipsis: '' },
  formatters: {
    // The marks tell the chunks where a section begins.
    heading(element, walk, builder) {
      builder.openBlock({ leadingLineBreaks: 2 })
      builder.addInline('# ')
      walk(element.children, builder)
      builder.closeBlock({ trailingLineBreaks: 2 })
    },
    cell(element, walk, builder) {
      walk(element.children, builder)
      builder.addInline(' | ')
    },
  },
  selectors: [
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    ...HEADINGS.map((selector) => ({ selector, format: 'heading' })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
})

/** Returns the visible text of a page. Headings begin with `# `. @throws ExtractionRefused */
function htmlText(bytes: Uint8Array, declared = ''): string {
  const start = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1')
  // Bound: 8,192, a text; longer ones are read in a thread.
  const own = /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1] ?? ''
  return boundedText(toText(decodeText(bytes, declared || own)))
}

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
