import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** Asks again until the answer is good; fails with the last answer after `withinMs`. */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  isGood: (answer: T) => boolean = Boolean,
  withinMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  let answer: T
  for (;;) {
    answer = await ask()
    if (isGood(answer)) return answer
    if (performance.now() > deadline)
      assert.fail(`It did not come true within ${withinMs} ms; last: ${JSON.stringify(answer)?.slice(0, 2000)}`)
    await pause(25)
  }
}
