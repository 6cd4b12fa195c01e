/** Delays that grow with each failure in a row. */

/** Doublings after which no delay is below its maximum; one more could only reach infinity. */
const DOUBLINGS_MAX = 30

/** Returns `minMs` after no failure, twice as much after each further one, and at most `maxMs`. */
export function backOffMs(failures: number, minMs: number, maxMs: number): number {
  return Math.min(maxMs, minMs * 2 ** Math.min(failures, DOUBLINGS_MAX))
}

/**
 * Spreads a delay over its upper half, so that many who failed together do not return together, and none returns at once.
 * @param random 0 to 1
 */
export function withHalfJitter(delayMs: number, random: number = Math.random()): number {
  return delayMs * (0.5 + random / 2)
}
