/** The operations of the OpenAPI document, with their fields, for forms. */
import { isObject } from './problem.js'

export interface ApiField {
  readonly name: string
  readonly place: 'path' | 'query' | 'body'
  readonly isRequired: boolean
  readonly description: string
  /** `json`: an object or a list, or one of several types. */
  readonly type: 'text' | 'number' | 'boolean' | 'choice' | 'json'
  readonly choices: readonly string[]
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly maxLength: number | undefined
  /** As people would type it; empty if there is none. */
  readonly example: string
}

export interface ApiOperation {
  readonly name: string
  readonly method: string
  /** With names of parameters in braces. */
  readonly path: string
  readonly area: string
  readonly summary: string
  readonly description: string
  /** Kind of token that it takes. */
  readonly header: 'token' | 'admintoken'
  readonly fields: readonly ApiField[]
}

type Json = Readonly<Record<string, unknown>>

/** Returns all operations that take a token and answer once. */
export function listOperations(document: unknown): readonly ApiOperation[] {
  if (!isObject(document) || !isObject(document.paths)) return []
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    isObject(methods)
      ? Object.entries(methods).flatMap(([method, operation]) =>
          isObject(operation) ? readOperation(document, path, method, operation) : [],
        )
      : [],
  )
}

function readOperation(document: Json, path: string, method: string, operation: Json): readonly ApiOperation[] {
  const { operationId, tags, summary, description } = operation
  const header = chooseHeader(operation)
  if (typeof operationId !== 'string' || header === undefined || isStream(operation)) return []
  return [
    {
      name: operationId,
      method: method.toUpperCase(),
      path,
      area: Array.isArray(tags) ? String(tags[0] ?? '') : '',
      summary: readText(summary),
      description: readText(description),
      header,
      fields: [...readParameters(document, operation), ...readBodyFields(document, operation)],
    },
  ]
}

function chooseHeader({ security }: Json): ApiOperation['header'] | undefined {
  const names = Array.isArray(security) ? security.flatMap((one) => (isObject(one) ? Object.keys(one) : [])) : []
  return (['token', 'admintoken'] as const).find((name) => names.includes(name))
}

/** A stream of events has no end to wait for. */
function isStream({ responses }: Json): boolean {
  const done = isObject(responses) ? responses['200'] : undefined
  return isObject(done) && isObject(done.content) && 'text/event-stream' in done.content
}

function readParameters(document: Json, { parameters }: Json): readonly ApiField[] {
  if (!Array.isArray(parameters)) return []
  return parameters.flatMap((given: unknown) => {
    const parameter = resolveRef(document, given)
    const { name, in: place, required, schema } = parameter
    if (typeof name !== 'string' || (place !== 'path' && place !== 'query')) return []
    return [makeField(document, name, place, required === true, { ...parameter, ...resolveRef(document, schema) })]
  })
}

function readBodyFields(document: Json, { requestBody }: Json): readonly ApiField[] {
  const { content } = resolveRef(document, requestBody)
  const json = isObject(content) ? content['application/json'] : undefined
  if (!isObject(json)) return []
  const schema = resolveRef(document, json.schema)
  const example = isObject(json.example) ? json.example : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = collectProperties(document, schema)
  const fields = Object.entries(properties).map(([name, property]) => {
    const shown =
      name in example ? { ...resolveRef(document, property), example: example[name] } : resolveRef(document, property)
    return makeField(document, name, 'body', required.includes(name), shown)
  })
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

/** Returns the properties of a schema and of those that it is made of. */
function collectProperties(document: Json, schema: Json): Json {
  const parts = Array.isArray(schema.allOf) ? schema.allOf : []
  const inherited = parts.map((part) => collectProperties(document, resolveRef(document, part)))
  return Object.assign({}, ...inherited, isObject(schema.properties) ? schema.properties : {}) as Json
}

function makeField(
  document: Json,
  name: string,
  place: ApiField['place'],
  isRequired: boolean,
  schema: Json,
): ApiField {
  const { description, minimum, maximum, maxLength } = schema
  const example = schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined)
  return {
    name,
    place,
    isRequired: isRequired || place === 'path',
    description: readText(description),
    type: chooseType(document, schema),
    choices: Array.isArray(schema.enum) ? schema.enum.filter((one) => one !== null).map(String) : [],
    minimum: readNumber(minimum),
    maximum: readNumber(maximum),
    maxLength: readNumber(maxLength),
    example: example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example),
  }
}

function chooseType(document: Json, schema: Json): ApiField['type'] {
  if (Array.isArray(schema.enum)) return 'choice'
  const [first, ...others] = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((one) => one !== 'null')
  if (others.length > 0) return 'json'
  if (first === 'string') return 'text'
  if (first === 'integer' || first === 'number') return 'number'
  if (first === 'boolean') return 'boolean'
  if (Array.isArray(schema.allOf) && schema.allOf.length === 1)
    return chooseType(document, resolveRef(document, schema.allOf[0]))
  return 'json'
}

/** Follows references, which may lead to others. */
function resolveRef(document: Json, given: unknown, depth = 0): Json {
  if (!isObject(given)) return {}
  const { $ref } = given
  if (typeof $ref !== 'string' || depth > 10) return given
  let target: unknown = document
  for (const part of $ref.replace(/^#\//, '').split('/')) target = isObject(target) ? target[part] : undefined
  return { ...resolveRef(document, target, depth + 1), ...dropRef(given) }
}

function dropRef({ $ref: _, ...rest }: Json): Json {
  return rest
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
