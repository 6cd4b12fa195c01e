/** Keys of providers as answers show them. */

const DOTS = '...'
/** A shorter key would be half shown. */
const SHOWN_FROM = 16

/** Returns how a key begins and ends, as in `sk-...a1b2`. */
export function maskedKey(key: string): string {
  return `${key.startsWith('sk-') ? 'sk-' : ''}${DOTS}${key.length >= SHOWN_FROM ? key.slice(-4) : ''}`
}

/** Returns true for a text that a caller got from an answer. No provider's key has three dots. */
export function isMaskedKey(text: string): boolean {
  return text.includes(DOTS)
}
