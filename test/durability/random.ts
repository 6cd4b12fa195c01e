/** Numbers between 0 and 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The seed of a random test: `SEED`; else always the same, or in a long run another each time. It is shown, so that a failure can be repeated. */
export function chooseSeed(t: { diagnostic(message: string): void }): number {
  const { SEED: given, POSTHORN_TEST_SEEDS: kind } = process.env
  const seed = Number(given ?? (kind === 'random' ? Math.floor(Math.random() * 2 ** 31) : 1))
  t.diagnostic(`seed ${seed}`)
  return seed
}
