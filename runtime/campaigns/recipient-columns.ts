/** Columns of a list of recipients: the number, the name, the time zone, and values of placeholders. */
import { invalidField } from '../../schemas/invalid-field.js'
import { type ColumnRole, findColumnRole } from '../../schemas/list-columns.js'

// Bound: 65,536, the name of a column.

export const COLUMNS_MAX = 50
const NAME_LENGTH_MAX = 60
/** Names of properties that every object has. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

/** Meaning of a column, with its name: that of a placeholder, whatever else it means. Spreadsheets add columns without a name, which stay empty. */
export interface RecipientColumn {
  readonly is: Exclude<ColumnRole, 'name'> | 'value' | 'nothing'
  readonly name: string
}

/** Returns the meaning of a column of that name, or a sentence about the name. */
export function checkColumn(name: string): RecipientColumn | string {
  const trimmed = name.trim()
  if (trimmed === '') return 'has a column without a name'
  if (trimmed.length > NAME_LENGTH_MAX) return `has a column whose name is longer than ${NAME_LENGTH_MAX} characters`
  if (RESERVED.has(trimmed.toLowerCase()) || /[{}\p{Cc}]/u.test(trimmed))
    return `has a column with a name that cannot be a placeholder`
  const role = findColumnRole(trimmed)
  return { is: role === undefined || role === 'name' ? 'value' : role, name: trimmed }
}

/**
 * Reads the header of a CSV file.
 * @throws GatewayError INVALID_REQUEST
 */
export function columnsOfHeader(cells: readonly string[]): readonly RecipientColumn[] {
  if (cells.length > COLUMNS_MAX) throw invalidField('recipients', `has more than ${COLUMNS_MAX} columns`)
  const columns = cells.map((cell): RecipientColumn => {
    if (cell.trim() === '') return { is: 'nothing', name: '' }
    const column = checkColumn(cell)
    if (typeof column === 'string') throw invalidField('recipients', `${column}, in line 1`)
    return column
  })
  const names = columns.map(({ name }) => name.toLowerCase())
  const twice = names.findIndex((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice >= 0) throw invalidField('recipients', `has the column ${columns[twice]?.name} twice, in line 1`)
  const settled = withOneNumber(columns)
  if (typeof settled === 'string') throw invalidField('recipients', `${settled}, in line 1`)
  if (!settled.some(({ is }) => is === 'number'))
    throw invalidField('recipients', 'must name its columns in line 1, and one of them must be "number"')
  return settled
}

/**
 * Returns the columns with one of them for the number at most: if several could be it, the one with this name, and the others are values.
 * Returns a sentence if none of them has it.
 */
export function withOneNumber(columns: readonly RecipientColumn[]): readonly RecipientColumn[] | string {
  const numbers = columns.filter(({ is }) => is === 'number')
  if (numbers.length < 2) return columns
  const chosen = numbers.find(({ name }) => name.toLowerCase() === 'number')
  const names = numbers.map(({ name }) => name).join(', ')
  if (chosen === undefined) return `has several columns that may be the number (${names}): name one of them "number"`
  return columns.map((column) => (column.is === 'number' && column !== chosen ? { ...column, is: 'value' } : column))
}
