import styles from './charts.module.css'

export interface StripBar {
  readonly key: string
  readonly value: number
  readonly look: 'good' | 'bad' | 'open'
  /** Shown at the pointer. */
  readonly title: string
}

interface StripProps {
  /** Says in words what the bars show. */
  readonly label: string
  readonly bars: readonly StripBar[]
}

/** Some dozens of outcomes beside each other, the newest at the right: their colour says how they ended, their height how long they took. */
export function Strip({ label, bars }: StripProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <div className={styles.strip} role="img" aria-label={label}>
      {bars.map(({ key, value, look, title }) => (
        <span key={key} title={title} className={styles[look]} style={{ height: `${20 + (value / most) * 80}%` }} />
      ))}
    </div>
  )
}
