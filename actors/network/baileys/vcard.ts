/** Contacts in messages: vCard 3.0 (RFC 2426). */

import { withoutEnd } from '../../../lib/without-end.js'
import type { ContactCard } from '../../../schemas/send-content.js'

// Bound: 2,000, a line of a contact card.

/** Composes a vCard. A tap on the card writes to the number in `waid` (Baileys, README, "Contact Message"). */
export function writeVcard({ fullName, phoneNumbers, organization, email, url }: ContactCard): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(fullName)};;;`,
    `FN:${escaped(fullName)}`,
    ...(organization === undefined ? [] : [`ORG:${escaped(organization)}`]),
    ...phoneNumbers.map((digits) => `TEL;type=CELL;type=VOICE;waid=${digits}:+${digits}`),
    ...(email === undefined ? [] : [`EMAIL;type=INTERNET:${escaped(email)}`]),
    ...(url === undefined ? [] : [`URL:${escaped(url)}`]),
    'END:VCARD',
  ].join('\n')
}

/** Maximum of lines that are read, and of characters in one. */
const LINES_MAX = 500
const LINE_MAX = 2_000
const SHOWN = ['TEL', 'ORG', 'EMAIL', 'URL']

/** Returns a vCard as text for people, one line for each part: the name, then numbers, organization, addresses. */
export function summarizeVcard(displayName: string, vcard: string): string {
  const values = unfoldLines(vcard).flatMap((line) => {
    const [, name = '', value = ''] = /^(?:[\w-]+\.)?([A-Za-z]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? []
    return value.trim() === '' ? [] : [{ name: name.toUpperCase(), value: unescaped(value.trim()) }]
  })
  const full = displayName || (values.find(({ name }) => name === 'FN')?.value ?? '')
  const shown = SHOWN.flatMap((part) => values.filter(({ name }) => name === part))
  return [full, ...shown.map(({ value }) => withoutEnd(value, ';'))].filter((line) => line !== '').join('\n')
}

/**
 * Returns the lines of a vCard, up to a maximum, with continuation lines (which begin with a space) joined to theirs. Lines that are too long
 * are pictures, and left out. Walks from line to line, because strangers write vCards.
 */
function unfoldLines(vcard: string): string[] {
  const lines: string[] = []
  for (let from = 0; from < vcard.length && lines.length < LINES_MAX; ) {
    let end = lineEnd(vcard, from)
    let line = vcard.slice(from, end)
    for (from = end + 1; vcard[from] === ' ' || vcard[from] === '\t'; from = end + 1) {
      end = lineEnd(vcard, from)
      if (line.length <= LINE_MAX) line = (line.endsWith('\r') ? line.slice(0, -1) : line) + vcard.slice(from + 1, end)
    }
    if (line.length <= LINE_MAX) lines.push(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
  return lines
}

/** Returns the place of the next line feed, or the length. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function escaped(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, one: string) => (one.toLowerCase() === 'n' ? '\n' : one))
}
