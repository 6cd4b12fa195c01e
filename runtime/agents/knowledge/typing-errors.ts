/** Finds words of the knowledge that are nearly those of a question. */

// Bound: 20,000, words that are compared at most.

/** Words of knowledge, prepared for many questions. */
export interface Vocabulary {
  readonly words: readonly string[]
  /** Which letters each word has, one bit each. */
  readonly letters: Int32Array
}

const SHORTEST = 4
const WORDS_MAX = 3
/** Words whose letters are counted, for all words of a question: 20,000 take some 20 ms, and a tenant chooses the words of both. */
const COMPARED_MAX = 20_000
/** Words of a question that are looked for. */
const WANTED_MAX = 8

export function buildVocabulary(words: readonly string[]): Vocabulary {
  return { words, letters: Int32Array.from(words, toLetterBits) }
}

/** Returns words that differ from one of these by one letter, or by two if it is long; the nearest of each first. */
export function similarWords(wanted: readonly string[], vocabulary: Vocabulary): string[] {
  let left = COMPARED_MAX
  return wanted.slice(0, WANTED_MAX).flatMap((word) => {
    const near = findNear(word, vocabulary, left)
    left -= near.compared
    return near.words
  })
}

function findNear(word: string, { words, letters }: Vocabulary, max: number) {
  let compared = 0
  if (word.length < SHORTEST) return { words: [], compared }
  const most = word.length >= 8 ? 2 : 1
  const own = toLetterBits(word)
  const found: { word: string; distance: number }[] = []
  for (const [index, other] of words.entries()) {
    if (Math.abs(other.length - word.length) > most) continue
    // Another letter changes two bits at most.
    if (countBits(own ^ (letters[index] ?? 0)) > 2 * most) continue
    compared += 1
    if (compared > max) break
    const distance = measureDistance(word, other, most)
    if (distance <= most) found.push({ word: other, distance })
  }
  found.sort((a, b) => a.distance - b.distance)
  return { words: found.slice(0, WORDS_MAX).map((one) => one.word), compared }
}

function toLetterBits(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

function countBits(given: number): number {
  let bits = given - ((given >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Counts letters that are added, missing, other or swapped. Stops above `most`. */
function measureDistance(a: string, b: string, most: number): number {
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
