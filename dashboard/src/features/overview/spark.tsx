import styles from './line.module.css'

const WIDTH = 240
const HEIGHT = 48
/** Width of a value without neighbours. */
const ALONE = 2

interface SparkProps {
  /** Says in words what the line shows. */
  readonly label: string
  /** One value for each minute, oldest first; null where there is none. */
  readonly values: readonly (number | null)[]
  /** Least value at the top, so that small changes look small. */
  readonly top?: number
}

/** A small line. It has a gap where there are no values. */
export function Spark({ label, values, top = 1 }: SparkProps) {
  const most = Math.max(top, ...values.map((value) => value ?? 0))
  const place = (value: number, index: number): readonly [number, number] => [
    (index * WIDTH) / Math.max(1, values.length - 1),
    HEIGHT - 2 - (value * (HEIGHT - 4)) / most,
  ]
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {splitStretches(values).map(({ from, values: known }) => (
        <polyline
          key={from}
          points={formatPoints(known.map((value, index) => place(value, from + index)))}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}

/** Returns the stretches without a gap. */
function splitStretches(values: readonly (number | null)[]): { readonly from: number; readonly values: number[] }[] {
  const stretches: { from: number; values: number[] }[] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const last = stretches.at(-1)
    if (last !== undefined && last.from + last.values.length === index) last.values.push(value)
    else stretches.push({ from: index, values: [value] })
  }
  return stretches
}

function formatPoints(places: readonly (readonly [number, number])[]): string {
  const [first] = places
  const drawn = places.length === 1 && first !== undefined ? [[first[0] - ALONE, first[1]] as const, first] : places
  return drawn.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
}
