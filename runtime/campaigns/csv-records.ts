/** Reads CSV as it arrives (RFC 4180), with `,` `;` `|` or a tab between the fields. A damaged record costs itself and nothing after it. */

/** One record with the line of the file in which it begins, from 1. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly why: string }

/** Maximum length of a record in characters. So much stays in memory. */
export const RECORD_LENGTH_MAX = 65_536
/** An open quote is looked for up to the maximum of a record, and the reading goes on behind its first line. */
const OPEN_QUOTES_MAX = 100
const DELIMITERS = [',', ';', '\t', '|'] as const

const QUOTE = 34
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

export class CsvRecords {
  #text = ''
  #at = 0
  #line = 1
  #delimiter: string | null = null
  #isSkipping = false
  #openQuotes = 0

  /** Returns the records that end in this piece of the file. */
  push(piece: string): CsvRecord[] {
    return this.#read(piece, false)
  }

  /** Returns the record after the last line break. */
  end(): CsvRecord[] {
    return this.#read('', true)
  }

  #read(piece: string, isLast: boolean): CsvRecord[] {
    this.#text = this.#text.slice(this.#at) + piece
    this.#at = 0
    const records: CsvRecord[] = []
    while (this.#at < this.#text.length) {
      if (this.#isSkipping) {
        if (!this.#skipLine()) break
        continue
      }
      const line = this.#line
      const read = this.#readRecord(isLast)
      if (read === 'incomplete') {
        if (this.#text.length - this.#at <= RECORD_LENGTH_MAX) break
        records.push({ line, why: `is longer than ${RECORD_LENGTH_MAX} characters` })
        this.#isSkipping = true
      } else if (typeof read === 'string') {
        records.push({ line, why: read })
        this.#isSkipping = true
      } else if (read.some((cell) => cell !== '')) {
        // Tables end in empty rows.
        records.push({ line, cells: read })
      }
    }
    return records
  }

  /** Moves behind the end of the line. Returns false if the end has not arrived yet, and drops the part that has. */
  #skipLine(): boolean {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end + 1
    if (end < 0) return false
    this.#line += 1
    this.#isSkipping = false
    return true
  }

  /** Reads a record and moves behind it. Returns its cells, or a sentence when it is damaged; then it has not moved. */
  #readRecord(isLast: boolean): string[] | string {
    const text = this.#text
    const cells: string[] = []
    let at = this.#at
    let lines = 0
    this.#delimiter ??= guessCsvDelimiter(text, at, isLast)
    if (this.#delimiter === null) return 'incomplete'
    const delimiter = this.#delimiter.charCodeAt(0)
    for (;;) {
      let cell: string
      if (text.charCodeAt(at) === QUOTE) {
        const quoted = this.#quoted(at, isLast)
        if (typeof quoted === 'string') return quoted
        ;({ cell, at } = quoted)
        lines += quoted.lines
      } else {
        const start = at
        while (at < text.length && !isEnd(text.charCodeAt(at), delimiter)) at += 1
        cell = text.slice(start, at)
      }
      if (at - this.#at > RECORD_LENGTH_MAX) return `is longer than ${RECORD_LENGTH_MAX} characters`
      cells.push(cell)
      if (at >= text.length) {
        if (!isLast) return 'incomplete'
        break
      }
      const end = text.charCodeAt(at)
      at += 1
      if (end === delimiter) continue
      if (end !== LINE_FEED && end !== CARRIAGE_RETURN) return 'has text behind a closing quote'
      if (end === CARRIAGE_RETURN) {
        if (at >= text.length && !isLast) return 'incomplete'
        if (text.charCodeAt(at) === LINE_FEED) at += 1
      }
      lines += 1
      break
    }
    this.#at = at
    this.#line += lines
    return cells
  }

  /** Reads a cell in quotes, in which two quotes are one, and line breaks belong to the cell. */
  #quoted(start: number, isLast: boolean): { cell: string; at: number; lines: number } | string {
    const text = this.#text
    let at = start + 1
    for (;;) {
      const quote = text.indexOf('"', at)
      if (quote < 0 || quote - this.#at > RECORD_LENGTH_MAX) return this.#openQuote(isLast)
      if (quote + 1 >= text.length && !isLast) return 'incomplete'
      if (text.charCodeAt(quote + 1) !== QUOTE) {
        const raw = text.slice(start + 1, quote)
        return { cell: raw.replaceAll('""', '"'), at: quote + 1, lines: countLines(raw) }
      }
      at = quote + 2
    }
  }

  #openQuote(isLast: boolean): string {
    if (!isLast && this.#text.length - this.#at <= RECORD_LENGTH_MAX) return 'incomplete'
    this.#openQuotes += 1
    // Each open quote costs a search for its end, so their number is limited.
    if (this.#openQuotes > OPEN_QUOTES_MAX) this.#at = this.#text.length
    return 'has a quote that is not closed'
  }

  /** True when so many quotes are open that the rest of the file cannot be read. */
  get isBroken(): boolean {
    return this.#openQuotes > OPEN_QUOTES_MAX
  }
}

function isEnd(code: number, delimiter: number): boolean {
  return code === delimiter || code === LINE_FEED || code === CARRIAGE_RETURN
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** Returns the separator that the header has most often outside of quotes; null when the header is not here yet. */
function guessCsvDelimiter(text: string, start: number, isLast: boolean): string | null {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (let at = start; at < text.length && at - start <= RECORD_LENGTH_MAX; at += 1) {
    const character = text[at] as string
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) return findMostFrequent(counts)
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return isLast || text.length - start > RECORD_LENGTH_MAX ? findMostFrequent(counts) : null
}

function findMostFrequent(counts: ReadonlyMap<string, number>): string {
  return DELIMITERS.reduce((most, one) => ((counts.get(one) ?? 0) > (counts.get(most) ?? 0) ? one : most))
}
