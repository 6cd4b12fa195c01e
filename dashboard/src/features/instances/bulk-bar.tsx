import { useState } from 'react'
import type { InstanceFilter } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { useBulkWords } from '../../words/bulk/index.js'
import { useNumbers, useWords } from '../../words/index.js'
import { BulkDialog } from './bulk-dialog.js'
import styles from './instances.module.css'

const ACTIONS = ['connect', 'reset', 'tag', 'disconnect', 'delete'] as const
export type Action = (typeof ACTIONS)[number]
const HARD: ReadonlySet<Action> = new Set(['disconnect', 'delete'])

export type Chosen = { readonly ids: readonly string[] } | { readonly filter: InstanceFilter }

interface BulkBarProps {
  readonly chosen: Chosen
  /** Number of selected instances; null if all that match are selected. */
  readonly count: number | null
  /** Number of all that match the filter. */
  readonly all: number | null
  readonly onAll: () => void
  readonly onNone: () => void
}

/** What can be done with the selected instances. */
export function BulkBar({ chosen, count, all, onAll, onNone }: BulkBarProps) {
  const words = useWords()
  const bulk = useBulkWords()
  const number = useNumbers()
  const [action, setAction] = useState<Action | null>(null)
  return (
    <div className={styles.bulk} role="toolbar" aria-label={bulk.title}>
      <span role="status">{count === null ? bulk.allSelected(number(all ?? 0)) : bulk.selected(number(count))}</span>
      {count === null || all === null || count >= all ? null : (
        <Button onClick={onAll}>{bulk.selectAll(number(all))}</Button>
      )}
      {ACTIONS.map((one) => (
        <Button key={one} look={HARD.has(one) ? 'danger' : 'plain'} onClick={() => setAction(one)}>
          {bulk.actions[one]}
        </Button>
      ))}
      <Button onClick={onNone}>{words.cancel}</Button>
      {action === null ? null : (
        <BulkDialog action={action} chosen={chosen} onClose={() => setAction(null)} onDone={onNone} />
      )}
    </div>
  )
}
