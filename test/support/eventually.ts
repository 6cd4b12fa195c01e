import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { HANG_MS, within } from './waits.js'

/** Most conditions come true within this time; later looks are further apart, since each of them is a call that the gateway must answer. */
const SOON_MS = 1_000
/** Later than this, looks are five a second. */
const LATE_MS = 5_000

/**
 * How long a test waits for what a busy machine may do late. It is not a promise of the product: a shorter deadline needs a reason, such as a
 * lease, and then it says so.
 */
export const PATIENCE_MS = 60_000

/** Asks again until the answer is good; fails with the last answer after `withinMs`. */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  isGood: (answer: T) => boolean = Boolean,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const startedMs = performance.now()
  const deadline = startedMs + withinMs
  let answer: T
  for (;;) {
    answer = await within('An answer of which a test waits to be good', Promise.resolve(ask()), {
      withinMs: withinMs + HANG_MS,
    })
    if (isGood(answer)) return answer
    if (performance.now() > deadline)
      assert.fail(`It did not come true within ${withinMs} ms; last: ${JSON.stringify(answer)?.slice(0, 2000)}`)
    const passedMs = performance.now() - startedMs
    await pause(passedMs < SOON_MS ? 25 : passedMs < LATE_MS ? 75 : 200)
  }
}
