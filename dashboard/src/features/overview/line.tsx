import { useFleetWords } from '../../words/fleet/index.js'
import { useNumbers } from '../../words/index.js'
import styles from './line.module.css'

const WIDTH = 240
const HEIGHT = 48

interface LineProps {
  readonly name: string
  /** One value for each minute, oldest first. */
  readonly values: readonly number[]
}

/** A figure of the last hour as a number and a small line. */
export function Line({ name, values }: LineProps) {
  const words = useFleetWords()
  const number = useNumbers()
  const sum = values.reduce((before, value) => before + value, 0)
  const most = Math.max(1, ...values)
  const points = values
    .map((value, index) => {
      const x = (index * WIDTH) / Math.max(1, values.length - 1)
      return `${x.toFixed(1)},${(HEIGHT - 2 - (value * (HEIGHT - 4)) / most).toFixed(1)}`
    })
    .join(' ')
  return (
    <figure className={styles.figure}>
      <figcaption>
        {name} <strong>{number(sum)}</strong>
      </figcaption>
      <svg
        className={styles.line}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.lineOf(name, number(sum), number(Math.max(0, ...values)))}
      >
        <polyline points={points} fill="none" stroke="currentColor" strokeWidth="2" vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  )
}
