/** A reporter of node:test that prints nothing: it notes which tests run, for the report on a file that does not end (`run-test-files.ts`). */

interface Event {
  readonly type: string
  readonly data: { readonly name?: string; readonly nesting?: number; readonly line?: number }
}

interface Running {
  readonly name: string
  readonly nesting: number
  readonly startedMs: number
}

const running = new Map<string, Running>()

/** Returns a line for each suite and test that has begun and has not ended. */
export function describeRunning(): string {
  return [...running.values()]
    .map(({ name, nesting, startedMs }) => `${'  '.repeat(nesting)}runs for ${seconds(startedMs)} s: ${name}\n`)
    .join('')
}

function seconds(startedMs: number): string {
  return ((performance.now() - startedMs) / 1_000).toFixed(1)
}

export default async function* note(events: AsyncIterable<Event>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const { name = '', nesting = 0, line = 0 } = data
    const key = `${nesting} ${line} ${name}`
    if (type === 'test:dequeue') running.set(key, { name, nesting, startedMs: performance.now() })
    else if (type === 'test:pass' || type === 'test:fail') running.delete(key)
  }
  yield ''
}
