/** The same work done by the gateway and by a bare client, in turns, and what it cost each. */
import { cpuMs, type Part } from './processes.js'
import { median, table } from './report.js'

interface Figure {
  readonly cpuMs: number
  readonly perSecond: number
}

export interface Row {
  readonly what: string
  readonly gateway: Figure[]
  readonly bare: Figure[]
}

/** The first `warmUp` rounds are not to be counted. */
export async function inRounds(
  warmUp: number,
  rounds: number,
  round: (isWarm: boolean) => Promise<void>,
): Promise<void> {
  for (let index = 0; index < warmUp + rounds; index += 1) await round(index >= warmUp)
}

/** Returns the cost of one of `count` pieces of work for a process. @param settled waits for what follows later and costs too, such as receipts */
export async function measure(
  { pid }: Part,
  count: number,
  work: () => Promise<unknown>,
  settled: () => Promise<void> = async () => {},
): Promise<Figure> {
  const [cpuBefore, before] = [cpuMs(pid), performance.now()]
  await work()
  const elapsedMs = performance.now() - before
  await settled()
  return { cpuMs: (cpuMs(pid) - cpuBefore) / count, perSecond: (count * 1000) / elapsedMs }
}

/** A table of medians. */
export function comparison(rows: readonly Row[]): string {
  const lines = rows.map(({ what, gateway, bare }) => {
    const [ours, theirs] = [gateway, bare].map((figures) => median(figures.map((figure) => figure.cpuMs)))
    const rates = [gateway, bare].map((figures) => median(figures.map((figure) => figure.perSecond)).toFixed(0))
    const ratio = (ours ?? 0) / (theirs ?? 0)
    return [what, (ours ?? 0).toFixed(2), (theirs ?? 0).toFixed(2), ratio.toFixed(2), ...rates]
  })
  return table(['', 'gateway, CPU ms', 'bare, CPU ms', 'ratio', 'gateway, per second', 'bare, per second'], lines)
}
