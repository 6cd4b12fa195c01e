/** Columns of a list of recipients: the number, the name, the time zone, and values of placeholders. */
import { invalidField } from '../../schemas/invalid-field.js'

// Bound: 65,536, the name of a column.

export const COLUMNS_MAX = 50
const NAME_LENGTH_MAX = 60
const NUMBER_NAMES = new Set(['number', 'phone', 'numero', 'número', 'telefone', 'celular', 'whatsapp'])
const NAME_NAMES = new Set(['name', 'nome'])
const ZONE_NAMES = new Set(['timezone'])
/** Names of properties that every object has. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

/** Meaning of a column. A name other than the three is that of a placeholder. */
export type Column = { readonly is: 'number' | 'name' | 'timezone' } | { readonly is: 'value'; readonly name: string }

/** Returns the meaning of a column of that name, or a sentence about the name. */
export function columnOf(name: string): Column | string {
  const trimmed = name.trim()
  const lower = trimmed.toLowerCase()
  if (NUMBER_NAMES.has(lower)) return { is: 'number' }
  if (NAME_NAMES.has(lower)) return { is: 'name' }
  if (ZONE_NAMES.has(lower)) return { is: 'timezone' }
  if (trimmed === '') return 'has a column without a name'
  if (trimmed.length > NAME_LENGTH_MAX) return `has a column whose name is longer than ${NAME_LENGTH_MAX} characters`
  if (RESERVED.has(lower) || /[{}\p{Cc}]/u.test(trimmed)) return `has a column with a name that cannot be a placeholder`
  return { is: 'value', name: trimmed }
}

/**
 * Reads the header of a CSV file.
 * @throws GatewayError INVALID_REQUEST
 */
export function columnsOfHeader(cells: readonly string[]): readonly Column[] {
  if (cells.length > COLUMNS_MAX) throw invalidField('recipients', `has more than ${COLUMNS_MAX} columns`)
  const columns = cells.map((cell) => {
    const column = columnOf(cell)
    if (typeof column === 'string') throw invalidField('recipients', `${column}, in line 1`)
    return column
  })
  const names = columns.map((column) => (column.is === 'value' ? `value ${column.name.toLowerCase()}` : column.is))
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice >= 0) throw invalidField('recipients', `has the column ${cells[twice]?.trim()} twice, in line 1`)
  if (!names.includes('number')) {
    throw invalidField('recipients', 'must name its columns in line 1, and one of them must be "number"')
  }
  return columns
}
