import { visibleText } from './visible-text.js'

// Bound: 1,048,576, a body or header of a request.

const QUOTED_MAX = 500

/** Quotes words in a question to a person, on one line, so that they cannot pass as words of the question. */
export function quotedWords(text: string): string {
  return JSON.stringify(visibleText(text.replaceAll(/\s+/gu, ' '), QUOTED_MAX))
}
