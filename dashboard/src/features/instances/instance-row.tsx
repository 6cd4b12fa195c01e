import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FoundInstance } from '../../../../schemas/generated.js'
import { Moment } from '../../components/moment.js'
import { StatusPill } from '../../components/status-pill.js'
import { showUnseen } from '../../format/visible.js'
import { useEnding } from '../../hooks/use-sentences.js'
import { useBulkWords } from '../../words/bulk/index.js'
import { useLanguage, useNumbers, useWords } from '../../words/index.js'
import styles from './instances.module.css'
import type { Column } from './view.js'

/** Shown where a value is not known. */
const NONE = '–'
/** Number up to which the gateway counts waiting messages. */
const WAITING_MAX = 1_000

interface InstanceRowProps {
  readonly row: FoundInstance
  readonly index: number
  readonly columns: readonly Column[]
  readonly measure: (element: Element | null) => void
  readonly isSelected: boolean
  readonly onToggle: () => void
}

export function InstanceRow({ row, index, columns, measure, isSelected, onToggle }: InstanceRowProps) {
  const bulk = useBulkWords()
  const { id, name } = row.instance
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} aria-selected={isSelected}>
      <td className={styles.box}>
        <input
          type="checkbox"
          className={styles.check}
          aria-label={bulk.select(showUnseen(name))}
          checked={isSelected}
          onChange={onToggle}
        />
      </td>
      <th scope="row">
        <Link to="/instances/$id" params={{ id }}>
          <bdi>{showUnseen(name) || id}</bdi>
        </Link>
      </th>
      {columns.map((column) => (
        <td key={column} data-label={bulk.column[column]}>
          <Cell row={row} column={column} />
        </td>
      ))}
    </tr>
  )
}

function Cell({ row, column }: { readonly row: FoundInstance; readonly column: Column }): ReactNode {
  const words = useWords()
  const language = useLanguage()
  const { instance, node, paired, lastActivity, since } = row
  switch (column) {
    case 'number':
      return paired && instance.owner !== '' ? `+${instance.owner}` : words.instances.notPaired
    case 'status':
      return <State row={row} />
    case 'since':
      // A node of a former release does not tell.
      return typeof since === 'string' ? <Moment at={since} language={language} /> : NONE
    case 'waiting':
      return <Waiting count={row.waitingSends} />
    case 'node':
      return <bdi>{showUnseen(node)}</bdi>
    case 'activity':
      return lastActivity === null ? words.instances.never : <Moment at={lastActivity} language={language} />
    case 'tags':
      return <bdi>{showUnseen((instance.tags ?? []).join(', '))}</bdi>
    case 'notes':
      return <bdi>{showUnseen([instance.adminField01, instance.adminField02].filter(Boolean).join(' · '))}</bdi>
  }
}

function Waiting({ count }: { readonly count: number | undefined }) {
  const bulk = useBulkWords()
  const number = useNumbers()
  if (count === undefined) return NONE
  return count < WAITING_MAX ? number(count) : bulk.orMore(number(count))
}

function State({ row: { instance } }: { readonly row: FoundInstance }) {
  const words = useWords()
  const sayEnding = useEnding()
  const { status, lastDisconnectReason } = instance
  return (
    <>
      <StatusPill status={status} word={words.status[status]} />
      {status !== 'connected' && lastDisconnectReason ? (
        <div className={styles.reason}>
          <bdi>{sayEnding(lastDisconnectReason)}</bdi>
        </div>
      ) : null}
    </>
  )
}
