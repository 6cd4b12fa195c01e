/**
 * Rows as parameters of a statement: a few as plain values, more of them as an array for each column. To take a row or two out of arrays costs
 * PostgreSQL more than most statements do with them, and it does not know how long arrays are when it makes its plan.
 */
import { bigintArray, boolArray, bytesArray, intArray, textArray, withoutNul } from './arrays.js'
import type { Value } from './journal/wave.js'

const arrays = {
  text: textArray,
  bigint: bigintArray,
  bool: boolArray,
  bytea: bytesArray,
  int: intArray,
} as const

export type ColumnType = keyof typeof arrays
export type Cell = string | number | boolean | Uint8Array | null | undefined
/** The columns of one row, in the order of its columns. */
export type Cells = readonly Cell[]

export interface GivenColumns {
  /** Alias of the rows in the statement. */
  readonly alias: string
  readonly columns: readonly (readonly [name: string, type: ColumnType])[]
  /** Name of a further column with the place of the row, from 1. */
  readonly place?: string
  /** Number of its first parameter; 1 if it is absent. */
  readonly from?: number
}

/** Maximum number of rows that are given as plain values. Each number of rows is a statement of its own. */
const FEW = 4

export interface GivenRows {
  /** Source of exactly one row, to stand behind FROM. */
  readonly one: string
  /** Source of any number of rows, in their order, from arrays. */
  readonly many: string
  /** Returns the source for this number of rows: plain values for a few, arrays for more. */
  chooseSource(rows: readonly Cells[]): string
  /** Returns the parameters of `chooseSource`. */
  listValues(rows: readonly Cells[]): Value[]
  /** Returns the parameters of `one` for one row, and otherwise those of `many`. */
  valuesOfOneOrMany(rows: readonly Cells[]): Value[]
}

export function givenRows({ alias, columns, place, from = 1 }: GivenColumns): GivenRows {
  const names = [...columns.map(([name]) => name), ...(place === undefined ? [] : [place])].join(', ')
  const lists = columns.map(([, type], index) => `$${from + index}::${type}[]`)
  const cellsAt = (row: number): string => {
    const first = from + row * columns.length
    const cells = columns.map(([, type], index) => `$${first + index}::${type}`)
    return [...cells, ...(place === undefined ? [] : [`${row + 1}::bigint`])].join(', ')
  }
  const few = Array.from({ length: FEW }, (_, last) => {
    const rows = Array.from({ length: last + 1 }, (_, row) => `(${cellsAt(row)})`)
    return `(VALUES ${rows.join(', ')}) AS ${alias}(${names})`
  })
  const many = `unnest(${lists.join(', ')})${place === undefined ? '' : ' WITH ORDINALITY'} AS ${alias}(${names})`
  const plain = (rows: readonly Cells[]): Value[] => rows.flatMap((row) => row.map(toValue))
  const listed = (rows: readonly Cells[]): Value[] =>
    columns.map(([, type], index) => arrays[type](rows.map((row) => row[index] as never)))
  return {
    one: few[0] ?? many,
    many,
    chooseSource: (rows) => few[rows.length - 1] ?? many,
    listValues: (rows) => (rows.length <= FEW ? plain(rows) : listed(rows)),
    valuesOfOneOrMany: (rows) => (rows.length === 1 ? plain(rows) : listed(rows)),
  }
}

/** Returns a function that makes a statement for some rows, with its values. Its texts are constants, as prepared statements must be. */
export function prepareStatement(
  given: GivenRows,
  formatText: (source: string) => string,
): (rows: readonly Cells[]) => [text: string, values: Value[]] {
  const texts = new Map<string, string>()
  return (rows) => {
    const source = given.chooseSource(rows)
    const text = texts.get(source) ?? formatText(source)
    texts.set(source, text)
    return [text, given.listValues(rows)]
  }
}

/** Returns a cell as the arrays would have it. */
function toValue(cell: Cell): Value {
  if (typeof cell === 'string') return withoutNul(cell)
  if (typeof cell === 'number') return Math.trunc(cell)
  if (typeof cell === 'boolean') return String(cell)
  if (cell === undefined) return null
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength) : cell
}
