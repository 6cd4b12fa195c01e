/** The OpenAPI document as the pages of the reference read it. */
import { openApiDocument } from '../../api/openapi.js'
import { routes } from '../../api/routes.js'
import { loadSchemas } from '../../schemas/schema-registry.js'

export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

export interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly area: string
  readonly summary: string
  readonly description: string
  readonly schemes: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly body?: { readonly required: boolean; readonly schema: Schema; readonly example: unknown }
  readonly replies: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
}

interface RawOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
}

interface Response {
  readonly description: string
  readonly content?: Content
}

export interface OpenApi {
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, Schema>>
}

export const JSON_TYPE = 'application/json'

export function readOpenApi(): OpenApi {
  const document = openApiDocument(routes, loadSchemas()) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
    readonly components: {
      readonly schemas: Readonly<Record<string, Schema>>
      readonly responses: Readonly<Record<string, Response>>
    }
  }
  const shared = document.components.responses
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, raw]) => findOperation(method.toUpperCase(), path, raw, shared)),
  )
  return { operations, schemas: document.components.schemas }
}

function findOperation(
  method: string,
  path: string,
  raw: RawOperation,
  shared: Readonly<Record<string, Response>>,
): Operation {
  const { operationId, tags, summary, description = '', security, parameters = [], requestBody, responses } = raw
  const json = requestBody?.content[JSON_TYPE]
  return {
    method,
    path,
    operationId,
    area: tags[0] ?? '',
    summary,
    description,
    schemes: security.flatMap((one) => Object.keys(one)),
    parameters,
    ...(json === undefined
      ? {}
      : { body: { required: requestBody?.required === true, schema: json.schema, example: json.example } }),
    replies: Object.fromEntries(
      Object.entries(responses).map(([status, one]) => {
        const response = '$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : one
        return [status, { description: response?.description ?? '', content: response?.content ?? {} }]
      }),
    ),
  }
}

/** Follows a reference, and joins the parts of `allOf` into one object. */
export function resolved(schema: Schema, schemas: OpenApi['schemas']): Schema {
  const target =
    schema.$ref === undefined
      ? schema
      : { ...resolved(schemas[readName(schema)] ?? {}, schemas), ...withoutReference(schema) }
  if (target.allOf === undefined) return target
  const parts = target.allOf.map((part) => resolved(part, schemas))
  return {
    ...Object.assign({}, ...parts),
    ...target,
    required: [...new Set([...parts, target].flatMap(({ required = [] }) => required))],
    properties: Object.assign(
      {},
      target.properties,
      ...parts.map(({ properties }) => properties),
      target.properties,
    ) as Record<string, Schema>,
  }
}

function withoutReference({ $ref: _, ...rest }: Schema): Schema {
  return rest
}

/** Name of the schema that a reference leads to. */
export function readName({ $ref = '' }: Schema): string {
  return $ref.split('/').at(-1) ?? ''
}
