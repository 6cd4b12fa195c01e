import { boundedMarks } from '../../../schemas/bounded-marks.js'
import { type FieldsMap, placeholderFields } from '../../../schemas/lead-fields.js'
import { nearestOf } from '../../../schemas/nearest.js'

// Bound: 65,536, a text of a message.

/**
 * Fields of a chat record; `fieldsMap` holds the names that the instance gave to custom lead fields, and `vars` the values of the send itself,
 * which go before all others.
 */
export type PlaceholderValues = Readonly<Record<string, unknown>>

/**
 * A placeholder, with at most 300 characters between the braces; no name is longer. With a fixed bound, and no choice where the name
 * begins, a text of braces and spaces costs no more than any other.
 */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g

/** Maximum of warnings about unknown placeholders in one message. */
const UNKNOWN_MAX = 10

/**
 * Fills the placeholders of a text from a chat record. Known ones without a value become empty; unknown ones stay as they are, and
 * their names are added to `unknown`. One pass: a value that holds `{{` is not expanded again.
 */
export function expandPlaceholders(text: string, values: PlaceholderValues | null, unknown?: Set<string>): string {
  if (!text.includes('{{')) return text
  // A text may have a placeholder ten thousand times.
  const known = new Map<string, string | undefined>()
  const fieldNamed = createFieldNames(values)
  return text.replace(PLACEHOLDER, (whole, inner: string) => {
    const name = inner.trim()
    if (!known.has(name)) known.set(name, valueFor(name, values, fieldNamed))
    const value = known.get(name)
    if (value !== undefined) return value
    if (unknown !== undefined && unknown.size < UNKNOWN_MAX) unknown.add(name)
    return whole
  })
}

/** Returns undefined for a name that is no placeholder. */
function valueFor(
  name: string,
  values: PlaceholderValues | null,
  fieldNamed: (name: string) => string | undefined,
): string | undefined {
  const own = ownValue(values, name)
  if (own !== undefined) return own
  if (name === 'name') return fullName(values)
  if (name === 'first_name') return firstName(values)
  const field = placeholderFields.has(name) ? name : fieldNamed(name)
  return field === undefined ? undefined : textOf(values, field)
}

/** Returns true if a text needs the chat record. */
export function hasPlaceholders(text: string): boolean {
  return text.includes('{{')
}

/** Returns a sentence for the caller for each name that is no placeholder. */
export function unknownPlaceholders(unknown: ReadonlySet<string>, values: PlaceholderValues | null): string[] {
  const names = ['name', 'first_name', ...placeholderFields, ...Object.values(fieldsMapOf(values))]
  return [...unknown].map((name) => {
    const nearest = nearestOf(name, names)
    const meant = nearest === undefined ? '' : `; did you mean {{${nearest}}}?`
    return `{{${name}}} is not a placeholder and was sent as it is${meant}`
  })
}

/** Returns a function that finds the custom lead field of a name. If no name is exactly this one, case and accents are ignored. */
function createFieldNames(values: PlaceholderValues | null): (name: string) => string | undefined {
  const exact = new Map<string, string>()
  const alike = new Map<string, string>()
  // The first of two fields with one name counts.
  for (const [field, name] of Object.entries(fieldsMapOf(values)).reverse()) {
    exact.set(name ?? '', field)
    alike.set(plain(name ?? ''), field)
  }
  return (name) => exact.get(name) ?? alike.get(plain(name))
}

function ownValue(values: PlaceholderValues | null, name: string): string | undefined {
  const vars = values?.vars as Readonly<Record<string, string>> | undefined
  return vars !== undefined && Object.hasOwn(vars, name) ? vars[name] : undefined
}

function fieldsMapOf(values: PlaceholderValues | null): FieldsMap {
  return (values?.fieldsMap ?? {}) as FieldsMap
}

function plain(name: string): string {
  return boundedMarks(name).normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

function fullName(values: PlaceholderValues | null): string {
  for (const field of ['lead_name', 'lead_fullName', 'wa_contactName', 'wa_name']) {
    const value = textOf(values, field)
    if (value !== '') return value
  }
  return ''
}

/** Returns the first word that has a letter, and at least two letters or digits: Maria for `J. Maria`, and 3M for `3M Brasil`. */
function firstName(values: PlaceholderValues | null): string {
  const words = fullName(values).split(/\s+/)
  return words.find((word) => /\p{L}/u.test(word) && /[\p{L}\p{M}\p{N}].*[\p{L}\p{M}\p{N}]/u.test(word)) ?? ''
}

function textOf(values: PlaceholderValues | null, field: string): string {
  const value = values?.[field]
  return value === null || value === undefined ? '' : String(value).trim()
}
