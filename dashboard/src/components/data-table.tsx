import type { ReactNode } from 'react'
import styles from './data-table.module.css'

interface DataTableProps {
  /** Element that names the table. */
  readonly labelledBy: string
  readonly heads: readonly string[]
  /** The first cell of a row is its heading. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

/** A table of some hundred rows at most. On narrow screens each row is a card. Longer lists are drawn by TanStack Virtual. */
export function DataTable({ labelledBy, heads, rows }: DataTableProps) {
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
          {rows.map(({ key, cells }) => (
            <tr key={key}>
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
          ))}
        </tbody>
      </table>
    </div>
  )
}
