/** Places values and times on a chart. */

/** Steps of an axis, times a power of ten. */
const NICE = [1, 2, 2.5, 5, 10] as const
/** Time between two marks, from the shortest. */
const TIME_STEPS_MS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 7, 14, 30].map((days) => days * 86_400_000),
]

/** Returns the marks of a value axis, from 0 to the first one at or above `most`. `isWhole`: of things that have no parts. */
export function makeValueMarks(most: number, isWhole: boolean, marks = 4): readonly number[] {
  const top = most > 0 ? Math.max(most, isWhole ? 1 : 0) : 1
  const rough = top / marks
  const power = 10 ** Math.floor(Math.log10(rough))
  const nice = (NICE.find((one) => one * power >= rough) ?? 10) * power
  const step = isWhole ? Math.max(1, Math.ceil(nice)) : nice
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step)
}

/** Returns the times at which a time axis has its marks: at most so many, on full steps of the reader's own time. */
export function makeTimeMarks(from: number, to: number, marks: number): readonly number[] {
  const stepMs = TIME_STEPS_MS.find((one) => (to - from) / one <= marks) ?? (to - from) / Math.max(1, marks)
  const zoneMs = new Date(from).getTimezoneOffset() * 60_000
  const first = Math.ceil((from - zoneMs) / stepMs) * stepMs + zoneMs
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / stepMs) + 1) },
    (_, index) => first + index * stepMs,
  )
}

/** A point of a line; null where there is no value. */
export type Point = readonly [x: number, y: number] | null

/** Returns the path of a line, with gaps. `floor`: of the area below it. */
export function drawPath(points: readonly Point[], floor?: number): string {
  return splitStretches(points)
    .map((stretch) => {
      const line = stretch.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
      const [first, last] = [stretch[0], stretch.at(-1)]
      if (first === undefined || last === undefined) return ''
      // A point without neighbours is a short line, which round ends make a dot.
      if (floor === undefined) return stretch.length === 1 ? `${line}h0.01` : line
      return `${line}L${last[0].toFixed(1)} ${floor}L${first[0].toFixed(1)} ${floor}Z`
    })
    .join('')
}

function splitStretches(points: readonly Point[]): readonly (readonly (readonly [number, number])[])[] {
  const all: (readonly [number, number])[][] = [[]]
  for (const point of points)
    if (point === null) all.push([])
    else all.at(-1)?.push(point)
  return all.filter(({ length }) => length > 0)
}

/** Returns the place of the value that is nearest. */
export function findNearest(values: readonly number[], wanted: number): number {
  return values.reduce(
    (best, value, place) => (Math.abs(value - wanted) < Math.abs((values[best] ?? Infinity) - wanted) ? place : best),
    0,
  )
}
