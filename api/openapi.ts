/** Makes the OpenAPI 3.1 document from the routes and the schemas. */
import { type ErrorCode, errors } from '../schemas/errors.js'
import { packageVersion } from '../schemas/package-root.js'
import type { JsonSchema, SchemaRegistry } from '../schemas/schema-registry.js'
import { LIST_TYPES } from './input/list-body.js'
import { hasMethodWithBody, type Route } from './route.js'
import { usernameErrors } from './usernames.js'

// Ours: our own routes.

const prefix = '#/components/schemas/'

type Json = Record<string, unknown>

/** Returns a function that returns the document as JSON. It is made at the first call. */
export function createOpenApi(routes: readonly Route[], registry: SchemaRegistry): () => string {
  let document: string | undefined
  return () => {
    document ??= JSON.stringify(openApiDocument(routes, registry))
    return document
  }
}

/** Returns the document: every route that is not hidden, every event as a webhook, every error code at the operations that may answer it. */
export function openApiDocument(routes: readonly Route[], registry: SchemaRegistry): Json {
  const schemas = registry.bundle(prefix, isOfHttp)
  const shown = routes.filter((route) => route.hidden !== true)
  const paths: Record<string, Json> = {}
  for (const route of shown) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, registry, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn',
      // Version of the interface, as its specification labels it.
      version: '1.0.0',
      'x-posthorn-version': packageVersion,
      description:
        'One HTTP API over many connected WhatsApp accounts. Unknown fields are ignored and named in `warnings`; searches and lists refuse filters that they do not know.',
    },
    servers: [{ url: '.' }],
    tags: [...new Set(shown.map((route) => route.area))].map((name) => ({ name })),
    paths,
    webhooks: webhooks(registry, schemas),
    components: {
      schemas,
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'token',
          description: 'The token of an instance, or one of its keys.',
        },
        admintoken: {
          type: 'apiKey',
          in: 'header',
          name: 'admintoken',
          description: 'The token of the administrator.',
        },
        tokenInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description: 'For callers that cannot set headers.',
        },
        admintokenInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'admintoken',
          description: 'For callers that cannot set headers.',
        },
      },
    },
  }
}

/** Tells schemas of the HTTP API from those of tools, which have a description of their own. */
function isOfHttp(file: string): boolean {
  return !file.startsWith('mcp/')
}

/** Returns the codes that an operation may answer: its own, and those of its token, body and limits. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const takesBody = hasMethodWithBody(route)
  return [
    ...new Set<ErrorCode>([
      ...(route.auth === 'instance' || route.auth === 'either' ? (['INVALID_TOKEN'] as const) : []),
      ...(route.auth === 'admin' || route.auth === 'either' ? (['INVALID_ADMIN_TOKEN'] as const) : []),
      ...(route.refusesPass === true ? (['PASS_NOT_ENOUGH'] as const) : []),
      ...(route.scope === undefined || route.scope === 'any' ? [] : (['KEY_NOT_ENOUGH'] as const)),
      ...(route.scope === 'read' || route.scope === 'send' ? (['KEY_OTHER_CHAT'] as const) : []),
      ...(route.schema === undefined ? [] : (['INVALID_REQUEST'] as const)),
      ...(takesBody
        ? (['MALFORMED_JSON', 'FORBIDDEN_KEY', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'REQUEST_TIMEOUT'] as const)
        : []),
      ...route.errors,
      ...(route.idempotent === 'kept' ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
      // A number may be a username, which the network is asked for.
      ...(route.auth === 'instance' && route.errors.includes('INVALID_NUMBER') ? usernameErrors : []),
      // A call that may wait for its instance may also travel to another node.
      ...(route.errors.includes('INSTANCE_MOVING') ? (['NOT_LOGGED_IN', 'NODE_BUSY', 'NODE_FAILED'] as const) : []),
      'MALFORMED_HTTP',
      'HEADERS_TOO_LARGE',
      'RATE_LIMITED',
      ...(route.auth === 'none' ? [] : (['STORE_UNAVAILABLE'] as const)),
      // The store may break off in the middle of a write.
      ...(route.auth === 'none' || route.method === 'GET' ? [] : (['OUTCOME_UNKNOWN'] as const)),
      'INTERNAL',
    ]),
  ]
}

function operation(route: Route, registry: SchemaRegistry, schemas: Readonly<Record<string, JsonSchema>>): Json {
  const request = partOf(route, 'request', registry)
  const parameters = parametersOf(route, registry, schemas)
  return {
    operationId: route.name,
    tags: [route.area],
    summary: route.summary,
    // Clients may repeat it after a lost answer.
    ...(onlyReads(route) ? { 'x-reads': true } : {}),
    ...(route.scope === undefined ? {} : { description: keysOf(route) }),
    ...(route.auth === 'none' ? { security: [] } : { security: securityOf(route) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: bodyOf(request, schemas[request], route) }),
    responses: {
      200: success(route, registry, schemas),
      ...(route.creates ? { 201: { ...success(route, registry, schemas), description: 'Created.' } } : {}),
      ...(route.emptyMeans ? { 204: { description: route.emptyMeans } } : {}),
      ...(route.accepts ? { 202: { ...success(route, registry, schemas), description: 'Begun; it goes on.' } } : {}),
      ...failures(route),
    },
  }
}

/** Tells whether an operation reads, although its method says otherwise. */
function onlyReads({ method, scope, reads = scope === 'read' }: Route): boolean {
  return method === 'POST' && reads
}

