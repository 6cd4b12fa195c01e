/** Makes the OpenAPI 3.1 document from the routes and the schemas. It takes a node a third of a second, so a thread does it (`openapi-worker.ts`). */
import { packageVersion } from '../lib/package-root.js'
import { type ErrorCode, errors } from '../schemas/errors.js'
import type { JsonSchema, SchemaRegistry } from '../schemas/schema-registry.js'
import { makeExample } from './example-values.js'
import { LIST_TYPES } from './input/list-body.js'
import { hasMethodWithBody, type Route } from './route.js'
import { usernameErrors } from './usernames.js'

const prefix = '#/components/schemas/'

type Json = Record<string, unknown>

const AREAS: Readonly<Record<string, string>> = {
  Administration: 'Instances, exports, tokens and the audit log, for the administrator.',
  Instance: 'Connecting an account, its state and its settings.',
  Cluster: 'Nodes, shards and figures of the installation.',
  Passes: 'Short-lived tokens and links for browsers.',
  Profile: 'Name, about text and picture of the account.',
  Send: 'Sending messages.',
  Campaign: 'Messages to many people, and who has opted out.',
  Message: 'Stored messages, and what can be done with one.',
  Call: 'Incoming calls.',
  Chat: 'Chats and their settings.',
  Label: 'Labels of a business account.',
  'Quick reply': 'Stored answers.',
  Contact: 'The address book and presence.',
  Group: 'Groups and communities.',
  Agent: 'AI agents, triggers, functions and knowledge.',
  Webhooks: 'Delivery of events to URLs.',
  Chatwoot: 'The support platform.',
  Stream: 'Events over an open connection.',
  Service: 'Health, metrics and this document.',
}

/** Returns the document: every route that is not hidden, every event as a webhook, every error code at the operations that may answer it. */
export function openApiDocument(routes: readonly Route[], registry: SchemaRegistry): Json {
  const schemas = registry.bundle(prefix, isOfHttp)
  const answers = new OpenApiAnswers(registry, schemas, prefix)
  const shown = routes.filter((route) => route.hidden !== true)
  const paths: Record<string, Json> = {}
  for (const route of shown) {
    // Ours: our own routes.
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, registry, schemas, answers) }
  }
  const events = webhooks(registry, schemas)
  const used = reachable([paths, events, answers.shared], schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posthorn',
      // Version of the interface, as its specification labels it.
      version: '1.0.0',
      'x-posthorn-version': packageVersion,
      description:
        'One HTTP API over many connected WhatsApp accounts. Unknown fields are ignored and named in `warnings`; searches and lists refuse filters that they do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The Posthorn authors' },
    },
    servers: [{ url: '.' }],
    tags: [...new Set(shown.map((route) => route.area))].map((name) => ({ name, description: AREAS[name] ?? name })),
    paths,
    webhooks: events,
    components: {
      schemas: used,
      responses: answers.shared,
      securitySchemes,
    },
  }
}

const securitySchemes = {
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
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      'Signature of a delivery by the secret of its webhook, as Standard Webhooks describe it. Webhooks without a secret have none.',
  },
}

/** Returns the schemas that are referred to, from the parts or from each other. */
function reachable(parts: readonly Json[], schemas: Readonly<Record<string, JsonSchema>>): Json {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue
      const name = key === '$ref' && String(inner).startsWith(prefix) ? String(inner).slice(prefix.length) : null
      if (name === null) visit(inner)
      else if (!found.has(name)) {
        found.add(name)
        visit(schemas[name])
      }
    }
  }
  for (const part of parts) visit(Object.values(part))
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}

/** Tells schemas of the HTTP API from those of tools, which have a description of their own. */
function isOfHttp(file: string): boolean {
  return !file.startsWith('mcp/')
}

