/** Reads contact cards of strangers into lines of text. Pictures, sounds and keys in them are left out. */

export type VcardField = 'name' | 'phone' | 'mail' | 'organization' | 'title' | 'address' | 'link' | 'note' | 'birthday'

export interface VcardLine {
  readonly field: VcardField
  readonly value: string
}

const FIELDS: Readonly<Record<string, VcardField>> = {
  FN: 'name',
  TEL: 'phone',
  EMAIL: 'mail',
  ORG: 'organization',
  TITLE: 'title',
  ADR: 'address',
  URL: 'link',
  NOTE: 'note',
  BDAY: 'birthday',
}
const LINES_MAX = 40
const VALUE_MAX = 500
const READ_MAX = 65_536

export function parseVcard(card: string): readonly VcardLine[] {
  const found: VcardLine[] = []
  // A line that begins with a space continues the one before.
  for (const line of card
    .slice(0, READ_MAX)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const name = (line.slice(0, colon).split(';', 1)[0] ?? '').replace(/^item\d{1,4}\./i, '').toUpperCase()
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    const value = unescapeValue(line.slice(colon + 1, colon + 1 + VALUE_MAX))
    if (field !== undefined && value !== '') found.push({ field, value })
    if (found.length >= LINES_MAX) break
  }
  return found
}

function unescapeValue(value: string): string {
  return value
    .split(/(?<!\\);/)
    .map((part) =>
      part
        .replace(/\\n/gi, '\n')
        .replace(/\\([,;\\])/g, '$1')
        .trim(),
    )
    .filter((part) => part !== '')
    .join(', ')
}
