/** Contacts in messages: vCard 3.0 (RFC 2426). */
import type { ContactContent } from '../../../schemas/send-content.js'

/** Composes a vCard. A tap on the card writes to the number in `waid` (Baileys, README, "Contact Message"). */
export function vcardOf({ fullName, phoneNumbers, organization, email, url }: ContactContent): string {
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

const SHOWN = ['TEL', 'ORG', 'EMAIL', 'URL']

/** Returns a vCard as text for people, one line for each part: the name, then numbers, organization, addresses. */
export function summaryOf(displayName: string, vcard: string): string {
  // Joins continuation lines, which begin with a space.
  const lines = vcard.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const values = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^(?:[\w-]+\.)?([A-Za-z]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? []
    return value.trim() === '' ? [] : [{ name: name.toUpperCase(), value: unescaped(value.trim()) }]
  })
  const full = displayName || (values.find(({ name }) => name === 'FN')?.value ?? '')
  const shown = SHOWN.flatMap((part) => values.filter(({ name }) => name === part))
  return [full, ...shown.map(({ value }) => withoutEnd(value))].filter((line) => line !== '').join('\n')
}

/** Removes empty parts at the end. Uses no pattern that would restart at each semicolon, because strangers write vCards. */
function withoutEnd(value: string): string {
  let end = value.length
  while (value[end - 1] === ';') end -= 1
  return value.slice(0, end)
}

function escaped(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, one: string) => (one.toLowerCase() === 'n' ? '\n' : one))
}
