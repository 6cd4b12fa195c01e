import type { ReactNode } from 'react'
import { useWords } from '../words/index.js'
import styles from './data-table.module.css'
import { RowGuard } from './row-guard.js'

export interface TableRow {
  readonly key: string
  /** The first cell of a row is its heading. */
  readonly cells: readonly ReactNode[]
}

interface DataTableProps<Item> {
  /** Element that names the table. */
  readonly labelledBy: string
  readonly heads: readonly string[]
  readonly rows: readonly Item[]
  /** Draws a record. If it fails, or a cell does, a sentence stands in the place of this row only. */
  readonly row: (item: Item, place: number) => TableRow
}

/** A table of some hundred rows at most. On narrow screens each row is a card. Longer lists are drawn by TanStack Virtual. */
export function DataTable<Item>({ labelledBy, heads, rows, row }: DataTableProps<Item>) {
  const words = useWords()
  const broken = (
    <tr>
      <th scope="row" colSpan={heads.length}>
        {words.brokenRow}
      </th>
    </tr>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
    // biome-ignore lint/a11y/useSemanticElements: a second landmark of the same name would lead nowhere.
    <div className={styles.scroll} tabIndex={0} role="group" aria-labelledby={labelledBy}>
      <table className={styles.table} aria-labelledby={labelledBy}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((item, place) => {
            const drawn = makeRow(row, item, place)
            return (
              <RowGuard key={drawn?.key ?? `broken ${place}`} record={item} instead={broken}>
                {drawn === null ? broken : <Cells heads={heads} cells={drawn.cells} />}
              </RowGuard>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Returns null for a record that cannot be drawn. */
function makeRow<Item>(row: DataTableProps<Item>['row'], item: Item, place: number): TableRow | null {
  try {
    return row(item, place)
  } catch {
    return null
  }
}

function Cells({ heads, cells }: { readonly heads: readonly string[]; readonly cells: readonly ReactNode[] }) {
  return (
    <tr>
      {cells.map((cell, place) =>
        place === 0 ? (
          <th key={heads[place]} scope="row">
            {cell}
          </th>
        ) : (
          <td key={heads[place]} data-label={heads[place]}>
            {cell}
          </td>
        ),
      )}
    </tr>
  )
}
