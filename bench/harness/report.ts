/** How a bench tells what it found. */

/** Calls before those that are timed. */
const UNCOUNTED = 20

export function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** A markdown table; all columns but the first are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map((_, index) => (index === 0 ? '---' : '--:')).join('|')}|`, ...rows.map(line)].join(
    '\n',
  )
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Times `calls` calls one after the other, after some that do not count. In milliseconds. */
export async function timed(
  calls: number,
  call: (round: number) => Promise<unknown>,
): Promise<{ readonly p50: number; readonly p95: number }> {
  for (let round = 0; round < UNCOUNTED; round += 1) await call(round)
  const times: number[] = []
  for (let round = 0; round < calls; round += 1) {
    const started = performance.now()
    await call(round)
    times.push(performance.now() - started)
  }
  return { p50: median(times), p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN }
}

/** The numbers from `first` to before `end`, of a series of their own. */
export function phoneNumbers(series: number, first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, index) => `1555${series}${String(first + index).padStart(6, '0')}`)
}
