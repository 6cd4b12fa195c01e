import { type ColumnPlace, ListColumns } from '../../schemas/list-columns.js'
import { valueAt } from '../../schemas/placeholders.js'
import type { LackedPlaceholder } from './placeholder-tally.js'

type Values = readonly (readonly [column: string, value: string])[]

const NOTHING: readonly LackedPlaceholder[] = []

/** Finds placeholders in the lines of a list. Lines with the same columns, one after the other, cost one search. */
export class ListPlaceholders {
  readonly #names: readonly string[]
  #columns: readonly string[] | null = null
  #places: readonly (ColumnPlace | null)[] = []
  #used = new Set<number>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** Returns the values that placeholders take from a line. */
  usedOf(values: Values): Values {
    this.#find(values)
    return values.filter((_, index) => this.#used.has(index))
  }

  /** Returns the placeholders for which a line has no value. */
  lackedBy(values: Values): readonly LackedPlaceholder[] {
    this.#find(values)
    let lacked: LackedPlaceholder[] | null = null
    for (const [at, place] of this.#places.entries()) {
      if (place !== null && valueAt(place, values[place.index]?.[1] ?? '') !== '') continue
      lacked ??= []
      lacked.push({ name: this.#names[at] as string, hasColumn: place !== null })
    }
    return lacked ?? NOTHING
  }

  #find(values: Values): void {
    const columns = this.#columns
    if (columns !== null && columns.length === values.length && values.every(([name], at) => name === columns[at]))
      return
    this.#columns = values.map(([name]) => name)
    const list = new ListColumns(this.#columns)
    this.#places = this.#names.map((name) => list.find(name))
    this.#used = new Set(this.#places.flatMap((place) => (place === null ? [] : [place.index])))
  }
}
