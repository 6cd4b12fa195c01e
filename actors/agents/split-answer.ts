/** Maximum of messages of an answer. */
export const PARTS_MAX = 10
/** Length of a message if the agent sets none. */
const LENGTH_DEFAULT = 4_096
/** The network takes no longer message. */
const LENGTH_MAX = 60_000
/** A break earlier than this share of a message would make it too short. */
const EARLIEST = 0.3

const SENTENCE_END = /[.!?…](?=\s)/g
/** Control characters, except line feeds and tabs, and marks that change the direction of a text. */
const UNWANTED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Returns the text of an answer as it is sent: without control characters and outer spaces. */
export function plainAnswer(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNWANTED, (character) => (character === '\n' || character === '\t' ? character : ''))
    .trim()
}

/**
 * Splits an answer into messages: between paragraphs, else sentences, else words. Keeps links and characters whole. Messages become longer
 * than `lengthMax` if there would be too many.
 * @param lengthMax 0: the default
 */
export function splitAnswer(text: string, lengthMax: number): string[] {
  let length = lengthMax <= 0 ? LENGTH_DEFAULT : Math.min(lengthMax, LENGTH_MAX)
  for (;;) {
    const parts = split(text, length)
    if (parts.length <= PARTS_MAX) return parts
    if (length >= LENGTH_MAX) return parts.slice(0, PARTS_MAX)
    length = Math.min(LENGTH_MAX, Math.ceil(Math.max(length * 1.2, text.length / PARTS_MAX)))
  }
}

function split(text: string, length: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > length) {
    const end = breakIn(rest, length)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') parts.push(rest)
  return parts
}

/** Returns the place at which a text that is too long is broken. */
function breakIn(text: string, length: number): number {
  const head = text.slice(0, length + 1)
  const earliest = Math.floor(length * EARLIEST)
  for (const at of [head.lastIndexOf('\n\n'), head.lastIndexOf('\n'), lastSentence(head)]) if (at > earliest) return at
  const space = lastSpace(head)
  if (space > 0) return space
  const word = /^\S+/.exec(text)?.[0] ?? ''
  if (/^https?:\/\//i.test(word)) return Math.min(word.length, LENGTH_MAX)
  // Half a surrogate pair is no character.
  return /[\ud800-\udbff]/.test(text[length - 1] ?? '') && length > 1 ? length - 1 : length
}

function lastSentence(head: string): number {
  let last = -1
  for (const { index } of head.matchAll(SENTENCE_END)) last = index + 1
  return last
}

function lastSpace(head: string): number {
  for (let at = head.length - 1; at > 0; at--) if (/\s/.test(head[at] as string)) return at
  return -1
}
