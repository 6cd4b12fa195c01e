/** Words of messages and phrases, as triggers compare them: without case, accents and punctuation. */
import { boundedMarks } from '../../lib/bounded-marks.js'

// Bound: 65,536, the beginning of a message.

/** So much of a message is compared. */
export const COMPARED_LENGTH_MAX = 1_000
const PHRASES_MAX = 100
const PHRASE_WORDS_MAX = 20

/** Scripts that put no spaces between words. Each of their characters counts as a word. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const UNSPACED_LETTER = new RegExp(`^[${UNSPACED}]$`, 'u')
const WORD_LETTER = /^[\p{L}\p{N}]$/u
/** Symbols are words of their own, so that an emoji may start a conversation. */
const WORD_SYMBOL = /^\p{S}$/u
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+|\\p{S}`, 'gu')

/** Returns the words of the beginning of a text. */
export function listWords(text: string): readonly string[] {
  return plainLetters(text.slice(0, COMPARED_LENGTH_MAX)).match(WORD) ?? []
}

/** Returns letters without case and accents. Each letter of the text gives its own ones, whatever stands around it. */
export function plainLetters(text: string): string {
  // The small sigma has two forms.
  return boundedMarks(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ς', 'σ')
}

export const isUnspaced = (letter: string): boolean => UNSPACED_LETTER.test(letter)
export const isWordLetter = (letter: string): boolean => WORD_LETTER.test(letter)
export const isWordSymbol = (letter: string): boolean => WORD_SYMBOL.test(letter)

/** Returns the phrases between pipes, each as its words. Phrases without words are left out. */
export function splitPhrases(wordsToStart: string): readonly (readonly string[])[] {
  const phrases = wordsToStart.split('|', PHRASES_MAX).map((phrase) => listWords(phrase).slice(0, PHRASE_WORDS_MAX))
  return phrases.filter((words) => words.length > 0)
}

/** Returns the first phrase that cannot be compared, with the reason; null if all can. An empty text has no phrases. */
export function wrongPhrase(wordsToStart: string): string | null {
  if (wordsToStart === '') return null
  const phrases = wordsToStart.split('|')
  if (phrases.length > PHRASES_MAX) return `must have at most ${PHRASES_MAX} phrases`
  for (const [index, phrase] of phrases.entries()) {
    const { length } = listWords(phrase)
    if (length === 0) return `has no word in phrase ${index + 1}; leave the field empty to answer every message`
    if (length > PHRASE_WORDS_MAX) return `has more than ${PHRASE_WORDS_MAX} words in phrase ${index + 1}`
  }
  return null
}
