/** Writes the fields of the n8n node: each operation of an instance with its fields, and where each goes in the call, as n8n's declarative style has it. */
import { openApiDocument } from '../api/openapi.js'
import type { Route } from '../api/route.js'
import { routes } from '../api/routes.js'
import { eventKinds } from '../schemas/event-kinds.js'
import { type JsonSchema, loadSchemas } from '../schemas/schema-registry.js'

type Json = Readonly<Record<string, unknown>>

interface Field {
  readonly name: string
  readonly schema: Json
  readonly isRequired: boolean
  readonly place: 'body' | 'query' | 'path' | 'header'
}

interface Operation {
  readonly name: string
  readonly area: string
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly fields: readonly Field[]
}

/** Names that the node has for itself. */
const TAKEN = new Set(['resource', 'operation', 'additionalFields'])
/** Fields that hold a text of several lines. */
const LONG_TEXTS = new Set(['text', 'description', 'prompt', 'content'])

/** Returns the text of `clients/n8n/nodes/Posthorn/generated.ts`. */
export function n8nSource(): string {
  const operations = listOperations()
  const areas = [...new Set(operations.map(({ area }) => area))].toSorted()
  const properties = [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: areas.map((area) => ({ name: area, value: area })),
      default: 'Send',
    },
    ...areas.map((area) => operationProperty(area, operations)),
    ...operations.flatMap(fieldProperties),
  ]
  const bundled = loadSchemas().bundle('')
  const options = (names: readonly string[]) => names.toSorted().map((name) => ({ name, value: name }))
  return `/* Made by \`npm run generate\` from the OpenAPI document. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'

export const eventOptions: INodePropertyOptions[] = ${JSON.stringify(options(eventKinds))}

export const filterOptions: INodePropertyOptions[] = ${JSON.stringify(options(bundled.MessageFilter?.enum as string[]))}

export const properties: INodeProperties[] = [
${properties.map((property) => `  ${JSON.stringify(property)},`).join('\n')}
]
`
}

function operationProperty(area: string, all: readonly Operation[]): Json {
  const operations = all
    .filter((one) => one.area === area)
    .toSorted((one, other) => (one.summary < other.summary ? -1 : 1))
  const [first] = operations
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [area] } },
    options: operations.map(({ name, summary, method, path }) => ({
      name: formatTitle(name),
      value: name,
      description: sentence(summary),
      action: summary,
      routing: { request: { method, url: formatUrl(path) } },
    })),
    default: operations.find(({ name }) => name === 'sendText')?.name ?? first?.name,
  }
}

/** Puts the parameters of the path in their places. */
function formatUrl(path: string): string {
  if (!path.includes('{')) return path
  return `=${path.replace(/\{(\w+)\}/g, (_, name: string) => `{{encodeURIComponent($parameter["${name}"])}}`)}`
}

function fieldProperties({ name, area, fields }: Operation): Json[] {
  const displayOptions = { show: { resource: [area], operation: [name] } }
  const required = fields.filter(({ isRequired }) => isRequired)
  const optional = fields
    .filter(({ isRequired }) => !isRequired)
    .toSorted((one, other) => (formatTitle(one.name) < formatTitle(other.name) ? -1 : 1))
  return [
    ...required.map((field) => ({ ...describeProperty(field), required: true, displayOptions })),
    ...(optional.length === 0
      ? []
      : [
          {
            displayName: 'Additional Fields',
            name: 'additionalFields',
            type: 'collection',
            placeholder: 'Add Field',
            default: {},
            displayOptions,
            options: optional.map(describeProperty),
          },
        ]),
  ]
}

function describeProperty({ name, schema, place }: Field): Json {
  const description = sentence(String(schema.description ?? ''))
  const form = describeForm(name, schema)
  return {
    displayName: formatTitle(name),
    name: TAKEN.has(name) ? `${name}Field` : name,
    ...form,
    ...(description === '' ? {} : { description: form.type === 'boolean' ? whether(description) : description }),
    ...(place === 'path' ? {} : { routing: describeRouting(name, place, form.type === 'json') }),
  }
}

function describeRouting(name: string, place: Field['place'], isJson: boolean): Json {
  if (place === 'header') return { request: { headers: { [name]: '={{$value}}' } } }
  const value = isJson ? { value: '={{typeof $value === "string" ? JSON.parse($value) : $value}}' } : {}
  return { send: { type: place, property: name, propertyInDotNotation: false, ...value } }
}

