import { isObject, type Json } from './values.js'

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/** Returns the first fault of a JSON Schema of a tool's arguments, or undefined. */
export function schemaFault(schema: unknown): string | undefined {
  if (!isObject(schema)) return `${JSON.stringify(schema) ?? 'None'} is not of type 'object', 'boolean'.`
  if (String(schema.type).toLowerCase() !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${schema.type ?? 'None'}"'.`
  return faultWithin(schema, '')
}

function faultWithin(schema: Json, path: string): string | undefined {
  const type = String(schema.type ?? 'object').toLowerCase()
  if (!TYPES.has(type)) return `'${type}' is not valid under any of the given schemas at '${path}'.`
  if (schema.enum !== undefined && (!Array.isArray(schema.enum) || schema.enum.length === 0))
    return `In context=('${path}'), 'enum' must be a non-empty array.`
  if (type === 'array' && !isObject(schema.items)) return `In context=('${path}'), array schema missing items.`
  const properties = schema.properties ?? {}
  if (!isObject(properties)) return `In context=('${path}'), 'properties' must be an object.`
  const required = schema.required ?? []
  if (!Array.isArray(required) || required.some((name) => !(String(name) in properties)))
    return `In context=('${path}'), 'required' names a property that is not in 'properties'.`
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) return `In context=('properties', '${name}'), ${JSON.stringify(property)} is not a schema.`
    const fault = faultWithin(property, `${path}properties.${name}`)
    if (fault !== undefined) return fault
  }
  return isObject(schema.items) ? faultWithin(schema.items, `${path}items`) : undefined
}
