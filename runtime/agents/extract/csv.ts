import { CsvError, parse } from 'csv-parse/sync'
import { boundedText, EXTRACT_LIMITS, ExtractionRefused, refuseLong } from './limits.js'

// Bound: 8,192, a text; longer ones are read in a thread.

const DELIMITERS = [',', ';', '\t', '|']

/** Returns a paragraph for each row, with the name of its column before each value. @throws ExtractionRefused */
export function csvText(text: string): string {
  const [head = [], ...rows] = recordsOf(text)
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

function recordsOf(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
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
function delimiterOf(text: string): string {
  for (const line of text.slice(0, 16_384).split('\n')) {
    const bare = line.replaceAll(/"[^"]*"/g, '')
    const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1)
    const most = Math.max(...counts)
    if (most > 0) return DELIMITERS[counts.indexOf(most)] ?? ','
  }
  return ','
}
