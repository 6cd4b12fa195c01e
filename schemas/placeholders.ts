import { boundedMarks } from '../lib/bounded-marks.js'
import { findNearest } from '../lib/nearest.js'
import { type FieldsMap, placeholderFields } from './lead-fields.js'
import { type ColumnPlace, ListColumns } from './list-columns.js'

// Bound: 65,536, a text of a message.

/**
 * Fields of a chat record; `fieldsMap` holds the names that the instance gave to custom lead fields, and `vars` the values of the send itself by
 * the columns of its list, which go before all others unless they are empty.
 */
export type PlaceholderValues = Readonly<Record<string, unknown>>

/**
 * A placeholder, with at most 300 characters between the braces; no name is longer. With a fixed bound, and no choice where the name
 * begins, a text of braces and spaces costs no more than any other.
 */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g

/** Placeholders that every chat has. */
const BUILT_IN: ReadonlySet<string> = new Set(['name', 'first_name', ...placeholderFields])

const BUILT_IN_IN_LOWER_CASE: ReadonlyMap<string, string> = new Map(
  Array.from(BUILT_IN, (name) => [name.toLowerCase(), name]),
)

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
  const valueFor = placeholderValues(values)
  return text.replace(PLACEHOLDER, (whole, inner: string) => {
    const name = inner.trim()
    if (!known.has(name)) known.set(name, valueFor(name))
    const value = known.get(name)
    if (value !== undefined) return value
    if (unknown !== undefined && unknown.size < UNKNOWN_MAX) unknown.add(name)
    return whole
  })
}

/** Returns a function that finds the value of a placeholder: empty if there is none, undefined if the name is no placeholder. */
export function placeholderValues(values: PlaceholderValues | null): (name: string) => string | undefined {
  const vars = (values?.vars ?? {}) as Readonly<Record<string, string>>
  const columns = Object.keys(vars)
  const list = new ListColumns(columns)
  const fieldFor = placeholderFieldNames(readFieldsMap(values))
  return (name) => {
    const place = columns.length === 0 ? null : list.find(name)
    const listed = place === null ? undefined : valueAt(place, vars[columns[place.index] as string] ?? '')
    if (listed) return listed
    const field = fieldFor(name)
    if (field === undefined) return listed
    if (field === 'name') return fullName(values)
    return field === 'first_name' ? firstWord(fullName(values)) : readText(values, field)
  }
}

/** Returns the value of a placeholder that a list has in this cell. */
export function valueAt({ isFirstWord }: ColumnPlace, cell: string): string {
  return isFirstWord ? firstWord(cell.trim()) : cell.trim()
}

/**
 * Returns a function that finds the field of the chat record that a placeholder names: `name`, `first_name`, or a stored one. It returns
 * undefined for a name that is no placeholder.
 */
export function placeholderFieldNames(fieldsMap: FieldsMap): (name: string) => string | undefined {
  const fieldNamed = createFieldNames(fieldsMap)
  return (name) => (BUILT_IN.has(name) ? name : (fieldNamed(name) ?? BUILT_IN_IN_LOWER_CASE.get(name.toLowerCase())))
}

/** Returns the names of the placeholders of a text. */
export function placeholdersIn(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, inner = '']) => inner.trim())
}

/** Returns true if a text needs the chat record. */
export function hasPlaceholders(text: string): boolean {
  return text.includes('{{')
}

/** Returns a sentence for the caller for each name that is no placeholder. */
export function unknownPlaceholders(unknown: ReadonlySet<string>, values: PlaceholderValues | null): string[] {
  return [...unknown].map(
    (name) => `{{${name}}} is not a placeholder and was sent as it is${meantPlaceholder(name, readFieldsMap(values))}`,
  )
}

/** Returns the end of a sentence that names the placeholder that was probably meant; empty if there is none. */
export function meantPlaceholder(name: string, fieldsMap: FieldsMap, columns: readonly string[] = []): string {
  const nearest = findNearest(name, [...columns, ...BUILT_IN, ...Object.values(fieldsMap)])
  return nearest === undefined ? '' : `; did you mean {{${nearest}}}?`
}

/** Returns a function that finds the custom lead field of a name. If no name is exactly this one, case and accents are ignored. */
function createFieldNames(fieldsMap: FieldsMap): (name: string) => string | undefined {
  const exact = new Map<string, string>()
  const alike = new Map<string, string>()
  // The first of two fields with one name counts.
  for (const [field, name] of Object.entries(fieldsMap).reverse()) {
    exact.set(name ?? '', field)
    alike.set(plain(name ?? ''), field)
  }
  return (name) => exact.get(name) ?? alike.get(plain(name))
}

function readFieldsMap(values: PlaceholderValues | null): FieldsMap {
  return (values?.fieldsMap ?? {}) as FieldsMap
}

function plain(name: string): string {
  return boundedMarks(name).normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()
}

function fullName(values: PlaceholderValues | null): string {
  for (const field of ['lead_name', 'lead_fullName', 'wa_contactName', 'wa_name']) {
    const value = readText(values, field)
    if (value !== '') return value
  }
  return ''
}

/** Returns the first word that has a letter, and at least two letters or digits: Maria for `J. Maria`, and 3M for `3M Brasil`. */
export function firstWord(name: string): string {
  const words = name.split(/\s+/)
  return words.find((word) => /\p{L}/u.test(word) && /[\p{L}\p{M}\p{N}].*[\p{L}\p{M}\p{N}]/u.test(word)) ?? ''
}

function readText(values: PlaceholderValues | null, field: string): string {
  const value = values?.[field]
  return value === null || value === undefined ? '' : String(value).trim()
}