/** Returns the codes that an operation may answer: its own, and those of its token, body and limits. */
export function listErrorCodes(route: Route): ErrorCode[] {
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

function operation(
  route: Route,
  registry: SchemaRegistry,
  schemas: Readonly<Record<string, JsonSchema>>,
  answers: OpenApiAnswers,
): Json {
  const request = findPart(route, 'request', registry)
  const parameters = listParameters(route, registry, schemas)
  return {
    operationId: route.name,
    tags: [route.area],
    summary: route.summary,
    // Clients may repeat it after a lost answer.
    ...(onlyReads(route) ? { 'x-reads': true } : {}),
    description: describeKeys(route),
    ...(route.auth === 'none' ? { security: [] } : { security: listSecurity(route) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: buildBody(request, schemas[request], route) }),
    responses: answers.of(route, listErrorCodes(route)),
  }
}

/** Tells whether an operation reads, although its method says otherwise. */
function onlyReads({ method, scope, reads = scope === 'read' }: Route): boolean {
  return method === 'POST' && reads
}

/** Returns a sentence about the tokens and keys that may make the call. */
function describeKeys({ auth, scope, keyChat }: Route): string {
  if (scope === undefined) return auth === 'none' ? 'Needs no token.' : 'Needs the token of the administrator.'
  if (scope === 'any') return 'Any key of the instance will do.'
  if (scope === 'token') return 'Needs the token of the instance; no key will do.'
  const oneChat = keyChat === undefined ? ', for all chats' : ''
  return `A key needs the scope \`${scope}\`${oneChat}.`
}

function buildBody(name: string, schema: JsonSchema | undefined, { listField }: Route): Json {
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

function listParameters(route: Route, registry: SchemaRegistry, schemas: Readonly<Record<string, JsonSchema>>): Json[] {
  const query = findPart(route, 'query', registry)
  const properties = (query === undefined ? {} : (schemas[query]?.properties ?? {})) as Record<string, Json>
  // Ours: our own routes.
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

function listSecurity({ auth, tokenInQuery }: Route): Json[] {
  return [
    ...(auth === 'admin' ? [] : [{ token: [] }, ...(tokenInQuery ? [{ tokenInQuery: [] }] : [])]),
    ...(auth === 'instance' ? [] : [{ admintoken: [] }, ...(tokenInQuery ? [{ admintokenInQuery: [] }] : [])]),
  ]
}

function webhooks(registry: SchemaRegistry, schemas: Readonly<Record<string, JsonSchema>>): Record<string, Json> {
  const shown: Record<string, Json> = {}
  for (const { file, schema } of registry.files) {
    if (!file.startsWith('events/') || file === 'events/envelope.json') continue
    const title = schema.title as string
    shown[title] = { post: receiving(title, schemas) }
  }
  return shown
}

/** Returns the operation of a receiver of events. */
function receiving(title: string, schemas: Readonly<Record<string, JsonSchema>>): Json {
  const description = String(schemas[title]?.description)
  const schema = { $ref: prefix + title }
  // Ours: our own routes.
  return {
    operationId: `receive${title}`,
    summary: description.split(/[.:](?: |$)/)[0],
    description,
    security: [{ webhookSignature: [] }, {}],
    requestBody: {
      description: 'The event. A webhook with `batch` gets an array of events of all kinds instead.',
      content: { 'application/json': { schema, example: makeExample(schema, schemas, prefix) } },
    },
    responses: {
      200: { description: 'Any status from 200 to 299 takes the event.' },
      400: { description: 'After any other status the event is delivered again, with growing pauses.' },
    },
  }
}

function findPart(route: Route, part: 'request' | 'query' | 'reply', registry: SchemaRegistry): string | undefined {
  return route.schema === undefined ? undefined : registry.findName(route.schema, part)
}

/** The answers in the OpenAPI document. Each has an example, and operations share the answers of their errors. */

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
class OpenApiAnswers {
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
    const reply = route.schema === undefined ? undefined : this.#registry.findName(route.schema, 'reply')
    const { produces = JSON_TYPE } = route
    const description = 'Done.'
    if (reply === undefined) {
      const isJson = produces === JSON_TYPE
      const example = isJson ? { openapi: '3.1.0' } : (TEXTS[produces] ?? '(bytes)')
      return { description, content: { [produces]: { schema: { type: isJson ? 'object' : 'string' }, example } } }
    }
    const schema = { $ref: this.#prefix + reply }
    const example = makeExample(schema, this.#schemas, this.#prefix)
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
        // Ours: codes of errors.
        const same = codes.filter((code) => errors[code].status === status).sort()
        const name = this.#chooseName(status, same)
        this.shared[name] ??= this.#failure(same)
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  /** Returns a name of the status and the codes. Different codes have different names. */
  #chooseName(status: number, codes: readonly ErrorCode[]): string {
    const named = codes.slice(0, CODES_NAMED).join('.')
    const more = codes.length > CODES_NAMED ? `.and${codes.length - CODES_NAMED}` : ''
    const text = describeCodes(codes)
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
      description: describeCodes(codes),
      content: { [JSON_TYPE]: { schema, example: { error, code, ...details } } },
    }
  }
}

function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errors[code].means}`).join('\n\n')
}
