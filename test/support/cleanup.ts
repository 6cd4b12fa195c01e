import { after } from 'node:test'

/** Takes what must be undone in the end: a test's context, or what `suiteCleanup` gives. */
export interface Cleanup {
  after(work: () => Promise<void> | void): void
}

/** For what all tests of a `describe` share: undone after the last of them, the last made first. */
export function suiteCleanup(): Cleanup {
  const works: (() => Promise<void> | void)[] = []
  after(async () => {
    for (const work of works.toReversed()) await work()
  })
  return { after: (work) => void works.push(work) }
}
