/**
 * Rows as parameters of a statement: one by itself as plain values, several as an array for each column. To take one row out of arrays costs
 * PostgreSQL more than most statements do with it.
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
  /** How the statement calls the rows. */
  readonly alias: string
  readonly columns: readonly (readonly [name: string, type: ColumnType])[]
  /** Name of a further column with the place of the row, from 1. */
  readonly place?: string
  /** Number of its first parameter; 1 if it is absent. */
  readonly from?: number
}

export interface GivenRows {
  /** What a statement reads from: exactly one row. */
  readonly one: string
  /** What a statement reads from: any number of rows, in their order. */
  readonly many: string
  /** The parameters; of one row those that `one` takes. */
  valuesOf(rows: readonly Cells[]): Value[]
}

export function givenRows({ alias, columns, place, from = 1 }: GivenColumns): GivenRows {
  const names = columns.map(([name]) => name)
  const cells = columns.map(([name, type], index) => `$${from + index}::${type} AS ${name}`)
  const lists = columns.map(([, type], index) => `$${from + index}::${type}[]`)
  const onlyPlace = place === undefined ? [] : [`1::bigint AS ${place}`]
  const places = place === undefined ? [] : [place]
  return {
    one: `(SELECT ${[...cells, ...onlyPlace].join(', ')}) AS ${alias}`,
    many: `unnest(${lists.join(', ')})${place === undefined ? '' : ' WITH ORDINALITY'} AS ${alias}(${[...names, ...places].join(', ')})`,
    valuesOf(rows) {
      const [only] = rows
      if (rows.length === 1 && only !== undefined) return only.map(toValue)
      return columns.map(([, type], index) => arrays[type](rows.map((row) => row[index] as never)))
    },
  }
}

/** Returns a function that makes a statement for some rows, with its values. Both of its texts are constants, as prepared statements must be. */
export function statementOf(
  given: GivenRows,
  textOf: (source: string) => string,
): (rows: readonly Cells[]) => [text: string, values: Value[]] {
  const [one, many] = [textOf(given.one), textOf(given.many)]
  return (rows) => [rows.length === 1 ? one : many, given.valuesOf(rows)]
}

/** Returns a cell as the arrays would have it. */
function toValue(cell: Cell): Value {
  if (typeof cell === 'string') return withoutNul(cell)
  if (typeof cell === 'number') return Math.trunc(cell)
  if (typeof cell === 'boolean') return String(cell)
  if (cell === undefined) return null
  return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength) : cell
}
