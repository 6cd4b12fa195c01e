import { makeNumberFormat } from '../../format/formats.js'
import { useLanguage } from '../../words/index.js'
import styles from './charts.module.css'

export interface FunnelStep {
  readonly name: string
  readonly count: number
}

interface FunnelProps {
  readonly labelledBy: string
  /** Each one is a part of the one before it. */
  readonly steps: readonly FunnelStep[]
}

/** How many come from one step to the next. Beside each other, or below each other where there is no room. */
export function Funnel({ labelledBy, steps }: FunnelProps) {
  const language = useLanguage()
  const number = makeNumberFormat(language)
  const percent = makeNumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  const all = Math.max(1, steps[0]?.count ?? 0)
  return (
    <ol className={styles.funnel} aria-labelledby={labelledBy}>
      {steps.map(({ name, count }, place) => {
        const share = Math.min(1, count / all)
        const next = Math.min(1, (steps[place + 1]?.count ?? count) / all)
        return (
          <li key={name}>
            <span className={styles.stepName}>{name}</span>
            <strong>{number.format(count)}</strong>
            <span className={styles.stepShare}>{percent.format(count / all)}</span>
            <span
              className={styles.stepShape}
              style={{ '--from': share, '--to': next, '--place': place } as React.CSSProperties}
              aria-hidden="true"
            />
          </li>
        )
      })}
    </ol>
  )
}
