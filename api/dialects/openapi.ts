/** Makes the OpenAPI 3.1 document of a dialect from its routes. */
import { packageVersion } from '../../lib/package-root.js'
import type { JsonSchema } from '../../schemas/schema-registry.js'
import type { Dialect, DialectRoute, Json } from './dialect.js'

const JSON_TYPE = 'application/json'
const failure = {
  type: 'object',
  properties: {
    status: { type: 'integer', description: 'The status of the answer.' },
    error: { type: 'string', description: 'Its name.' },
    response: {
      type: 'object',
      description: 'What is wrong.',
      properties: { message: { description: 'A text, a list of texts, or a list of facts about numbers.' } },
    },
  },
  required: ['status', 'error', 'response'],
}

export function dialectOpenApi({ title, version, base, routes }: Dialect): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.opens === 'instance' ? `${route.path}/{instance}` : route.path
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Posthorn, in the form of ${title}`,
      version,
      'x-posthorn-version': packageVersion,
      description: `The interface of ${title} ${version} over the operations of Posthorn. Bodies may have further fields, which are ignored.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base }],
    tags: [...new Set(routes.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Failure: failure },
      responses: {
        Failure: {
          description: 'The call failed.',
          content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Failure' } } },
        },
      },
      securitySchemes: {
        apikey: {
          type: 'apiKey',
          in: 'header',
          name: 'apikey',
          description: 'Key of an instance, or of the administrator.',
        },
      },
    },
  }
}

function operation(route: DialectRoute): Json {
  const { name, area, summary, opens, status, body, query, differs, operations, fileFields } = route
  const parameters = [
    ...(opens === 'instance' ? [instance] : []),
    ...(query === undefined ? [] : listQueryParameters(query)),
  ]
  const ours = operations.map(({ method, path }) => `\`${method} ${path}\``)
  const sentences = [
    ...(ours.length === 0 ? [] : [`Calls ${ours.join(', ')}.`]),
    ...(differs === undefined ? [] : [differs]),
  ]
  return {
    operationId: name,
    tags: [area],
    summary,
    ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
    security: opens === 'none' ? [] : [{ apikey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: buildContent(body, fileFields) } }),
    responses: {
      [status]: { description: 'It is done.', content: { [JSON_TYPE]: { schema: {} } } },
      '4XX': { $ref: '#/components/responses/Failure' },
      '5XX': { $ref: '#/components/responses/Failure' },
    },
  }
}

/** Files come in a form, too, whose part may have any name. */
function buildContent(body: JsonSchema, fileFields: readonly string[] = []): Json {
  const [field] = fileFields
  if (field === undefined) return { [JSON_TYPE]: { schema: body } }
  const { properties = {}, required = [] } = body as { properties?: Json; required?: readonly string[] }
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file.' }
  const form = {
    ...body,
    properties: { ...properties, [field]: file },
    required: required.filter((name) => name !== field),
  }
  return { [JSON_TYPE]: { schema: body }, 'multipart/form-data': { schema: form } }
}

const instance = {
  name: 'instance',
  in: 'path',
  required: true,
  description: 'Name of the instance.',
  schema: { type: 'string', maxLength: 100 },
}

function listQueryParameters({ properties = {}, required = [] }: JsonSchema): Json[] {
  const needed = new Set(required as readonly string[])
  return Object.entries(properties as Record<string, Json>).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(needed.has(name) ? { required: true } : {}),
    description: schema.description,
    schema,
  }))
}