/** Returns a sentence about the keys that may make the call. */
function keysOf({ scope, keyChat }: Route): string {
  if (scope === 'any') return 'Any key of the instance will do.'
  if (scope === 'token') return 'Needs the token of the instance; no key will do.'
  const oneChat = keyChat === undefined ? ', for all chats' : ''
  return `A key needs the scope \`${scope}\`${oneChat}.`
}

function bodyOf(name: string, schema: JsonSchema | undefined, { listField }: Route): Json {
  const required = Array.isArray(schema?.required) && schema.required.length > 0
  const [example] = (schema?.examples ?? []) as readonly unknown[]
  const shown = example === undefined ? {} : { example }
  const content = { 'application/json': { schema: { $ref: prefix + name }, ...shown } }
  if (listField === undefined) return { required, content }
  const list = { schema: { type: 'string', description: 'The list itself.' } }
  const types = Object.keys(LIST_TYPES)
  return {
    required,
    description: `As JSON, or the list alone as ${types.join(' or ')}: the other fields are then in the query under their names, those that are lists or objects as JSON, and \`${listField}\` and \`format\` are left out.`,
    content: { ...content, ...Object.fromEntries(types.map((type) => [type, list])) },
  }
}

function success(route: Route, registry: SchemaRegistry, schemas: Readonly<Record<string, JsonSchema>>): Json {
  const reply = partOf(route, 'reply', registry)
  const { produces = 'application/json' } = route
  const description = 'Done.'
  if (reply === undefined) {
    const schema = { type: produces === 'application/json' ? 'object' : 'string' }
    return { description, content: { [produces]: { schema } } }
  }
  const schema = { $ref: prefix + reply }
  if (schemas[reply]?.type !== 'array')
    return { description, content: { 'application/json': { schema: { allOf: [schema, warned] } } } }
  const headers = {
    'Warning-Fields': { description: 'Ignored fields, when the answer is an array.', schema: { type: 'string' } },
  }
  return { description, headers, content: { 'application/json': { schema } } }
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

function failures(route: Route): Json {
  const codes = errorCodesOf(route)
  const statuses = [...new Set(codes.map((code) => errors[code].status))]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes
          .filter((code) => errors[code].status === status)
          .map((code) => `\`${code}\`: ${errors[code].means}`)
          .join('\n\n'),
        content: { 'application/json': { schema: { $ref: `${prefix}ErrorReply` } } },
      },
    ]),
  )
}

function parametersOf(route: Route, registry: SchemaRegistry, schemas: Readonly<Record<string, JsonSchema>>): Json[] {
  const query = partOf(route, 'query', registry)
  const properties = (query === undefined ? {} : (schemas[query]?.properties ?? {})) as Record<string, Json>
  const fromPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const required = new Set((query === undefined ? [] : (schemas[query]?.required ?? [])) as readonly string[])
  const fromQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.has(name) ? { required: true } : {}),
    description: schema.description,
    schema,
  }))
  return [...fromPath, ...fromQuery, ...(route.idempotent ? [idempotencyKey] : [])]
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Asking again with the same key and body gives the first answer, for 24 hours.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
}

function securityOf({ auth, tokenInQuery }: Route): Json[] {
  return [
    ...(auth === 'admin' ? [] : [{ token: [] }, ...(tokenInQuery ? [{ tokenInQuery: [] }] : [])]),
    ...(auth === 'instance' ? [] : [{ admintoken: [] }, ...(tokenInQuery ? [{ admintokenInQuery: [] }] : [])]),
  ]
}

function webhooks(registry: SchemaRegistry, schemas: Readonly<Record<string, JsonSchema>>): Json {
  const events = registry.files.filter(({ file }) => file.startsWith('events/') && file !== 'events/envelope.json')
  return Object.fromEntries(
    events.map(({ schema }) => {
      const title = schema.title as string
      const summary = schemas[title]?.description
      const description = 'The event. A webhook with `batch` gets an array of events of all kinds instead.'
      const requestBody = { description, content: { 'application/json': { schema: { $ref: prefix + title } } } }
      const responses = {
        200: { description: 'Any status from 200 to 299 takes the event; else it is delivered again.' },
      }
      return [title, { post: { summary, requestBody, responses } }]
    }),
  )
}

function partOf(route: Route, part: 'request' | 'query' | 'reply', registry: SchemaRegistry): string | undefined {
  return route.schema === undefined ? undefined : registry.nameOf(route.schema, part)
}
