/** Reads a list of recipients as it arrives. At most one piece of the file and one line of it are in memory. */
import { invalidField } from '../../schemas/invalid-field.js'
import { CsvRecords, RECORD_LENGTH_MAX } from './csv-records.js'
import { checkColumn, columnsOfHeader, type RecipientColumn } from './recipient-columns.js'
import { type RecipientLine, recipientOfCells, recipientOfJson } from './recipient-line.js'

export type RecipientFormat = 'csv' | 'ndjson'

/**
 * Yields the lines of each piece of the file, in order. A line that is no recipient does not end the reading.
 * @param country ISO code of the country whose national numbers are taken
 * @throws GatewayError INVALID_REQUEST when the file as a whole cannot be read: its encoding, its header
 */
export async function* readRecipients(
  bytes: AsyncIterable<Uint8Array>,
  format: RecipientFormat,
  country = '',
): AsyncGenerator<readonly RecipientLine[]> {
  const reader = format === 'csv' ? new CsvReader(country) : new JsonReader(country)
  for await (const text of decodedText(bytes)) {
    const lines = reader.push(text)
    if (lines.length > 0) yield lines
  }
  const last = reader.end()
  if (last.length > 0) yield last
}

class CsvReader {
  readonly #records = new CsvRecords()
  #columns: readonly RecipientColumn[] | null = null
  readonly #country: string

  constructor(country: string) {
    this.#country = country
  }

  push(text: string): RecipientLine[] {
    return this.#lines(this.#records.push(text))
  }

  end(): RecipientLine[] {
    const lines = this.#lines(this.#records.end())
    if (this.#columns === null) throw invalidField('recipients', 'is empty')
    return lines
  }

  #lines(records: ReturnType<CsvRecords['push']>): RecipientLine[] {
    const lines: RecipientLine[] = []
    for (const record of records) {
      if (this.#columns === null) {
        if ('why' in record) throw invalidField('recipients', `cannot be read: line ${record.line} ${record.why}`)
        // Spreadsheets write the separator in a line of its own: `sep=;`.
        if (record.cells[0]?.toLowerCase() === 'sep=') continue
        this.#columns = columnsOfHeader(record.cells)
      } else {
        lines.push('why' in record ? record : recipientOfCells(record.line, record.cells, this.#columns, this.#country))
      }
    }
    if (this.#records.isBroken) throw invalidField('recipients', 'has too many quotes that are not closed')
    return lines
  }
}

/** Meanings of fields that a reader of NDJSON keeps. Nearly all lines have the same fields. */
const NAMES_KEPT_MAX = 1_000

class JsonReader {
  readonly #columns = new Map<string, RecipientColumn | string>()
  #text = ''
  #line = 1
  #isSkipping = false
  #isAny = false
  readonly #country: string

  constructor(country: string) {
    this.#country = country
  }

  push(piece: string): RecipientLine[] {
    const lines: RecipientLine[] = []
    const text = this.#text + piece
    let at = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      this.#take(text.slice(at, end), lines)
      at = end + 1
    }
    this.#text = text.slice(at)
    if (this.#text.length > RECORD_LENGTH_MAX && !this.#isSkipping) {
      lines.push({ line: this.#line, why: `is longer than ${RECORD_LENGTH_MAX} characters` })
      this.#isSkipping = true
      this.#isAny = true
    }
    if (this.#isSkipping) this.#text = ''
    return lines
  }

  end(): RecipientLine[] {
    const lines: RecipientLine[] = []
    this.#take(this.#text, lines)
    if (!this.#isAny) throw invalidField('recipients', 'is empty')
    return lines
  }

  #take(text: string, lines: RecipientLine[]): void {
    const line = this.#line
    this.#line += 1
    if (this.#isSkipping) {
      this.#isSkipping = false
      return
    }
    if (text.trim() === '') return
    this.#isAny = true
    const isLong = text.length > RECORD_LENGTH_MAX
    lines.push(
      isLong
        ? { line, why: `is longer than ${RECORD_LENGTH_MAX} characters` }
        : recipientOfJson(line, text, (name) => this.#findColumn(name), this.#country),
    )
  }

  #findColumn(name: string): RecipientColumn | string {
    const known = this.#columns.get(name)
    if (known !== undefined) return known
    const column = checkColumn(name)
    if (this.#columns.size < NAMES_KEPT_MAX) this.#columns.set(name, column)
    return column
  }
}

/**
 * Decodes a file without its byte order mark: UTF-8, or UTF-16 with a mark, as spreadsheets write "Unicode text".
 * @throws GatewayError INVALID_REQUEST when the file has another encoding
 */
async function* decodedText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let start: Buffer = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (decoder !== null) {
      yield decode(decoder, piece)
      continue
    }
    start = Buffer.concat([start, piece])
    if (start.length < 4) continue
    decoder = chooseDecoder(start)
    yield decode(decoder, start)
  }
  if (decoder !== null) yield decode(decoder, undefined, true)
  else yield decode(chooseDecoder(start), start, true)
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined, isLast = false): string {
  try {
    return decoder.decode(bytes, { stream: !isLast })
  } catch {
    throw invalidField(
      'recipients',
      decoder.encoding === 'utf-8'
        ? 'is not UTF-8: save it as "CSV UTF-8"'
        : 'is damaged UTF-16: save it as "CSV UTF-8"',
    )
  }
}

/** Refuses UTF-16 without a mark: the first of two bytes, or the second, is 0 in each character of ASCII. */
function chooseDecoder(start: Buffer): InstanceType<typeof TextDecoder> {
  const [first, second, third, fourth] = start
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true })
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true })
  const isBare = (first === 0 && second !== 0 && third === 0) || (second === 0 && first !== 0 && fourth === 0)
  if (isBare) throw invalidField('recipients', 'is UTF-16 without a byte order mark: save it as "CSV UTF-8"')
  return new TextDecoder('utf-8', { fatal: true })
}
