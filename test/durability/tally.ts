/** Counts of what must not be: over numbered texts such as `out 12`, in the order in which they arrived. */

export function missing(expected: readonly string[], found: readonly string[]): number {
  return findMissing(expected, found).length
}

export function findMissing(expected: readonly string[], found: readonly string[]): string[] {
  const set = new Set(found)
  return expected.filter((text) => !set.has(text))
}

export function doubled(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index)
}

/** Neighbours in the wrong order, by the number that ends each text. */
export function inversions(texts: readonly string[]): number {
  const numbers = texts.map((text) => Number(text.split(' ').at(-1))).filter(Number.isFinite)
  return numbers.filter((number, index) => index > 0 && number < (numbers[index - 1] ?? 0)).length
}

/** In the order of their first arrival. */
export function uniqueByEvent<T extends { body: { eventId: string } }>(all: readonly T[]): T[] {
  const seen = new Set<string>()
  return all.filter(({ body }) => !seen.has(body.eventId) && seen.add(body.eventId))
}
