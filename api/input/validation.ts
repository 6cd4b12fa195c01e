/** Checks bodies, queries and answers against their schemas. Each schema is compiled at its first use; all at once would take a second. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FormatsPlugin } from 'ajv-formats'
import addFormatsModule from 'ajv-formats'
import { exceededLimit, type JsonLimits } from '../../lib/json-shape.js'
import { GatewayError } from '../../schemas/errors.js'
import { invalidField } from '../../schemas/invalid-field.js'
import type { JsonSchema, LocatedSchema, OperationPart, SchemaRegistry } from '../../schemas/schema-registry.js'
import { type Fold, foldFor, type InputNotes, resolveSchema } from './fold.js'
import { inspect, printable } from './inspect.js'
import { type Completion, completionFor } from './numbers.js'

export interface Validation {
  /**
   * Returns the body in the declared spelling and types. Adds fields that were not taken as they came to `notes`.
   * @throws GatewayError INVALID_REQUEST, NOT_SUPPORTED
   */
  body(file: string, value: unknown, notes: InputNotes): unknown
  /** As `body`. The values are texts and become the types of the schema. */
  query(file: string, value: Readonly<Record<string, string>>, notes: InputNotes): unknown
  /** As `body`, of a request whose fields stand in the query. Lists and objects are JSON there. */
  fields(file: string, values: Readonly<Record<string, string>>, notes: InputNotes): unknown
  /**
   * Completes the national numbers of a body or query that fits its schema.
   * @param country ISO code of the country whose numbers they may be; empty: nothing is done
   * @throws GatewayError INVALID_NUMBER
   */
  completeNumbers(file: string, part: 'request' | 'query', value: unknown, country: string): void
  /** Checks an answer of ours. @throws Error when it does not fit */
  reply(file: string, value: unknown): void
}

// The module is CommonJS: its default export is the plugin for bundlers, and an object that holds it for Node.js.
const addFormats = ((addFormatsModule as unknown as { default?: FormatsPlugin }).default ??
  addFormatsModule) as unknown as FormatsPlugin

/** Maximum of mistakes that an answer names. */
const detailsMax = 10

interface Validator {
  readonly validate: ValidateFunction
  readonly fold: Fold
  readonly bounds: Bounds | null
  readonly completion: Completion | null
}

export function createValidation(registry: SchemaRegistry): Validation {
  const strict = createAjv(registry, false)
  const coercing = createAjv(registry, true)
  const validators = new Map<string, Validator | null>()

  /** @param isText true if the values are texts, as in a query */
  function findValidator(file: string, part: OperationPart, isText: boolean): Validator | null {
    const key = `${part} ${isText} ${file}`
    const known = validators.get(key)
    if (known !== undefined) return known
    const made = makeValidator(file, part, isText)
    validators.set(key, made)
    return made
  }

  function makeValidator(file: string, part: OperationPart, isText: boolean): Validator | null {
    const address = registry.address(file, part)
    const located = registry.part(file, part)
    if (address === undefined || located === undefined) return null
    const validate = (isText ? coercing : strict).getSchema(address)
    if (validate === undefined) throw new Error(`schemas/${file} has no ${part} that compiles.`)
    const isTolerant = part === 'request' && !isText
    return {
      validate,
      fold: foldFor(located, registry, isTolerant),
      bounds: boundsFor(located, registry),
      completion: completionFor(located, registry),
    }
  }

  function check(file: string, part: OperationPart, value: unknown, notes: InputNotes, isText = false): unknown {
    const found = findValidator(file, part, isText)
    if (found === null) return undefined
    const folded = found.fold(value, notes)
    const tooLong: WrongField[] = []
    found.bounds?.(folded, tooLong, detailsMax)
    if (tooLong.length > 0) throw invalid(tooLong.map(({ field, why }) => ({ field: printable(field), why })))
    if (!found.validate(folded)) throw invalid(explain(found.validate.errors ?? []))
    return folded
  }

  return {
    body: (file, value, notes) => check(file, 'request', value, notes),
    query: (file, value, notes) => finite(check(file, 'query', value, notes, true)),
    fields(file, values, notes) {
      const located = registry.part(file, 'request')
      const parsed = located === undefined ? values : parsedFields(values, listJsonFields(located, registry))
      return finite(check(file, 'request', parsed, notes, true))
    },
    completeNumbers(file, part, value, country) {
      if (country !== '') findValidator(file, part, part === 'query')?.completion?.(value, country, '')
    },
    reply(file, value) {
      const found = findValidator(file, 'reply', false)
      if (found === null || found.validate(value)) return
      throw new Error(
        `An answer does not fit schemas/${file}: ${explain(found.validate.errors ?? [])
          .map((one) => `${one.field} ${one.why}`)
          .join('; ')}`,
      )
    },
  }
}

