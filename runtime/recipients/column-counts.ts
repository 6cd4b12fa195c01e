import { roleOf } from '../../schemas/list-columns.js'
import { firstWord } from '../../schemas/placeholders.js'
import type { ColumnSurvey } from '../../schemas/ports/campaign-imports.js'

interface Counts {
  readonly isName: boolean
  filled: number
  firstNames: number
}

/** A list of JSON may have other fields in each line. */
const COLUMNS_MAX = 1_000

/** Counts the values of each column of a list. */
export class ColumnCounts {
  readonly #columns = new Map<string, Counts>()

  add(values: readonly (readonly [column: string, value: string])[]): void {
    if (this.#columns.size > COLUMNS_MAX) return
    for (const [column, value] of values) {
      const counts = this.#columns.get(column) ?? { isName: roleOf(column) === 'name', filled: 0, firstNames: 0 }
      if (!this.#columns.has(column)) this.#columns.set(column, counts)
      if (value.trim() === '') continue
      counts.filled += 1
      if (counts.isName && firstWord(value) !== '') counts.firstNames += 1
    }
  }

  /** Returns null if there were too many columns. */
  counts(): ReadonlyMap<string, ColumnSurvey> | null {
    return this.#columns.size > COLUMNS_MAX ? null : this.#columns
  }
}
