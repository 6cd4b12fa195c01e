type Values = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{\{\s*([^{}]{1,64}?)\s*\}\}/g

/** Chat fields that a text may name; the specification's list. */
const FIELDS = new Set([
  'wa_name',
  'wa_contactName',
  'lead_name',
  'lead_fullName',
  'lead_personalid',
  'lead_email',
  'lead_status',
  'lead_notes',
  'lead_assignedAttendant_id',
  ...Array.from({ length: 20 }, (_, index) => `lead_field${String(index + 1).padStart(2, '0')}`),
])

/**
 * A text with its placeholders filled from a chat record. Known ones without a value become empty; unknown ones stay as they are.
 * One pass: a value that holds `{{` is not expanded again.
 * @param customNames names of custom lead fields, to the field they stand for (`{ city: 'lead_field01' }`).
 */
export function expandPlaceholders(
  text: string,
  chat: Values | null,
  customNames: Readonly<Record<string, string>> = {},
): string {
  if (!text.includes('{{')) return text
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    if (name === 'name') return fullName(chat)
    if (name === 'first_name') return firstName(chat)
    const field = FIELDS.has(name) ? name : Object.hasOwn(customNames, name) ? customNames[name] : undefined
    return field === undefined ? whole : textOf(chat, field)
  })
}

/** True when a text needs the chat record at all. */
export function hasPlaceholders(text: string): boolean {
  return text.includes('{{')
}

function fullName(chat: Values | null): string {
  for (const field of ['lead_name', 'lead_fullName', 'wa_contactName', 'wa_name']) {
    const value = textOf(chat, field)
    if (value !== '') return value
  }
  return ''
}

/** The first word of at least two characters that has a letter in it: `J. Maria` is called Maria. */
function firstName(chat: Values | null): string {
  const words = fullName(chat).split(/\s+/)
  return words.find((word) => [...word].length >= 2 && /\p{L}.*\p{L}/u.test(word)) ?? ''
}

function textOf(chat: Values | null, field: string): string {
  const value = chat?.[field]
  return value === null || value === undefined ? '' : String(value).trim()
}
