import type { ReactNode } from 'react'
import styles from './controls.module.css'

interface NoticeProps {
  readonly look?: 'plain' | 'bad' | 'busy'
  readonly children: ReactNode
}

/** A sentence that screen readers tell when it appears. */
export function Notice({ look = 'plain', children }: NoticeProps) {
  return (
    <div
      className={`${styles.notice} ${look === 'plain' ? '' : styles[look]}`}
      role={look === 'bad' ? 'alert' : 'status'}
    >
      {children}
    </div>
  )
}

export function Card({ children, labelledBy }: { readonly children: ReactNode; readonly labelledBy?: string }) {
  return (
    <section className={styles.card} aria-labelledby={labelledBy}>
      {children}
    </section>
  )
}
