import { after } from 'node:test'
import { within } from './waits.js'

/** Takes what must be undone in the end: a test's context, or what `suiteCleanup` gives. */
export interface Cleanup {
  after(work: () => Promise<void> | void): void
}

/** For what all tests of a `describe` share: undone after the last of them, the last made first. */
export function suiteCleanup(): Cleanup {
  return lastFirst({ after })
}

/**
 * Undone in reverse, which a test's context by itself does not do: who uses something ends before it. What fails keeps nothing else from being
 * undone: a process that is left keeps its file from ending.
 */
export function lastFirst(t: Cleanup): Cleanup {
  const works: { readonly work: () => Promise<void> | void; readonly from: Error }[] = []
  t.after(async () => {
    const failures: unknown[] = []
    for (const { work, from } of works.toReversed()) {
      try {
        await within('A clean-up', Promise.resolve(work()), { output: () => from.stack ?? '' })
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  })
  return { after: (work) => void works.push({ work, from: new Error('It was asked for here:') }) }
}
