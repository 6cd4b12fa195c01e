/** Completes national numbers in the fields that hold numbers, which their schemas mark with `x-number`. */

import { isObject } from '../../lib/is-object.js'
import { GatewayError } from '../../schemas/errors.js'
import { readNumberText } from '../../schemas/number-text.js'
import { readPhoneNumber } from '../../schemas/phone-number.js'
import type { JsonSchema, LocatedSchema, SchemaRegistry } from '../../schemas/schema-registry.js'
import { resolveSchema } from './fold.js'

/**
 * How a field holds numbers: `one`; `list`, with commas between them; or `each`, of a list whose operation says of each entry whether it is a
 * number, and reads national ones itself.
 */
export type NumberMark = 'one' | 'list' | 'each'

/** Returns the value with its national numbers completed. `field` is its name, for errors. @throws GatewayError INVALID_NUMBER */
export type Completion = (value: unknown, country: string, field: string) => unknown

/** Returns how the numbers of a schema are completed; null if it has none. */
export function completionFor(located: LocatedSchema, registry: SchemaRegistry): Completion | null {
  const parts = resolveSchema(located, registry)
  const mark = findMark(parts.map(({ schema }) => schema))
  if (mark === 'one') return completedOne
  if (mark === 'list') return completedList
  const items = parts.find(({ schema }) => isObject(schema.items))
  if (items !== undefined) {
    const one = completionFor({ schema: items.schema.items as JsonSchema, file: items.file }, registry)
    return one === null ? null : completedItems(one)
  }
  const fields: [string, Completion][] = []
  for (const { schema, file } of parts) {
    for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
      const one = completionFor({ schema: inner, file }, registry)
      if (one !== null) fields.push([name, one])
    }
  }
  return fields.length === 0 ? null : completedFields(fields)
}

/** Returns the mark of a field, of its schema and of those that it refers to. */
function findMark(schemas: readonly JsonSchema[]): NumberMark | undefined {
  return schemas.map((schema) => schema['x-number'] as NumberMark | undefined).find((mark) => mark !== undefined)
}

/**
 * Returns the number of the text with + if it is a national one. Other texts stay: JIDs, usernames, numbers with their country code, and what is
 * no number, which the operation refuses.
 * @throws GatewayError INVALID_NUMBER for a number that is neither international nor of the country, or both
 */
export function completedNumber(text: string, country: string, field: string): string {
  const read = readNumberText(text)
  if ('why' in read || read.isInternational) return text
  const here = readPhoneNumber(text, country)
  if ('why' in here)
    throw new GatewayError('INVALID_NUMBER', {
      message: `Invalid ${field}: it ${here.why}.`,
      details: [{ field, why: here.why }],
    })
  const anywhere = readPhoneNumber(text)
  return 'digits' in anywhere && anywhere.digits === here.digits ? text : `+${here.digits}`
}

const completedOne: Completion = (value, country, field) =>
  typeof value === 'string' ? completedNumber(value, country, field) : value

const completedList: Completion = (value, country, field) =>
  typeof value === 'string'
    ? value
        // Bound: 65,536, a list of numbers in a field.
        .split(',')
        .map((one) => completedNumber(one, country, field))
        .join(',')
    : value

function completedItems(one: Completion): Completion {
  return (value, country, field) =>
    Array.isArray(value) ? value.map((item, index) => one(item, country, `${field}[${index}]`)) : value
}

function completedFields(fields: readonly (readonly [string, Completion])[]): Completion {
  return (value, country, field) => {
    if (!isObject(value)) return value
    for (const [name, one] of fields) {
      if (value[name] !== undefined) value[name] = one(value[name], country, field === '' ? name : `${field}.${name}`)
    }
    return value
  }
}
