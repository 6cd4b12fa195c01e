import type { ReactNode } from 'react'
import { Button } from '../../components/button.js'
import { labelLook, wrongLook } from '../../components/field.js'
import { useComposerWords } from '../../words/composer/index.js'
import styles from './composer.module.css'
import { moveRowUp, removeRow } from './rows.js'

interface BuilderRowsProps<Row> {
  readonly rows: readonly Row[]
  readonly onChange: (rows: readonly Row[]) => void
  readonly min?: number
  readonly max: number
  readonly name: (number: number) => string
  readonly add: string
  readonly create: () => Row
  readonly children: (row: Row, index: number) => ReactNode
  readonly wrongAt?: (index: number) => string | undefined
}

/** Rows of a builder, which one adds, removes and moves. The limits are those that the gateway refuses beyond. */
export function BuilderRows<Row extends { readonly key: string }>(props: BuilderRowsProps<Row>) {
  const { rows, onChange, min = 1, max, name, add, create, children, wrongAt } = props
  const composer = useComposerWords()
  return (
    // The focus stays here when the row that had it is removed.
    <div className={styles.rows} tabIndex={-1}>
      {rows.map((row, index) => (
        <fieldset key={row.key} className={styles.row}>
          <legend className={labelLook}>{name(index + 1)}</legend>
          {children(row, index)}
          <Wrong why={wrongAt?.(index)} />
          <div className={styles.inline}>
            {index === 0 ? null : (
              <Button aria-label={composer.up(name(index + 1))} onClick={() => onChange(moveRowUp(rows, index))}>
                ↑
              </Button>
            )}
            {rows.length <= min ? null : (
              <Button aria-label={composer.remove(name(index + 1))} onClick={() => onChange(removeRow(rows, index))}>
                ✕
              </Button>
            )}
          </div>
        </fieldset>
      ))}
      {rows.length >= max ? null : (
        <div>
          <Button onClick={() => onChange([...rows, create()])}>+ {add}</Button>
        </div>
      )}
    </div>
  )
}

function Wrong({ why }: { readonly why: string | undefined }) {
  return why === undefined ? null : (
    <p className={wrongLook} role="alert">
      {why}
    </p>
  )
}
