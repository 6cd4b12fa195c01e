import { useFleetWords } from '../../words/fleet/index.js'
import { useNumbers } from '../../words/index.js'
import styles from './line.module.css'
import { Spark } from './spark.js'

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
  return (
    <figure className={styles.figure}>
      <figcaption>
        {name} <strong>{number(sum)}</strong>
      </figcaption>
      <Spark label={words.lineOf(name, number(sum), number(Math.max(0, ...values)))} values={values} />
    </figure>
  )
}
