/** Turns what was typed into a form of an operation into the parts of its call. */
import type { ApiField, ApiOperation } from '../../api/operations.js'

/** What was typed, by field. Empty texts are left out of the call. */
export type Typed = Readonly<Record<string, string>>

export interface CallParts {
  readonly path: string
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, unknown>> | undefined
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** Fields whose text does not fit their type. */
  readonly wrong: readonly string[]
}

export function makeFieldKey({ place, name }: Pick<ApiField, 'place' | 'name'>): string {
  return `${place} ${name}`
}

export function makeCallParts({ method, path, fields }: ApiOperation, typed: Typed): CallParts {
  const wrong: string[] = []
  const valueAt = (field: ApiField): unknown => {
    const text = typed[makeFieldKey(field)] ?? ''
    if (text === '') return undefined
    const value = readValue(field, text)
    if (value === undefined) wrong.push(makeFieldKey(field))
    return value
  }
  const valuesAt = (place: ApiField['place']) =>
    Object.fromEntries(
      fields
        .filter((field) => field.place === place)
        .map((field) => [field.name, valueAt(field)] as const)
        .filter(([, value]) => value !== undefined),
    )
  const params = valuesAt('path')
  const query = valuesAt('query')
  const body = valuesAt('body')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const search = new URLSearchParams(texts).toString()
  return {
    path: search === '' ? filled : `${filled}?${search}`,
    params: names.map((name) => String(params[name] ?? '')),
    query: search === '' ? undefined : query,
    body: method === 'POST' || method === 'PUT' ? body : undefined,
    wrong,
  }
}

/** Returns the value of a text; undefined if it does not fit the type. */
function readValue({ type }: ApiField, text: string): unknown {
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined
  if (type === 'boolean') return text === 'true'
  if (type !== 'json') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    // A field of several types takes a plain text, too.
    return /^[[{]/.test(text.trim()) ? undefined : text
  }
}
