/** Bodies and queries that are wrong in every way that their schemas can name, made from the schemas. For tests of the validation. */
import { DIGIT_FIELDS } from '../../api/input/fold.js'
import type { JsonSchema, LocatedSchema, SchemaRegistry } from '../../schemas/schema-registry.js'

/** A body that fits but for one field. */
export interface WrongBody {
  /** As errors name it: `events[0]`, `carousel[0].text`. */
  readonly field: string
  readonly why: string
  readonly body: Readonly<Record<string, unknown>>
}

interface Wrong {
  /** Suffix of the field's name: '' or `[0].text`. */
  readonly at: string
  readonly why: string
  /** Undefined: it is missing. */
  readonly value: unknown
}

/** A schema with all that it refers to and is made of. */
interface Whole {
  readonly keywords: JsonSchema
  readonly properties: ReadonlyMap<string, LocatedSchema>
  readonly required: ReadonlySet<string>
  readonly items: LocatedSchema | null
  readonly values: LocatedSchema | null
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 5,
  number: 1.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
}
/** Texts of which one fits each pattern and format of ours, and one does not. */
const TEXTS = [
  'x',
  '5511999990002',
  'https://example.org/',
  '5511999990002@s.whatsapp.net',
  `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  '00000000-0000-4000-8000-000000000000',
  '2026-01-01T00:00:00Z',
]
const ODD_TEXTS = ['a b', ' ', '\t', '{', ',', '€', '🙂', '-', 'x']

/** All wrong bodies of a schema; every other field that is required is there and right. */
export function wrongBodies(located: LocatedSchema, registry: SchemaRegistry): readonly WrongBody[] {
  const body = goodBody(located, registry)
  const whole = collectWhole(located, registry)
  return [...whole.properties].flatMap(([name, property]) => {
    return wrongProperty(name, property, whole, registry).map(({ at, why, value }) => ({
      field: `${name}${at}`,
      why,
      body: { ...body, [name]: value },
    }))
  })
}

/** All wrong queries: texts, as they stand in a URL. */
export function wrongQueries(located: LocatedSchema, registry: SchemaRegistry): readonly WrongBody[] {
  return wrongBodies(located, registry).filter(({ field, body, why }) => {
    const value = body[field]
    // Any text is a text; of the types a number and a truth value can be wrong.
    return why !== 'type' && (value === undefined || typeof value === 'string' || typeof value === 'number')
  })
}

/** The required fields and no more. */
export function goodBody(located: LocatedSchema, registry: SchemaRegistry): Readonly<Record<string, unknown>> {
  return goodValue(located, registry) as Readonly<Record<string, unknown>>
}

function goodValue(located: LocatedSchema, registry: SchemaRegistry): unknown {
  const { keywords, properties, required, items } = collectWhole(located, registry)
  if (keywords.const !== undefined) return keywords.const
  if (Array.isArray(keywords.enum)) return keywords.enum[0]
  switch (listTypes(keywords)[0]) {
    case 'string':
      return goodText(keywords, located.file)
    case 'integer':
    case 'number':
      return Math.max(Number(keywords.minimum ?? 0), 0)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: Number(keywords.minItems ?? 0) }, () =>
        items === null ? 'x' : goodValue(items, registry),
      )
    default:
      return Object.fromEntries(
        [...properties]
          .filter(([name], index) => required.has(name) || index < Number(keywords.minProperties ?? 0))
          .map(([name, one]) => [name, goodValue(one, registry)]),
      )
  }
}

function goodText(keywords: JsonSchema, file: string): string {
  const found = [...TEXTS, 'x'.repeat(Number(keywords.minLength ?? 0))].find((text) => fits(text, keywords))
  if (found === undefined)
    throw new Error(`schemas/${file}: no text of wrong-fields.ts fits ${String(keywords.pattern)}.`)
  return found
}

/** Without values that are tolerated (`input/tolerance.ts`), and without fields that are refused in another way. */
function wrongProperty(name: string, property: LocatedSchema, whole: Whole, registry: SchemaRegistry): Wrong[] {
  const isRequired = whole.required.has(name)
  const { keywords } = collectWhole(property, registry)
  if (keywords['x-unsupported'] !== undefined) return []
  const missing: Wrong[] = isRequired ? [{ at: '', why: 'missing', value: undefined }] : []
  const isDigits = DIGIT_FIELDS.has(name) || keywords['x-digits'] === true
  const isInteger = (value: unknown) => typeof value === 'number' && Number.isInteger(value)
  const isTolerated = ({ at, value }: Wrong) =>
    (at === '' && value === null && !isRequired) ||
    (isDigits && (isInteger(value) || (Array.isArray(value) && value.length > 0 && value.every(isInteger))))
  return [...missing, ...wrongValues(property, registry).filter((wrong) => !isTolerated(wrong))]
}

function wrongValues(located: LocatedSchema, registry: SchemaRegistry): Wrong[] {
  const whole = collectWhole(located, registry)
  const { keywords } = whole
  const types = listTypes(keywords)
  return [
    ...wrongTypes(types),
    ...(types.includes('string') ? wrongTexts(keywords) : []),
    ...(types.includes('integer') || types.includes('number') ? wrongNumbers(keywords) : []),
    ...(types.includes('array') ? wrongLists(whole, registry) : []),
    ...(types.includes('object') ? wrongObjects(located, whole, registry) : []),
  ]
}

function wrongTypes(types: readonly string[]): Wrong[] {
  if (types.length === 0) return []
  return Object.entries(SAMPLES)
    .filter(([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number')))
    .map(([, value]) => ({ at: '', why: 'type', value }))
}

function wrongTexts(keywords: JsonSchema): Wrong[] {
  const { minLength, maxLength } = keywords
  if (Array.isArray(keywords.enum)) return [{ at: '', why: 'no such value', value: 'no such value' }]
  const odd = ODD_TEXTS.find((text) => hasLength(text, keywords) && !fits(text, keywords))
  return [
    ...(maxLength === undefined ? [] : [{ at: '', why: 'too long', value: 'x'.repeat(Number(maxLength) + 1) }]),
    ...(minLength === undefined || minLength === 0
      ? []
      : [{ at: '', why: 'too short', value: 'x'.repeat(Number(minLength) - 1) }]),
    ...(odd === undefined ? [] : [{ at: '', why: 'form', value: odd }]),
  ]
}

function wrongNumbers({ minimum, maximum }: JsonSchema): Wrong[] {
  return [
    ...(minimum === undefined ? [] : [{ at: '', why: 'too small', value: Number(minimum) - 1 }]),
    ...(maximum === undefined ? [] : [{ at: '', why: 'too large', value: Number(maximum) + 1 }]),
  ]
}

function wrongLists({ keywords, items }: Whole, registry: SchemaRegistry): Wrong[] {
  const { minItems, maxItems } = keywords
  const one = items === null ? 'x' : goodValue(items, registry)
  const others = Array.from({ length: Math.max(0, Number(minItems ?? 0) - 1) }, () => one)
  return [
    ...(minItems === undefined || minItems === 0 ? [] : [{ at: '', why: 'too few', value: [] }]),
    ...(maxItems === undefined
      ? []
      : [{ at: '', why: 'too many', value: Array.from({ length: Number(maxItems) + 1 }, () => one) }]),
    ...(items === null
      ? []
      : wrongValues(items, registry).map(({ at, why, value }) => ({ at: `[0]${at}`, why, value: [value, ...others] }))),
  ]
}

function wrongObjects(located: LocatedSchema, whole: Whole, registry: SchemaRegistry): Wrong[] {
  const good = goodBody(located, registry)
  const named = [...whole.properties].flatMap(([name, property]) => {
    return wrongProperty(name, property, whole, registry).map(({ at, why, value }) => ({
      at: `.${name}${at}`,
      why,
      value: { ...good, [name]: value },
    }))
  })
  const free =
    whole.values === null
      ? []
      : wrongValues(whole.values, registry).map(({ at, why, value }) => ({
          at: `.key${at}`,
          why,
          value: { ...good, key: value },
        }))
  return [...named, ...free]
}

function collectWhole({ schema, file }: LocatedSchema, registry: SchemaRegistry): Whole {
  const parts = [
    ...(typeof schema.$ref === 'string' ? [collectWhole(registry.resolve(schema.$ref, file), registry)] : []),
    ...((schema.allOf ?? []) as readonly JsonSchema[]).map((one) => collectWhole({ schema: one, file }, registry)),
  ]
  const own = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
  const located = (one: unknown) => (isSchema(one) ? { schema: one, file } : null)
  return {
    keywords: Object.assign({}, ...parts.map(({ keywords }) => keywords), schema) as JsonSchema,
    properties: new Map([
      ...parts.flatMap(({ properties }) => [...properties]),
      ...own.map(([name, one]): [string, LocatedSchema] => [name, { schema: one, file }]),
    ]),
    required: new Set([
      ...parts.flatMap(({ required }) => [...required]),
      ...((schema.required ?? []) as readonly string[]),
    ]),
    items: located(schema.items) ?? parts.find(({ items }) => items !== null)?.items ?? null,
    values: located(schema.additionalProperties) ?? null,
  }
}

function listTypes({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : ([type].flat() as string[])
}

function hasLength(text: string, { minLength, maxLength }: JsonSchema): boolean {
  const { length } = [...text]
  return length >= Number(minLength ?? 0) && length <= Number(maxLength ?? Number.POSITIVE_INFINITY)
}

function fits(text: string, keywords: JsonSchema): boolean {
  const { pattern, format } = keywords
  if (!hasLength(text, keywords)) return false
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false
  if (format === 'uri') return URL.canParse(text)
  if (format === 'uuid') return /^[\da-f-]{36}$/.test(text)
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT/.test(text)
  return true
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}
