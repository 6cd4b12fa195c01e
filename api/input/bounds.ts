/**
 * Checks lengths against a schema before Ajv sees the value. Ajv looks at every item, runs every pattern and makes an error for each, so
 * that a value costs more the further it exceeds its schema.
 */
import type { JsonSchema, LocatedSchema, SchemaRegistry } from '../../schemas/schema-registry.js'

export interface WrongField {
  /** Name of the field as callers write it: `choices[3]`. */
  readonly field: string
  readonly why: string
}

/** Adds the fields that are too long to `found`, until it has `foundMax`. */
export type Bounds = (value: unknown, found: WrongField[], foundMax: number, field?: string) => void

/** Prepares the check of a schema. Returns null where nothing is bounded. */
export function boundsFor(located: LocatedSchema, registry: SchemaRegistry): Bounds | null {
  const parts = partsOf(located, registry)
  const own = (keyword: string): number =>
    Math.min(...parts.map(({ schema }) => Number(schema[keyword] ?? Number.POSITIVE_INFINITY)))
  const [textMax, itemsMax, keysMax] = [own('maxLength'), own('maxItems'), own('maxProperties')]
  const items = parts.flatMap(({ schema, file }) => bounded(schema.items, file, registry))
  const free = parts.flatMap(({ schema, file }) => bounded(schema.additionalProperties, file, registry))
  const fields = new Map<string, Bounds[]>()
  for (const { schema, file } of parts)
    for (const [name, inner] of Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>))
      fields.set(name, [...(fields.get(name) ?? []), ...bounded(inner, file, registry)])
  const hasParts = items.length > 0 || free.length > 0 || [...fields.values()].some((all) => all.length > 0)
  if (!hasParts && !Number.isFinite(Math.min(textMax, itemsMax, keysMax))) return null

  return (value, found, foundMax, field = '') => {
    if (typeof value === 'string') {
      if (isLonger(value, textMax)) found.push({ field, why: `must not have more than ${textMax} characters` })
    } else if (Array.isArray(value)) {
      if (value.length > itemsMax) return void found.push({ field, why: `must not have more than ${itemsMax} items` })
      for (let index = 0; index < value.length && found.length < foundMax; index++)
        for (const one of items) one(value[index], found, foundMax, `${field}[${index}]`)
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value)
      if (keys.length > keysMax) return void found.push({ field, why: `must not have more than ${keysMax} properties` })
      for (const key of keys) {
        if (found.length >= foundMax) return
        const inner = field === '' ? key : `${field}.${key}`
        for (const one of fields.get(key) ?? free)
          one((value as Readonly<Record<string, unknown>>)[key], found, foundMax, inner)
      }
    }
  }
}

function bounded(schema: unknown, file: string, registry: SchemaRegistry): Bounds[] {
  if (typeof schema !== 'object' || schema === null) return []
  const bounds = boundsFor({ schema: schema as JsonSchema, file }, registry)
  return bounds === null ? [] : [bounds]
}

/** Counts characters: two code units of one character are one. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > 2 * max) return true
  let length = 0
  for (const _ of text) length += 1
  return length > max
}

function partsOf({ schema, file }: LocatedSchema, registry: SchemaRegistry): LocatedSchema[] {
  const all = (schema.allOf ?? []) as readonly JsonSchema[]
  return [
    { schema, file },
    ...(typeof schema.$ref === 'string' ? partsOf(registry.resolve(schema.$ref, file), registry) : []),
    ...all.flatMap((one) => partsOf({ schema: one, file }, registry)),
  ]
}
