import type { ReactNode } from 'react'
import styles from './charts.module.css'

export interface Bar {
  readonly key: string
  readonly name: ReactNode
  readonly value: number
  /** The value as the reader writes it. */
  readonly text: string
  /** Number of its colour, from 1. */
  readonly colour?: number
}

interface BarsProps {
  readonly labelledBy: string
  readonly bars: readonly Bar[]
}

/** Values beside each other as lengths, each with its name and number. */
export function Bars({ labelledBy, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul className={styles.bars} aria-labelledby={labelledBy}>
      {bars.map(({ key, name, value, text, colour = 1 }) => (
        <li key={key}>
          <span className={styles.barName}>{name}</span>
          <span className={styles.barValue}>{text}</span>
          <span className={styles.track} aria-hidden="true">
            <span style={{ width: `${(value / most) * 100}%`, background: `var(--series-${colour})` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
