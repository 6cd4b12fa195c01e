import { type FieldsMap, placeholderFields } from '../../schemas/lead-fields.js'

/** Fields of a chat record; `fieldsMap` holds the names that the instance gave to custom lead fields. */
export type PlaceholderValues = Readonly<Record<string, unknown>>

/**
 * What stands between the braces is looked at up to this length, which no name exceeds. A fixed bound, and no choice where the name
 * begins: a text of braces and spaces costs no more than any other.
 */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g

/**
 * A text with its placeholders filled from a chat record. Known ones without a value become empty; unknown ones stay as they are.
 * One pass: a value that holds `{{` is not expanded again.
 */
export function expandPlaceholders(text: string, values: PlaceholderValues | null): string {
  if (!text.includes('{{')) return text
  return text.replace(PLACEHOLDER, (whole, inner: string) => {
    const name = inner.trim()
    if (name === 'name') return fullName(values)
    if (name === 'first_name') return firstName(values)
    const field = placeholderFields.has(name) ? name : fieldNamed(name, values)
    return field === undefined ? whole : textOf(values, field)
  })
}

/** True when a text needs the chat record at all. */
export function hasPlaceholders(text: string): boolean {
  return text.includes('{{')
}

/** The custom lead field of this name. */
function fieldNamed(name: string, values: PlaceholderValues | null): string | undefined {
  const map = (values?.fieldsMap ?? {}) as FieldsMap
  return Object.keys(map).find((field) => map[field] === name)
}

function fullName(values: PlaceholderValues | null): string {
  for (const field of ['lead_name', 'lead_fullName', 'wa_contactName', 'wa_name']) {
    const value = textOf(values, field)
    if (value !== '') return value
  }
  return ''
}

/** The first word that has a letter, and two letters or digits at least: `J. Maria` is called Maria, and `3M Brasil` 3M. */
function firstName(values: PlaceholderValues | null): string {
  const words = fullName(values).split(/\s+/)
  return words.find((word) => /\p{L}/u.test(word) && /[\p{L}\p{M}\p{N}].*[\p{L}\p{M}\p{N}]/u.test(word)) ?? ''
}

function textOf(values: PlaceholderValues | null, field: string): string {
  const value = values?.[field]
  return value === null || value === undefined ? '' : String(value).trim()
}
