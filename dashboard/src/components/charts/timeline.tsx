import type { ReactNode } from 'react'
import styles from './charts.module.css'

export interface TimelineItem {
  readonly key: string
  readonly look: 'good' | 'bad' | 'open'
  readonly content: ReactNode
}

/** What happened, one below the other along a line, the oldest first. */
export function Timeline({ items }: { readonly items: readonly TimelineItem[] }) {
  return (
    <ol className={styles.timeline}>
      {items.map(({ key, look, content }) => (
        <li key={key} className={styles[look]}>
          {content}
        </li>
      ))}
    </ol>
  )
}
