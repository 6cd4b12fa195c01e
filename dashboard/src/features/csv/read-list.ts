/** Reads a list of recipients as people have it: CSV in the encodings of spreadsheets, or a JSON object in each line. */

export type ListFormat = 'csv' | 'ndjson'
export type ListEncoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

export interface ReadList {
  readonly format: ListFormat
  readonly encoding: ListEncoding
  /** Separator of the fields; empty for JSON. */
  readonly separator: string
  readonly columns: readonly string[]
  /** Each row has a field for each column. */
  readonly rows: readonly (readonly string[])[]
  /** Line of the first row. */
  readonly firstLine: number
}

const SEPARATORS = [',', ';', '\t', '|'] as const
const COLUMNS_MAX = 60
/** A first row with such a field has no names of columns. */
const NUMBER = /^\+?[\d\s().-]{8,20}$/

export function readList(bytes: Uint8Array): ReadList {
  const { text, encoding } = decodeText(bytes)
  return /^\s*\{/.test(text) ? readJson(text, encoding) : readCsv(text, encoding)
}

/** Spreadsheets write Windows-1252 or UTF-16 unless one chooses UTF-8. */
function decodeText(bytes: Uint8Array): { readonly text: string; readonly encoding: ListEncoding } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

function readCsv(text: string, encoding: ListEncoding): ReadList {
  const separator = findSeparator(text)
  const records = splitRecords(text, separator)
  const [head = []] = records
  const hasNames = !head.some((field) => NUMBER.test(field.trim()))
  const width = Math.min(
    COLUMNS_MAX,
    records.slice(0, 100).reduce((most, { length }) => Math.max(most, length), head.length),
  )
  const rows = (hasNames ? records.slice(1) : records).map((record) => fitRecord(record, width))
  return {
    format: 'csv',
    encoding,
    separator,
    columns: makeDistinct(fitRecord(hasNames ? head : [], width)),
    rows,
    firstLine: hasNames ? 2 : 1,
  }
}

/** Returns the separator that the first line has most often, outside of quotes. */
function findSeparator(text: string): string {
  const line = text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? ''
  const bare = line.replace(/"[^"]*"/g, '')
  const counts = SEPARATORS.map((one) => [one, bare.split(one).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best), [',', 1] as readonly [string, number])[0]
}

/** Takes a CSV text apart. A field in quotes may hold separators, line breaks and doubled quotes. Empty lines are left out. */
function splitRecords(text: string, separator: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const end = () => {
    if (record.some((field) => field.trim() !== '')) records.push(record)
    record = []
  }
  while (at < text.length) {
    const [field, after] = text[at] === '"' ? readQuotedField(text, at) : readBareField(text, at, separator)
    record.push(field)
    at = after
    if (text[at] === separator) {
      at += 1
      if (at === text.length) record.push('')
      continue
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    at += 1
    end()
  }
  end()
  return records
}

function readBareField(text: string, from: number, separator: string): readonly [string, number] {
  let at = from
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1
  return [text.slice(from, at), at]
}

function readQuotedField(text: string, from: number): readonly [string, number] {
  let at = from + 1
  const parts: string[] = []
  for (;;) {
    const close = text.indexOf('"', at)
    if (close === -1) return [parts.join('') + text.slice(at), text.length]
    parts.push(text.slice(at, close))
    if (text[close + 1] !== '"') return [parts.join(''), close + 1]
    parts.push('"')
    at = close + 2
  }
}

function readJson(text: string, encoding: ListEncoding): ReadList {
  const objects = text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [parseObject(line)]))
  const columns = [...new Set(objects.slice(0, 1_000).flatMap((one) => Object.keys(one)))].slice(0, COLUMNS_MAX)
  const rows = objects.map((one) => columns.map((column) => toField(one[column])))
  return { format: 'ndjson', encoding, separator: '', columns, rows, firstLine: 1 }
}

/** A line that is no object becomes an empty row, which has no number. */
function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function toField(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function fitRecord(record: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, place) => (record[place] ?? '').trim())
}

function makeDistinct(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.map((name, place) => {
    const base = name === '' ? `column ${place + 1}` : name
    let unique = base
    for (let count = 2; seen.has(unique); count += 1) unique = `${base} ${count}`
    seen.add(unique)
    return unique
  })
}
