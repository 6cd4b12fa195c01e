/** Words of messages and phrases, as triggers compare them: without case, accents and punctuation. */

/** So much of a message is compared. */
const COMPARED_LENGTH_MAX = 1_000
const PHRASES_MAX = 100
const PHRASE_WORDS_MAX = 20

const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+|[$+<=>^`|~]/g
/** Scripts that put no spaces between words. Each of their characters counts as a word. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
/** Symbols are words of their own, so that an emoji may start a conversation. */
const WORD = /[\p{L}\p{N}]+|\p{S}/gu
const WORD_OR_UNSPACED = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+|\\p{S}`, 'gu')

/** Returns the words of the beginning of a text. */
export function wordsOf(text: string): readonly string[] {
  const lower = text.slice(0, COMPARED_LENGTH_MAX).toLowerCase()
  if (ASCII.test(lower)) return lower.match(ASCII_WORD) ?? []
  const plain = lower.normalize('NFD').replace(/\p{M}+/gu, '')
  return plain.match(HAS_UNSPACED.test(plain) ? WORD_OR_UNSPACED : WORD) ?? []
}

/** Returns the phrases between pipes, each as its words. Phrases without words are left out. */
export function phrasesOf(wordsToStart: string): readonly (readonly string[])[] {
  const phrases = wordsToStart.split('|', PHRASES_MAX).map((phrase) => wordsOf(phrase).slice(0, PHRASE_WORDS_MAX))
  return phrases.filter((words) => words.length > 0)
}

/** Returns the first phrase that cannot be compared, with the reason; null if all can. An empty text has no phrases. */
export function wrongPhrase(wordsToStart: string): string | null {
  if (wordsToStart === '') return null
  const phrases = wordsToStart.split('|')
  if (phrases.length > PHRASES_MAX) return `must have at most ${PHRASES_MAX} phrases`
  for (const [index, phrase] of phrases.entries()) {
    const { length } = wordsOf(phrase)
    if (length === 0) return `has no word in phrase ${index + 1}; leave the field empty to answer every message`
    if (length > PHRASE_WORDS_MAX) return `has more than ${PHRASE_WORDS_MAX} words in phrase ${index + 1}`
  }
  return null
}
