/** Finds words of the knowledge that are nearly those of a question. */

const SHORTEST = 4
const WORDS_MAX = 3

/** Returns words that differ from this one by one letter, or by two if it is long; the nearest first. */
export function similarWords(word: string, vocabulary: readonly string[]): string[] {
  if (word.length < SHORTEST) return []
  const most = word.length >= 8 ? 2 : 1
  const found: { word: string; distance: number }[] = []
  for (const other of vocabulary) {
    if (Math.abs(other.length - word.length) > most) continue
    const distance = distanceOf(word, other, most)
    if (distance <= most) found.push({ word: other, distance })
  }
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, WORDS_MAX)
    .map(({ word: one }) => one)
}

/** Counts letters that are added, missing, other or swapped. Stops above `most`. */
function distanceOf(a: string, b: string, most: number): number {
  let before: number[] = []
  let former = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min((former[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (former[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? cost) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return least
    before = former
    former = row
  }
  return former[b.length] ?? most + 1
}
