/** Writes the API as files for HTTP clients: a Postman collection, which Insomnia and Bruno import too, and a `.http` file for editors. */
import { openApiDocument } from '../api/openapi.js'
import { routes } from '../api/routes.js'
import { loadSchemas } from '../schemas/schema-registry.js'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
}

interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
}

interface Call {
  readonly name: string
  readonly area: string
  readonly summary: string
  readonly description: string
  readonly method: string
  readonly path: string
  /** Header of the token; undefined for open operations. */
  readonly token: 'token' | 'admintoken' | undefined
  readonly pathNames: readonly string[]
  readonly query: readonly Parameter[]
  readonly takesKey: boolean
  readonly body: string | undefined
}

const URL = 'http://127.0.0.1:3000'

/** Returns a collection in the form 2.1.0, one folder for each area. */
export function postmanCollection(): string {
  const calls = callsOf()
  const areas = [...new Set(calls.map(({ area }) => area))]
  const collection = {
    info: {
      name: 'Posthorn',
      description:
        'Made by `npm run generate` from the OpenAPI document. Set `token` and `admintoken` in the variables of the collection.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'url', value: URL },
      { key: 'token', value: '', type: 'secret' },
      { key: 'admintoken', value: '', type: 'secret' },
    ],
    item: areas.map((area) => ({ name: area, item: calls.filter((call) => call.area === area).map(postmanItem) })),
  }
  return `${JSON.stringify(collection, null, 1)}\n`
}

function postmanItem({ summary, description, method, path, token, pathNames, query, takesKey, body }: Call): object {
  const headers = [
    ...(token === undefined ? [] : [{ key: token, value: `{{${token}}}` }]),
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ...(takesKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}', disabled: true }] : []),
  ]
  const address = path.replace(/\{(\w+)\}/g, ':$1')
  return {
    name: summary,
    request: {
      method,
      ...(description === '' ? {} : { description }),
      header: headers,
      url: {
        raw: `{{url}}${address}`,
        host: ['{{url}}'],
        path: address.slice(1).split('/'),
        // Switched off: each narrows the answer.
        ...(query.length === 0
          ? {}
          : {
              query: query.map(({ name, description: text = '' }) => ({
                key: name,
                value: '',
                description: text,
                disabled: true,
              })),
            }),
        ...(pathNames.length === 0 ? {} : { variable: pathNames.map((name) => ({ key: name, value: '' })) }),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  }
}

/** Returns the requests in the form that editors understand (VS Code with REST Client, JetBrains, Visual Studio). */
export function httpFile(): string {
  const calls = callsOf()
  const names = [...new Set(calls.flatMap(({ pathNames }) => pathNames))].sort()
  return [
    '# Made by `npm run generate` from the OpenAPI document. Set the variables, and send one request at a time.',
    `@url = ${URL}`,
    '@token = ',
    '@admintoken = ',
    ...names.map((name) => `@${name} = `),
    ...calls.map(httpRequest),
    '',
  ].join('\n')
}

function httpRequest({ name, area, summary, description, method, path, token, query, body }: Call): string {
  return [
    '',
    `### ${area}: ${summary}`,
    `# @name ${name}`,
    ...(description === '' ? [] : [`# ${description}`]),
    ...(query.length === 0 ? [] : [`# Query: ${query.map((one) => one.name).join(', ')}`]),
    `${method} {{url}}${path.replace(/\{(\w+)\}/g, '{{$1}}')}`,
    ...(token === undefined ? [] : [`${token}: {{${token}}}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
  ].join('\n')
}

function callsOf(): Call[] {
  const document = openApiDocument(
    routes.filter(({ produces }) => produces !== 'text/html' && produces !== 'text/event-stream'),
    loadSchemas(),
  )
  const paths = document.paths as Record<string, Record<string, OpenApiOperation>>
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => callOf(path, method, operation)),
  )
}

function callOf(path: string, method: string, operation: OpenApiOperation): Call {
  const { operationId: name, tags, summary, description = '', security, parameters = [], requestBody } = operation
  const schemes = security.flatMap((one) => Object.keys(one))
  const example = requestBody?.content['application/json'].example
  return {
    name,
    area: tags[0] ?? '',
    summary,
    description,
    method: method.toUpperCase(),
    path,
    token: (['token', 'admintoken'] as const).find((scheme) => schemes.includes(scheme)),
    pathNames: parameters.filter((one) => one.in === 'path').map((one) => one.name),
    query: parameters.filter((one) => one.in === 'query'),
    takesKey: parameters.some((one) => one.name === 'Idempotency-Key'),
    body: method === 'post' || method === 'put' ? JSON.stringify(example ?? {}, null, 2) : undefined,
  }
}