function createAjv(registry: SchemaRegistry, coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    validateFormats: true,
    useDefaults: true,
    allErrors: true,
    coerceTypes,
    // A test checks the schemas against the schema of schemas. Here that would cost each start a tenth of a second.
    validateSchema: false,
    code: { optimize: false },
  })
  addFormats(ajv)
  // `fold.ts`, `tolerance.ts` and `numbers.ts` read them.
  ajv.addVocabulary(['x-unsupported', 'x-digits', 'x-number'])
  for (const { schema } of registry.files) ajv.addSchema(schema as object)
  return ajv
}

/** Refuses numbers out of range: Ajv turns a text of some hundred digits into Infinity, and checks no bound against it. */
function finite(query: unknown): unknown {
  for (const [field, value] of Object.entries(query ?? {})) {
    if (value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) continue
    throw invalidField(field, 'is out of range')
  }
  return query
}

function invalid(details: readonly WrongField[]): GatewayError {
  const [first] = details
  const message =
    first === undefined ? 'Invalid request.' : `Invalid request: ${first.field || 'the body'} ${first.why}.`
  return new GatewayError('INVALID_REQUEST', { message, details })
}

function explain(errors: readonly ErrorObject[]): WrongField[] {
  return errors.slice(0, detailsMax).map((error) => ({ field: formatField(error), why: describeError(error) }))
}

/** Returns the JSON pointer of Ajv as callers write it: `/events/0` becomes `events[0]`. */
function formatField(error: ErrorObject): string {
  // Bound: 16,384, the path of a field.
  const keys = error.instancePath.split('/').slice(1)
  if (error.keyword === 'required') keys.push((error.params as { missingProperty: string }).missingProperty)
  if (error.keyword === 'additionalProperties')
    keys.push((error.params as { additionalProperty: string }).additionalProperty)
  // Bound: 1,048,576, a body or header of a request.
  return printable(keys.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join(''))
}

function describeError({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a field of this'
    case 'type':
      return `must be ${[(params as { type: string | string[] }).type].flat().join(' or ')}`
    case 'enum':
      return `must be one of: ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}`
    case 'pattern':
      return 'has an invalid format'
    case 'format':
      return `must be a valid ${(params as { format: string }).format}`
    default:
      return (message ?? 'does not fit').toLowerCase()
  }
}

// Fields of a body that stand in the query, because the body is something else.

/** A query is bounded by the size of the headers. */
const SHAPE: JsonLimits = { depthMax: 8, keysMax: 1_000, valuesMax: 2_000 }

/** Returns the names of the fields that are lists or objects, in lower case. */
function listJsonFields(located: LocatedSchema, registry: SchemaRegistry): ReadonlySet<string> {
  const names = resolveSchema(located, registry).flatMap(({ schema, file }) =>
    Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
      .filter(([, inner]) =>
        resolveSchema({ schema: inner, file }, registry).some(
          ({ schema: { type } }) => type === 'array' || type === 'object',
        ),
      )
      .map(([name]) => name.toLowerCase()),
  )
  return new Set(names)
}

/** Returns the fields with lists and objects parsed. @throws GatewayError INVALID_REQUEST, FORBIDDEN_KEY */
function parsedFields(
  values: Readonly<Record<string, string>>,
  jsonFields: ReadonlySet<string>,
): Record<string, unknown> {
  const parsed: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(values))
    parsed[name] = jsonFields.has(name.toLowerCase()) ? parse(printable(name), text) : text
  inspect(parsed, SHAPE.depthMax)
  return parsed
}

function parse(name: string, text: string): unknown {
  if (exceededLimit(Buffer.from(text), SHAPE) !== null) throw invalidField(name, 'has too many parts')
  try {
    // Bound: 16,384, 2,000 values, counted before.
    return JSON.parse(text) as unknown
  } catch {
    throw invalidField(name, 'must be JSON where it stands in the query')
  }
}

/**
 * Checks lengths against a schema before Ajv sees the value. Ajv looks at every item, runs every pattern and makes an error for each, so
 * that a value costs more the further it exceeds its schema.
 */

interface WrongField {
  /** Name of the field as callers write it: `choices[3]`. */
  readonly field: string
  readonly why: string
}

/** Adds the fields that are too long to `found`, until it has `foundMax`. */
type Bounds = (value: unknown, found: WrongField[], foundMax: number, field?: string) => void

/** Prepares the check of a schema. Returns null where nothing is bounded. */
function boundsFor(located: LocatedSchema, registry: SchemaRegistry): Bounds | null {
  const parts = resolveSchema(located, registry)
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
