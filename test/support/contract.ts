/** The OpenAPI document as a gateway gives it out, and answers held against it. */
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'

export type Schema = Readonly<Record<string, unknown>>

export interface Operation {
  readonly method: string
  /** Such as `/admin/nodes/{id}/drain`. */
  readonly path: string
  readonly operationId: string
  /** The headers of which one is needed: `token`, `admintoken`; none for open operations. */
  readonly tokens: readonly string[]
  readonly parameters: readonly Parameter[]
  /** Undefined when it takes no body. */
  readonly body: Schema | undefined
  /** The body that it shows. */
  readonly example: unknown
  readonly responses: Readonly<Record<string, Response>>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Schema
}

interface Response {
  readonly description: string
  /** Absent where the answer has no body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Contract {
  readonly operations: readonly Operation[]
  /** Target of a reference. */
  resolve(reference: string): Schema
  /** @throws AssertionError when an answer is none of those that the document promises of the operation */
  check(operation: Operation, answer: { status: number; contentType: string; body: unknown }): void
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

interface OperationObject extends Pick<Operation, 'operationId' | 'responses'> {
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } }
  }
}

// The module is CommonJS: its default export is the plugin for bundlers, and an object that holds it for Node.js.
const addFormats = ((addFormatsModule as unknown as { default?: FormatsPlugin }).default ??
  addFormatsModule) as unknown as FormatsPlugin

interface WithAnswers {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
  readonly components: { readonly responses: Readonly<Record<string, unknown>> }
}

/** Puts the answers that operations share into each of them. */
export function withOwnAnswers<T extends WithAnswers>(document: T): T {
  for (const { responses } of Object.values(document.paths).flatMap((item) => Object.values(item)))
    for (const [status, { $ref }] of Object.entries(responses) as [string, { $ref?: string }][])
      if ($ref !== undefined)
        Object.assign(responses, { [status]: document.components.responses[$ref.split('/').at(-1) ?? ''] })
  return document
}

/** `text` is what `GET /openapi.json` answers. */
export function readContract(text: string): Contract {
  const document = withOwnAnswers(JSON.parse(text) as Document)
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats(ajv)
  ajv.addSchema({ $id: 'openapi', ...document })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, shown]): Operation => ({
        method: method.toUpperCase(),
        path,
        operationId: shown.operationId,
        tokens: shown.security.flatMap((one) => Object.keys(one)).filter((name) => !name.endsWith('InQuery')),
        parameters: shown.parameters ?? [],
        body: shown.requestBody?.content['application/json'].schema,
        example: shown.requestBody?.content['application/json'].example,
        responses: shown.responses,
      }),
    ),
  )

  function findValidator({ path, method }: Operation, status: number, type: string): ValidateFunction {
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
    const written = pointer.map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1')))
    return ajv.getSchema(`openapi#/${written.join('/')}`) as ValidateFunction
  }

  const resolve = (reference: string): Schema => document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}

  /** The names of an object's fields; none when it may have any. */
  function declared(schema: Schema): ReadonlySet<string> {
    const parts = [
      ...(typeof schema.$ref === 'string' ? [resolve(schema.$ref)] : []),
      ...((schema.allOf ?? []) as readonly Schema[]),
    ]
    return new Set([...parts.flatMap((part) => [...declared(part)]), ...Object.keys(schema.properties ?? {})])
  }

  return {
    operations,
    resolve,
    check(operation, { status, contentType, body }) {
      const response = operation.responses[status]
      assert.ok(response, `${operation.operationId} does not say that it answers ${status}`)
      if (response.content === undefined) {
        assert.equal(body ?? '', '', `${operation.operationId} answers ${status} with a body`)
        return
      }
      const [exact = ''] = contentType.split(';')
      const type = response.content[exact] === undefined ? '*/*' : exact
      assert.ok(response.content[type], `${operation.operationId} does not say that it answers ${status} as ${exact}`)
      const validate = findValidator(operation, status, type)
      assert.ok(validate(body), `its answer does not fit its schema: ${ajv.errorsText(validate.errors)}`)
      if (status < 400) {
        const names = declared(response.content[type]?.schema ?? {})
        const hidden = names.size === 0 || Array.isArray(body) ? [] : Object.keys(body as object)
        assert.deepEqual(
          hidden.filter((name) => !names.has(name)),
          [],
          `${operation.operationId} does not declare all that it tells`,
        )
        return
      }
      const { code } = body as { code: string }
      assert.ok(response.description.includes(`\`${code}\``), `${operation.operationId} does not name ${code}`)
    },
  }
}
