import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { FoundInstance } from '../../../../schemas/generated.js'
import { RowGuard } from '../../components/row-guard.js'
import { useBulkWords } from '../../words/bulk/index.js'
import { useWords } from '../../words/index.js'
import { InstanceRow } from './instance-row.js'
import styles from './instances.module.css'
import { useRowKeys } from './use-row-keys.js'
import type { Column } from './view.js'

const ROW_PX = 64
/** Rows before the end of the list at which the next page is read. */
const AHEAD = 30
/** Rows that are drawn above and below those in sight. */
const OVERSCAN = 10

interface InstanceTableProps {
  readonly rows: readonly FoundInstance[]
  readonly columns: readonly Column[]
  readonly isSelected: (id: string) => boolean
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
  readonly onEnd: () => void
  readonly searchPlace: RefObject<HTMLInputElement | null>
}

/** Draws only the rows in sight. */
export function InstanceTable({ rows, columns, isSelected, onSelect, onEnd, searchPlace }: InstanceTableProps) {
  const words = useWords()
  const bulk = useBulkWords()
  const place = useRef<HTMLElement>(null)
  // The virtualizer computes the place of each row again when this function changes.
  const getKey = useCallback((index: number) => rows[index]?.instance.id ?? index, [rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    getItemKey: getKey,
    overscan: OVERSCAN,
  })
  const toggle = (index: number) => {
    const id = rows[index]?.instance.id
    if (id !== undefined) onSelect([id], !isSelected(id))
  }
  useRowKeys({ place, searchPlace, count: rows.length, reveal: (index) => virtualizer.scrollToIndex(index), toggle })
  const shown = virtualizer.getVirtualItems()
  const last = shown.at(-1)
  const lastIndex = last?.index ?? -1
  useEffect(() => {
    if (lastIndex >= rows.length - AHEAD) onEnd()
  }, [lastIndex, rows.length, onEnd])
  const areAllSelected = rows.every(({ instance }) => isSelected(instance.id))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it by keys.
    <section className={styles.list} ref={place} tabIndex={0} aria-label={words.instances.title}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                className={styles.check}
                aria-label={bulk.selectShown}
                checked={areAllSelected}
                onChange={({ target }) =>
                  onSelect(
                    rows.map(({ instance }) => instance.id),
                    target.checked,
                  )
                }
              />
            </th>
            <th scope="col">{words.instances.name}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {bulk.column[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space heightPx={shown[0]?.start ?? 0} columns={columns.length + 2} />
          {shown.map(({ index, key }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <RowGuard
                key={key}
                instead={<Broken index={index} columns={columns.length + 2} measure={virtualizer.measureElement} />}
              >
                <InstanceRow
                  row={row}
                  index={index}
                  columns={columns}
                  measure={virtualizer.measureElement}
                  isSelected={isSelected(row.instance.id)}
                  onToggle={() => toggle(index)}
                />
              </RowGuard>
            )
          })}
          <Space heightPx={virtualizer.getTotalSize() - (last?.end ?? 0)} columns={columns.length + 2} />
        </tbody>
      </table>
    </section>
  )
}

interface BrokenProps {
  readonly index: number
  readonly columns: number
  readonly measure: (element: Element | null) => void
}

function Broken({ index, columns, measure }: BrokenProps) {
  const words = useWords()
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td colSpan={columns}>{words.brokenRow}</td>
    </tr>
  )
}

function Space({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus.
    <tr aria-hidden="true" className={styles.space}>
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  )
}
