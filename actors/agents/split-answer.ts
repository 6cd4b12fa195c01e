import { cut } from '../../lib/cut.js'

// Bound: 600,000, an answer, cut before.

/** Maximum of messages of an answer. */
export const PARTS_MAX = 10
/** Length of a message if the agent sets none. */
const LENGTH_DEFAULT = 4_096
/** Agents that were stored before this minimum count as if they had it. `schemas/agent/edit.json` refuses less. */
const LENGTH_MIN = 50
/** The network takes no longer message. */
const LENGTH_MAX = 60_000
/** A break earlier than this share of a message would make it too short. */
const EARLIEST = 0.3

const SENTENCE_END = /[.!?…](?=\s)/g

/** Returns the text of an answer as it is sent: without control characters and outer spaces, and no longer than all its messages. */
export function plainAnswer(text: string): string {
  return withoutUnwanted(cut(text, PARTS_MAX * LENGTH_MAX)).trim()
}

/** Copies code units, since `replace` takes a microsecond for each match, and an answer may consist of matches. */
function withoutUnwanted(text: string): string {
  const units = Buffer.from(text, 'utf16le')
  let length = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (isUnwanted(unit)) continue
    units.writeUInt16LE(unit, length)
    length += 2
  }
  return units.toString('utf16le', 0, length)
}

/** Tells control characters, except line feeds and tabs, and marks that change the direction of a text. */
function isUnwanted(unit: number): boolean {
  if (unit < 0x20) return unit !== 0x09 && unit !== 0x0a
  if (unit < 0x7f) return false
  return unit <= 0x9f || (unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2069)
}

/**
 * Splits an answer into messages: between paragraphs, else sentences, else words. Keeps links and characters whole. Messages become longer
 * than `lengthMax` if there would be too many. The time grows with the length of the text.
 * @param lengthMax 0: the default; less than 50 counts as 50
 */
export function splitAnswer(text: string, lengthMax: number): string[] {
  let length = messageLength(lengthMax)
  for (;;) {
    const parts = split(text, length)
    if (parts.length <= PARTS_MAX) return parts
    if (length >= LENGTH_MAX) return parts.slice(0, PARTS_MAX)
    length = Math.min(LENGTH_MAX, Math.ceil(Math.max(length * 1.2, text.length / PARTS_MAX)))
  }
}

/** Returns the length of a message by the setting of an agent. */
export function messageLength(lengthMax: number): number {
  return lengthMax <= 0 ? LENGTH_DEFAULT : Math.min(Math.max(lengthMax, LENGTH_MIN), LENGTH_MAX)
}

/** Splits a text, up to one part more than are sent. */
function split(text: string, length: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > length && parts.length <= PARTS_MAX) {
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
  if (/^https?:\/\//i.test(text)) return endOfWord(text)
  // Half a surrogate pair is no character.
  return /[\ud800-\udbff]/.test(text[length - 1] ?? '') && length > 1 ? length - 1 : length
}

/** Returns the end of the first word. */
function endOfWord(text: string): number {
  let end = 0
  while (end < text.length && end < LENGTH_MAX && !/\s/.test(text[end] as string)) end += 1
  return end
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
