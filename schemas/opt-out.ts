// Bound: 1,048,576, a field of a request.

/** Words by which people opt out of campaigns. They are stored in the form in which they are compared: see `plainWord`. */

export const OPT_OUT_WORDS: readonly string[] = [
  ...['stop', 'sair', 'parar', 'pare', 'cancelar', 'descadastrar', 'remover', 'unsubscribe'],
]
export const OPT_OUT_WORDS_MAX = 50
export const OPT_OUT_LENGTH_MAX = 60
/** Time after a campaign's last message to a person in which the words count. */
export const OPT_OUT_DAYS = 30

/** Marks around a word that are ignored. */
const MARKS = new Set(' "\'“”.,;:!?…*_~-')

/** Returns a text without case, accents, repeated spaces, and marks around it. */
export function plainWord(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ')
  let [start, end] = [0, plain.length]
  while (start < end && MARKS.has(plain[start] as string)) start += 1
  while (end > start && MARKS.has(plain[end - 1] as string)) end -= 1
  return plain.slice(start, end)
}

/** Returns a message as it is compared with the words; empty if it is too long for one. */
export function plainMessage(text: string): string {
  return text.length > 2 * OPT_OUT_LENGTH_MAX ? '' : plainWord(text)
}

/** Reads stored words, one per line. An empty text means the default words. */
export function parseOptOutWords(stored: string): readonly string[] {
  // Bound: 5,000, stored words.
  return stored === '' ? OPT_OUT_WORDS : stored.split('\n').filter((word) => word !== '')
}

export function storedOptOutWords(words: readonly string[]): string {
  return words.length === 0 ? '\n' : words.join('\n')
}
