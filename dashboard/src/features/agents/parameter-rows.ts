/** The parameters of a function as rows of a form, and back. */
import { makeRowKey } from '../composer/draft.js'

export const PARAMETER_TYPES = ['string', 'number', 'integer', 'boolean'] as const

export interface ParameterRow {
  readonly key: string
  readonly name: string
  readonly type: string
  readonly description: string
  readonly required: boolean
  readonly enum: string
  readonly minimum: string
  readonly maximum: string
}

export function makeParameter(): ParameterRow {
  return {
    key: makeRowKey(),
    name: '',
    type: 'string',
    description: '',
    required: true,
    enum: '',
    minimum: '',
    maximum: '',
  }
}

/** Returns the rows of a list, or of its JSON; null if it is no list of objects. */
export function readParameterRows(value: unknown): readonly ParameterRow[] | null {
  const list = typeof value === 'string' ? parseList(value) : (value ?? [])
  if (!Array.isArray(list) || list.some((one) => typeof one !== 'object' || one === null)) return null
  return list.map((one: Readonly<Record<string, unknown>>) => {
    const text = (name: string) => (one[name] === undefined || one[name] === null ? '' : String(one[name]))
    return {
      key: makeRowKey(),
      name: text('name'),
      type: PARAMETER_TYPES.find((type) => type === one.type) ?? 'string',
      description: text('description'),
      required: one.required === true,
      enum: text('enum'),
      minimum: text('minimum'),
      maximum: text('maximum'),
    }
  })
}

/** Returns the rows as the API takes them. What does not belong to the type of a row is left out. */
export function makeParameters(rows: readonly ParameterRow[]): readonly Readonly<Record<string, unknown>>[] {
  return rows.map(({ name, type, description, required, enum: values, minimum, maximum }) => {
    const isNumber = type === 'number' || type === 'integer'
    return {
      name: name.trim(),
      type,
      ...(description.trim() === '' ? {} : { description: description.trim() }),
      ...(required ? { required } : {}),
      ...(type === 'string' && values.trim() !== '' ? { enum: values.trim() } : {}),
      ...(isNumber && minimum !== '' ? { minimum: Number(minimum) } : {}),
      ...(isNumber && maximum !== '' ? { maximum: Number(maximum) } : {}),
    }
  })
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '[]' : text)
  } catch {
    return undefined
  }
}
