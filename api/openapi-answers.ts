/** The answers in the OpenAPI document. Each has an example, and operations share the answers of their errors. */
import { type ErrorCode, errors } from '../schemas/errors.js'
import type { JsonSchema, SchemaRegistry } from '../schemas/schema-registry.js'
import { exampleOf } from './example-values.js'
import type { Route } from './route.js'

// Ours: codes of errors.

type Json = Record<string, unknown>
type Schemas = Readonly<Record<string, JsonSchema>>

const JSON_TYPE = 'application/json'
/** Number of codes that the name of an answer lists. */
const CODES_NAMED = 3

/** Examples of answers that are no JSON. */
const TEXTS: Readonly<Record<string, string>> = {
  'text/csv': 'ordinal,number,status\n0,5511999990002,sent\n',
  'text/event-stream': 'event: messages\nid: r1-7\ndata: {"EventType":"messages"}\n\n',
  'text/html': '<!doctype html><title>Posthorn</title>',
  'text/plain': '# TYPE posthorn_instances gauge\nposthorn_instances{status="connected"} 3\n',
}

/** Field of any answer that is an object, besides those of its schema. */
const warned = {
  type: 'object',
  properties: {
    warnings: {
      type: 'array',
      description: 'Sentences about what was ignored or done otherwise.',
      items: { type: 'string' },
    },
  },
}

/** Makes the answers of operations, and collects those that several share. */
export class OpenApiAnswers {
  /** Answers of errors by their names: `components.responses`. */
  readonly shared: Record<string, Json> = {}
  readonly #schemas: Schemas
  readonly #registry: SchemaRegistry
  readonly #prefix: string

  constructor(registry: SchemaRegistry, schemas: Schemas, prefix: string) {
    this.#registry = registry
    this.#schemas = schemas
    this.#prefix = prefix
  }

  /** Returns all answers of a route by their statuses. */
  of(route: Route, codes: readonly ErrorCode[]): Json {
    const done = this.#success(route)
    return {
      200: done,
      ...(route.creates ? { 201: { ...done, description: 'Created.' } } : {}),
      ...(route.doesPart ? { 207: { ...done, description: 'Done in part.' } } : {}),
      ...(route.emptyMeans ? { 204: { description: route.emptyMeans } } : {}),
      ...(route.accepts ? { 202: { ...done, description: 'Begun; it continues.' } } : {}),
      ...this.#failures(codes),
    }
  }

  #success(route: Route): Json {
    const reply = route.schema === undefined ? undefined : this.#registry.nameOf(route.schema, 'reply')
    const { produces = JSON_TYPE } = route
    const description = 'Done.'
    if (reply === undefined) {
      const isJson = produces === JSON_TYPE
      const example = isJson ? { openapi: '3.1.0' } : (TEXTS[produces] ?? '(bytes)')
      return { description, content: { [produces]: { schema: { type: isJson ? 'object' : 'string' }, example } } }
    }
    const schema = { $ref: this.#prefix + reply }
    const example = exampleOf(schema, this.#schemas, this.#prefix)
    if (this.#schemas[reply]?.type !== 'array')
      return { description, content: { [JSON_TYPE]: { schema: { allOf: [schema, warned] }, example } } }
    const headers = {
      'Warning-Fields': { description: 'Ignored fields, when the answer is an array.', schema: { type: 'string' } },
    }
    return { description, headers, content: { [JSON_TYPE]: { schema, example } } }
  }

  #failures(codes: readonly ErrorCode[]): Json {
    const statuses = [...new Set(codes.map((code) => errors[code].status))]
    return Object.fromEntries(
      statuses.map((status) => {
        const same = codes.filter((code) => errors[code].status === status).sort()
        const name = this.#nameOf(status, same)
        this.shared[name] ??= this.#failure(same)
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  /** Returns a name of the status and the codes. Different codes have different names. */
  #nameOf(status: number, codes: readonly ErrorCode[]): string {
    const named = codes.slice(0, CODES_NAMED).join('.')
    const more = codes.length > CODES_NAMED ? `.and${codes.length - CODES_NAMED}` : ''
    const text = descriptionOf(codes)
    for (let number = 1; ; number++) {
      const name = `${status}.${named}${more}${number === 1 ? '' : `.${number}`}`
      const known = this.shared[name]
      if (known === undefined || known.description === text) return name
    }
  }

  #failure(codes: readonly ErrorCode[]): Json {
    const code = codes.find((one) => one === 'INVALID_REQUEST') ?? codes[0] ?? 'INTERNAL'
    const details = code === 'INVALID_REQUEST' ? { details: [{ field: 'limit', why: 'must be integer' }] } : {}
    const error = code === 'INVALID_REQUEST' ? 'Invalid request: limit must be integer.' : errors[code].means
    const schema = { $ref: `${this.#prefix}ErrorReply` }
    return {
      description: descriptionOf(codes),
      content: { [JSON_TYPE]: { schema, example: { error, code, ...details } } },
    }
  }
}

function descriptionOf(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errors[code].means}`).join('\n\n')
}
