import { isObject } from '../../lib/is-object.js'
import { GatewayError } from '../../schemas/errors.js'
import { type ChatAddress, parseRecipient } from '../../schemas/jid.js'
import { isTimeZone } from '../../schemas/time-zone.js'
import { COLUMNS_MAX, type RecipientColumn, withOneNumber } from './recipient-columns.js'

// Bound: 65,536, a line of a list.

/** One person of a list. */
export interface Recipient {
  /** As the list has it. */
  readonly number: string
  readonly address: ChatAddress
  /** Empty when the list has none. */
  readonly timezone: string
  /** All its cells by the names of their columns, as pairs: names like `__proto__` are no danger in a list. */
  readonly values: readonly (readonly [name: string, value: string])[]
}

/** One line of a list, from 1: a person, or why it is none. */
export type RecipientLine =
  | { readonly line: number; readonly recipient: Recipient }
  | { readonly line: number; readonly why: string }

const VALUE_LENGTH_MAX = 4_096

/** Reads the cells of a line. */
export function recipientOfCells(
  line: number,
  cells: readonly string[],
  columns: readonly RecipientColumn[],
  country = '',
): RecipientLine {
  if (cells.length !== columns.length) {
    return { line, why: `has ${cells.length} columns, and the header has ${columns.length}` }
  }
  return readRecipientLine(line, cells, columns, country)
}

/** Reads a line of NDJSON. @param findColumn returns the meaning of a field, or a sentence about its name */
export function recipientOfJson(
  line: number,
  text: string,
  findColumn: (name: string) => RecipientColumn | string,
  country = '',
): RecipientLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { line, why: 'is not JSON' }
  }
  if (!isObject(value) || Array.isArray(value)) return { line, why: 'is not an object of JSON' }
  const entries = Object.entries(value)
  if (entries.length > COLUMNS_MAX) return { line, why: `has more than ${COLUMNS_MAX} fields` }
  const columns: RecipientColumn[] = []
  const cells: string[] = []
  for (const [name, given] of entries) {
    const column = findColumn(name)
    if (typeof column === 'string') return { line, why: column.replace('column', 'field') }
    if (given === null) continue
    if (!['string', 'number', 'boolean'].includes(typeof given)) {
      return { line, why: `has a field that is not a text, a number or a boolean: ${name.slice(0, 60)}` }
    }
    columns.push(column)
    cells.push(String(given))
  }
  const settled = withOneNumber(columns)
  return typeof settled === 'string'
    ? { line, why: settled.replaceAll('column', 'field') }
    : readRecipientLine(line, cells, settled, country)
}

function readRecipientLine(
  line: number,
  cells: readonly string[],
  columns: readonly RecipientColumn[],
  country: string,
): RecipientLine {
  let number = ''
  let timezone = ''
  const values: [string, string][] = []
  for (const [index, column] of columns.entries()) {
    const text = cells[index] as string
    if (column.is === 'nothing') {
      if (text.trim() === '') continue
      return { line, why: 'has a value in a column without a name' }
    }
    if (text.includes('\0')) return { line, why: 'holds a NUL character' }
    if (text.length > VALUE_LENGTH_MAX) return { line, why: `has a value of more than ${VALUE_LENGTH_MAX} characters` }
    if (column.is === 'number') number = text.trim()
    else if (column.is === 'timezone') timezone ||= text.trim()
    values.push([column.name, text])
  }
  if (number === '') return { line, why: 'has no number' }
  if (timezone !== '' && !isTimeZone(timezone)) return { line, why: 'has a timezone that is not an IANA time zone' }
  const address = parseAddressOrNull(number, country)
  return typeof address === 'string'
    ? { line, why: address }
    : { line, recipient: { number, address, timezone, values } }
}

function parseAddressOrNull(number: string, country: string): ChatAddress | string {
  try {
    return parseRecipient(number, 'number', country)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const [detail] = error.details as readonly { readonly why: string }[]
    return `has a number that ${detail?.why ?? 'is not a number'}`
  }
}
