/** How a bench tells what it found. */

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

/** The numbers from `first` to before `end`, of a series of their own. */
export function phoneNumbers(series: number, first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, index) => `1555${series}${String(first + index).padStart(6, '0')}`)
}
