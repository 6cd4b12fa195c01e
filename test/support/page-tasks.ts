/** Measures the tasks of a page's main thread from a trace of Chromium. */
import type { Page } from 'playwright-core'

export interface Tasks {
  /** Longest task in time of the processor, which other work on the machine hardly changes. */
  readonly longestCpuMs: number
  /** Longest task by the clock. */
  readonly longestMs: number
  /** All tasks in time of the processor. */
  readonly totalCpuMs: number
  /** Tasks that took more than 50 ms of the processor. */
  readonly over50: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

const BAR_US = 50_000

/** Runs the work under a trace. One browser writes one trace at a time. */
export async function traced<Result>(
  page: Page,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly tasks: Tasks }> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser.')
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  let result: Result
  let trace: Buffer
  try {
    result = await work()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const isOfPage = ({ pid, tid }: TraceEvent) => mains.some((main) => main.pid === pid && main.tid === tid)
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && isOfPage(event))
  if (tasks.length === 0) throw new Error('The trace has no task of the page.')
  const longest = (of: 'dur' | 'tdur') => Math.round(Math.max(...tasks.map((task) => task[of] ?? 0)) / 100) / 10
  return {
    result,
    tasks: {
      longestCpuMs: longest('tdur'),
      longestMs: longest('dur'),
      totalCpuMs: Math.round(tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000),
      over50: tasks.filter(({ tdur = 0 }) => tdur > BAR_US).length,
    },
  }
}