/** Returns the kind of a field at n8n, and its value at first. */
function describeForm(name: string, schema: Json): Json & { readonly type: string } {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  if (Array.isArray(schema.enum) && types.includes('string')) {
    // Of values that may be written as a number too, the text does as well.
    const values = schema.enum.filter((value): value is string => typeof value === 'string')
    const options = values.toSorted().map((value) => ({ name: value === '' ? 'None' : value, value }))
    return { type: 'options', options, default: schema.default ?? options[0]?.value ?? '' }
  }
  if (types.length === 1 && types[0] === 'boolean') return { type: 'boolean', default: schema.default ?? false }
  if (types.length === 1 && (types[0] === 'integer' || types[0] === 'number'))
    return { type: 'number', default: schema.default ?? schema.minimum ?? 0 }
  if (types.includes('string') && !types.includes('object') && !types.includes('array')) {
    const secret = /key|token|secret|password/i.test(name) && name !== 'Idempotency-Key'
    const typeOptions = secret
      ? { typeOptions: { password: true } }
      : LONG_TEXTS.has(name)
        ? { typeOptions: { rows: 3 } }
        : {}
    return { type: 'string', ...typeOptions, default: '' }
  }
  return { type: 'json', default: types.includes('array') ? '[]' : '{}' }
}

/** Returns what a token of an instance may call with JSON, as the document shows it. */
function listOperations(): Operation[] {
  const registry = loadSchemas()
  const bundled = registry.bundle('')
  const paths = openApiDocument(routes, registry).paths as Record<string, Record<string, { parameters?: Json[] }>>
  return routes.filter(isForNodes).map((route) => {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const { parameters = [] } = paths[path]?.[route.method.toLowerCase()] ?? {}
    const request = route.schema === undefined ? undefined : registry.findName(route.schema, 'request')
    const takesBody = route.method === 'POST' || route.method === 'PUT'
    const body = takesBody && request !== undefined ? bodyFields(bundled[request] ?? {}, bundled) : []
    return {
      ...{ name: route.name, area: route.area, summary: route.summary, method: route.method, path },
      fields: [
        ...parameters.filter(({ in: place }) => place !== 'header').map(parameterField),
        ...body,
        ...keyField(route),
      ],
    }
  })
}

function isForNodes({ auth, hidden, produces, listField, name }: Route): boolean {
  const isOfInstance = auth === 'instance' || auth === 'either'
  return isOfInstance && hidden !== true && produces === undefined && listField === undefined && name !== 'streamEvents'
}

function parameterField({ name, in: place, required, schema, description }: Json): Field {
  return {
    name: String(name),
    schema: { description, ...(schema as Json) },
    isRequired: place === 'path' || required === true,
    place: place as 'path' | 'query',
  }
}

function bodyFields(schema: JsonSchema, bundled: Readonly<Record<string, JsonSchema>>): Field[] {
  const required = new Set(schema.required as readonly string[] | undefined)
  const own = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { $ref: reference, ...beside } = property
    const whole = typeof reference === 'string' ? { ...bundled[reference], ...beside } : property
    return { name, schema: whole, isRequired: required.has(name), place: 'body' as const }
  })
  const parts = (schema.allOf ?? []) as readonly Json[]
  return [...own, ...parts.flatMap((part) => bodyFields(bundled[String(part.$ref)] ?? part, bundled))]
}

function keyField({ idempotent }: Route): Field[] {
  if (idempotent === undefined) return []
  const description = 'A name of your own for this call. A repeated call with the same name does nothing again.'
  return [{ name: 'Idempotency-Key', schema: { type: 'string', description }, isRequired: false, place: 'header' }]
}

/** `groupJid` and `group_jid` become `Group Jid`. */
function formatTitle(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[\s_-]+/)
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return title.replace(
    /\b(Id|Url|Jid|Lid|Json)(s?)\b/g,
    (_, word: string, plural: string) => word.toUpperCase() + plural,
  )
}

/** n8n writes one sentence without its full stop, and several with it. */
function sentence(text: string): string {
  const single = text.replace(/\.$/, '')
  return /[.!?]\s/.test(single) ? text : single
}

function whether(description: string): string {
  return /^whether/i.test(description) ? description : `Whether to do this: ${description}`
}
