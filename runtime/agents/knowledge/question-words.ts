/** Chooses the words of a question by which chunks are found, and those that only rank them. */
import { boundedMarks } from '../../../schemas/bounded-marks.js'
import type { QueryWord } from '../../store/agents/knowledge-reader.js'
import { isCommon, withoutAccents, wordsOf } from '../extract/words.js'
import type { WordCounts } from './word-counts.js'

// Bound: 8,000, the end of a question.

export interface PlainWord {
  /** As it was written. */
  readonly word: string
  /** Without accents. */
  readonly plain: string
}

/** So much of the end of a question is considered: the newest message is the last. */
const LENGTH_MAX = 8_000
/** Words of a question that are searched. */
export const WORDS_MAX = 16
/** Words of a question that are considered: a message may have a thousand. */
const CONSIDERED_MAX = 64
/** Common words that lead to chunks which have all of them. */
const TOGETHER_MAX = 2

/** Returns the words of a question that say something, the longest first. */
export function questionWords(query: string): PlainWord[] {
  const words = new Map<string, string>()
  for (const word of boundedMarks(query.slice(-LENGTH_MAX))
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    for (const plain of wordsOf(word)) if (!isCommon(plain)) words.set(plain, word.normalize('NFC'))
  return [...words]
    .map(([plain, word]) => ({ plain, word: withoutAccents(word) === plain ? word : plain }))
    .toSorted((a, b) => b.plain.length - a.plain.length)
    .slice(0, CONSIDERED_MAX)
}

/**
 * Takes the rarest words. Each rare one leads to its chunks. A common one leads to chunks only together with another that less than half of the
 * chunks have: reading the places of a word in the index takes the time, and a word of every second chunk says next to nothing.
 */
export function scansOf(words: readonly PlainWord[], counts: WordCounts): QueryWord[] {
  const counted = words
    .map((word) => ({ ...word, prefix: prefixOf(word.plain) }))
    .map((word) => ({ ...word, chunks: counts.chunksOf(word.plain, word.prefix) }))
    .toSorted((a, b) => (a.chunks ?? 0) - (b.chunks ?? 0))
    .slice(0, WORDS_MAX)
  const common = counted.filter(({ chunks }) => chunks !== null)
  const useful = common.filter(({ chunks }) => (chunks ?? 0) < counts.total / 2).slice(0, TOGETHER_MAX)
  const together = new Set(useful.length > 0 || common.length < counted.length ? useful : common.slice(0, 1))
  return counted.map((word, index) => {
    if (word.chunks === null) return { ...word, scan: index + 1 }
    return { ...word, scan: together.has(word) ? 0 : null }
  })
}

/** Returns the rarest of the common words, each with a scan of its own: for a question whose words stand together in no chunk. */
export function commonAlone(words: readonly QueryWord[]): QueryWord[] {
  const common = words.filter(({ chunks }) => chunks !== null).slice(0, TOGETHER_MAX)
  return common.map((word, index) => ({ ...word, scan: -1 - index }))
}

/** Returns the beginning that a word shares with its other forms. */
function prefixOf(plain: string): string | null {
  if (plain.length < 6) return null
  return plain.slice(0, plain.length - (plain.length >= 9 ? 3 : 2))
}
