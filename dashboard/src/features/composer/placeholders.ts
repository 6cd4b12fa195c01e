/** Names of placeholders, and their values. */

const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g

/** Fields of a chat that a text may name, in the order of their use. */
export const chatPlaceholders: readonly string[] = [
  'name',
  'first_name',
  'wa_name',
  'wa_contactName',
  'lead_name',
  'lead_fullName',
  'lead_personalid',
  'lead_email',
  'lead_status',
  'lead_notes',
  'lead_assignedAttendant_id',
]

/** Fills the placeholders that have a value. The others stay as they are. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name.trim()) ? (values[name.trim()] ?? '') : whole,
  )
}

/** Returns the placeholder that is being written before the caret: the place where it begins and the part of its name. */
export function openPlaceholder(text: string, caret: number): { readonly start: number; readonly part: string } | null {
  const before = text.slice(Math.max(0, caret - 100), caret)
  const found = /\{\{([^{}\n]*)$/.exec(before)
  if (found === null) return null
  return { start: caret - (found[0]?.length ?? 0), part: (found[1] ?? '').trim() }
}

/** Returns the names that begin with what is written, then those that have it inside. */
export function listFittingNames(names: readonly string[], part: string): readonly string[] {
  const wanted = part.toLowerCase()
  const begins = names.filter((name) => name.toLowerCase().startsWith(wanted))
  return [...begins, ...names.filter((name) => !begins.includes(name) && name.toLowerCase().includes(wanted))]
}
