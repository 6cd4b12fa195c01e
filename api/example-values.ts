/** Makes examples of answers from their schemas, so that each answer in the documentation shows values of its form. */
import { isObject } from '../lib/is-object.js'
import type { JsonSchema } from '../schemas/schema-registry.js'

// Ours: our own schemas.

type Schemas = Readonly<Record<string, JsonSchema>>
type Properties = Readonly<Record<string, JsonSchema>>

/** Below it, objects show only the fields that they must have. */
const DEPTH_OF_ALL = 2
const DEPTH_MAX = 12

/** Texts of which the first that fits is taken, if the name of the field says nothing. */
const TEXTS = [
  '',
  'text',
  '5511999990002',
  '5511999990002@s.whatsapp.net',
  'https://example.org/',
  '2026-11-21T10:00:00.000Z',
  '2026-11-21',
  '08:00',
  '0123456789abcdef',
  '00000000-0000-4000-8000-000000000000',
  `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
]
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^messageid$/i, '3EB0C767D097B7C7C030'],
  [/^(id|.*_id)$/i, 'r0123abc'],
  [/^(chatid|jid|wa_chatid|sender|owner_jid)$/i, '5511999990002@s.whatsapp.net'],
  [/^(groupjid|group)$/i, '120363000000000001@g.us'],
  [/^(owner|number|phone)$/i, '5511999990001'],
  [/lid$/i, '100000000000001@lid'],
  [/(At|_at|created|updated|ends|from|to|time)$/i, '2026-11-21T10:00:00.000Z'],
  [/url$/i, 'https://example.org/'],
  [/name$/i, 'Ana'],
  [/(message|response|error|why|reason|description)$/i, 'A sentence.'],
  [/(token|code|secret|proof)$/i, '0123456789abcdef0123456789abcdef'],
]

/** Returns a value that fits the schema. `schemas` are those that its references lead to, by `prefix` and their names. */
export function makeExample(schema: JsonSchema, schemas: Schemas, prefix: string): unknown {
  return new Examples(schemas, prefix).value(schema, '', 0)
}

class Examples {
  readonly #schemas: Schemas
  readonly #prefix: string

  constructor(schemas: Schemas, prefix: string) {
    this.#schemas = schemas
    this.#prefix = prefix
  }

  value(given: JsonSchema, name: string, depth: number): unknown {
    const target = typeof given.$ref === 'string' ? this.#target(given.$ref) : given
    const [shown] = (given.examples ?? target.examples ?? []) as readonly unknown[]
    if (shown !== undefined) return shown
    const schema = this.#whole(given)
    if (schema.const !== undefined) return schema.const
    if (Array.isArray(schema.enum)) return schema.enum[0]
    if (schema.default !== undefined) return schema.default
    const [choice] = (schema.oneOf ?? schema.anyOf ?? []) as readonly JsonSchema[]
    const type = [schema.type].flat().find((one) => one !== 'null')
    if (type === undefined && choice !== undefined) return this.value(choice, name, depth)
    return this.#typed(schema, String(type ?? 'object'), name, depth)
  }

  #typed(schema: JsonSchema, type: string, name: string, depth: number): unknown {
    switch (type) {
      case 'string':
        return makeText(schema, name)
      case 'integer':
      case 'number':
        return makeNumber(schema, name)
      case 'boolean':
        return true
      case 'array':
        return this.#list(schema, name, depth)
      default:
        return this.#object(schema, depth)
    }
  }

  #list(schema: JsonSchema, name: string, depth: number): unknown[] {
    const least = Number(schema.minItems ?? 0)
    if (!isObject(schema.items) || Number(schema.maxItems ?? 1) === 0 || (depth > DEPTH_MAX && least === 0)) return []
    const one = this.value(schema.items, name.replace(/s$/, ''), depth + 1)
    return Array.from({ length: Math.max(1, least) }, () => one)
  }

  #object(schema: JsonSchema, depth: number): Record<string, unknown> {
    const required = new Set((schema.required ?? []) as readonly string[])
    const shown = Object.entries((schema.properties ?? {}) as Properties).filter(
      ([name]) => depth < DEPTH_OF_ALL || required.has(name),
    )
    return Object.fromEntries(shown.map(([name, inner]) => [name, this.value(inner, name, depth + 1)]))
  }

  /** Joins a schema with those that it refers to and is made of. */
  #whole(schema: JsonSchema): JsonSchema {
    const { $ref, allOf = [], ...own } = schema
    const parts = [...(typeof $ref === 'string' ? [this.#target($ref)] : []), ...(allOf as readonly JsonSchema[])].map(
      (part) => this.#whole(part),
    )
    if (parts.length === 0) return own
    const all = [...parts, own]
    return {
      ...Object.assign({}, ...all),
      properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})) as Properties,
      required: all.flatMap(({ required }) => (required ?? []) as readonly string[]),
    }
  }

  #target(reference: string): JsonSchema {
    return this.#schemas[reference.slice(this.#prefix.length)] ?? {}
  }
}

function makeText(schema: JsonSchema, name: string): string {
  const named = BY_NAME.filter(([pattern]) => pattern.test(name)).map(([, text]) => text)
  const least = Number(schema.minLength ?? 0)
  const candidates = [...named, ...(name === '' ? [] : ['text']), ...TEXTS, 'x'.repeat(least)]
  return candidates.find((text) => fits(text, schema)) ?? ''
}

function fits(
  text: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: JsonSchema,
): boolean {
  if (text.length < Number(minLength) || text.length > Number(maxLength)) return false
  if (format === 'uri' && !URL.canParse(text)) return false
  if (format === 'date-time' && !(text.endsWith('Z') && !Number.isNaN(Date.parse(text)))) return false
  if (format === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  if (format === 'uuid' && !/^[0-9a-f-]{36}$/.test(text)) return false
  return pattern === undefined || new RegExp(String(pattern), 'u').test(text)
}

function makeNumber({ minimum = 0, maximum = Number.POSITIVE_INFINITY }: JsonSchema, name: string): number {
  const wanted = /(timestamp|time|at|ms)$/i.test(name) ? 1_795_255_200_000 : 1
  return Math.min(Math.max(wanted, Number(minimum)), Number(maximum))
}
