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

/** Variables of the collections, with the value that stands for each in the examples of the API. */
const VARIABLES: Readonly<
  Record<string, { readonly example: string; readonly value?: string; readonly what: string }>
> = {
  number: {
    example: '5511999990002',
    value: '15550002222',
    what: 'A person to write to; Ben of the demo, unless you change it',
  },
  instanceid: { example: 'i1a2b3c4d5e6f7g8', what: 'The instance that was made or listed last' },
  messageid: { example: '3EB0C767D097B7C7C030', what: 'The message that was sent last' },
  groupjid: { example: '120363000000000001@g.us', what: 'The group that was made last' },
  channel: { example: '120363000000000001@newsletter', what: 'The channel that was made last' },
  campaign: { example: 'r0123456789abcd', what: 'The campaign that was made last' },
  agent: { example: 'r2ed7ab21d4ea', what: 'The agent that was made last' },
  function: { example: 'r0123456789abcdef', what: 'The function that was made last' },
  product: { example: '7000000000000001', what: 'The product that was made last' },
}

/** Variables in paths, by the path. */
const IN_PATHS: Readonly<Record<string, string>> = {
  '/admin/instances/{id}': 'instanceid',
  '/admin/nodes/{id}': 'nodeid',
  '/instance/keys/{id}': 'keyid',
  '/passes/{id}': 'passid',
  '/message/votes/{id}': 'messageid',
  '/message/reactions/{id}': 'messageid',
  '/webhook/deliveries/{id}': 'deliveryid',
  '/globalwebhook/deliveries/{id}': 'deliveryid',
  '/group/invitelink/{groupJID}': 'groupjid',
  '/lids/{lid}': 'lid',
  '/lids/pn/{number}': 'number',
  '/contact/presence/{number}': 'number',
}

/** Fields of answers that later requests need: variable, and its place in the answer. */
const GIVES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /instance/init': { token: 'token', instanceid: 'instance.id' },
  'POST /instance/create': { token: 'token', instanceid: 'instance.id' },
  'GET /instance/all': { instanceid: '0.id' },
  'GET /instance/status': { instanceid: 'instance.id' },
  'GET /admin/nodes': { nodeid: 'nodes.0.id' },
  'POST /instance/keys': { keyid: 'key.id' },
  'GET /passes': { passid: 'passes.0.id' },
  'POST /chat/check': { lid: '0.lid' },
  'POST /send/text': { messageid: 'messageid' },
  'POST /send/media': { messageid: 'messageid' },
  'POST /group/create': { groupjid: 'JID' },
  'POST /newsletter/create': { channel: 'response.id' },
  'POST /sender/simple': { campaign: 'folder_id' },
  'POST /agent/edit': { agent: 'id' },
  'POST /function/edit': { function: 'id' },
  'POST /business/catalog/create': { product: 'product.id' },
  'GET /webhook/deliveries': { deliveryid: 'deliveries.0.id' },
}

/** Returns a collection in the form 2.1.0, one folder for each area. */
export function postmanCollection(): string {
  const calls = createCalls()
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
      ...variableNames().map((key) => ({
        key,
        value: VARIABLES[key]?.value ?? '',
        ...(VARIABLES[key] === undefined ? {} : { description: `${VARIABLES[key].what}.` }),
      })),
    ],
    item: areas.map((area) => ({ name: area, item: calls.filter((call) => call.area === area).map(postmanItem) })),
  }
  return `${JSON.stringify(collection, null, 1)}\n`
}

function postmanItem(call: Call): object {
  const { summary, description, method, path, token, pathNames, query, takesKey, body } = call
  const script = keepingScript(call)
  const headers = [
    ...(token === undefined ? [] : [{ key: token, value: `{{${token}}}` }]),
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ...(takesKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}', disabled: true }] : []),
  ]
  const address = path.replace(/\{(\w+)\}/g, ':$1')
  return {
    name: summary,
    ...(script.length === 0 ? {} : { event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }] }),
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
        ...(pathNames.length === 0 ? {} : { variable: pathNames.map((name) => ({ key: name, value: inPath(path) })) }),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  }
}

/** Returns the lines that keep ids of an answer. A token that the user has set stays. */
function keepingScript(call: Call): string[] {
  const given = givenBy(call)
  if (Object.keys(given).length === 0) return []
  return [
    'const answer = pm.response.code < 300 ? pm.response.json() : {}',
    ...Object.entries(given).flatMap(([variable, place]) => {
      const value = `answer${place
        .split('.')
        .map((part) => `?.[${/^\d+$/.test(part) ? part : `'${part}'`}]`)
        .join('')}`
      const unless = variable === 'token' ? " && !pm.variables.get('token')" : ''
      return [`if (${value}${unless}) pm.collectionVariables.set('${variable}', ${value})`]
    }),
  ]
}

function givenBy({ method, path }: Call): Readonly<Record<string, string>> {
  return GIVES[`${method} ${path}`] ?? {}
}

/** Returns the variable for the parameter of a path; empty for those that the user fills in. */
function inPath(path: string): string {
  const [, name] = Object.entries(IN_PATHS).find(([start]) => path.startsWith(start)) ?? []
  return name === undefined ? '' : `{{${name}}}`
}

function variableNames(): string[] {
  return [...new Set([...Object.keys(VARIABLES), ...Object.values(IN_PATHS)])]
}

/** Puts variables in the place of the example values that they stand for. */
function withVariables(body: string, area: string): string {
  // Ids of other records have the same form.
  const known = Object.entries(VARIABLES).filter(([name]) => name !== 'campaign' || area === 'Campaign')
  return known.reduce(
    (text, [name, { example }]) => text.replaceAll(`"${example}"`, `"{{${name}}}"`),
    body.replaceAll('5511999990002@s.whatsapp.net', '{{number}}@s.whatsapp.net'),
  )
}

/** Returns the requests in the form that editors understand (VS Code with REST Client, JetBrains, Visual Studio). */
export function httpFile(): string {
  const calls = createCalls()
  const open = calls.flatMap(({ path, pathNames }) => (inPath(path) === '' ? pathNames : []))
  const others = [...new Set(open)].filter((name) => !variableNames().includes(name)).sort()
  return [
    '# Made by `npm run generate` from the OpenAPI document. Set `token` and `admintoken`, and send one request at a time. Ids come from answers to',
    '# earlier requests, in the form of REST Client for VS Code; in other editors put them into the variables.',
    `@url = ${URL}`,
    '@token = ',
    '@admintoken = ',
    ...variableNames().map((name) => `@${name} = ${VARIABLES[name]?.value ?? findAnswer(calls, name)}`),
    ...others.map((name) => `@${name} = `),
    ...calls.map(httpRequest),
    '',
  ].join('\n')
}

/** Returns the place of a variable in the answer of the request that gives it. */
function findAnswer(calls: readonly Call[], variable: string): string {
  const from = calls.find((call) => givenBy(call)[variable] !== undefined)
  if (from === undefined) return ''
  const place = (givenBy(from)[variable] ?? '').replace(/(^|\.)(\d+)/g, '[$2]')
  return `{{${from.name}.response.body.$${place.startsWith('[') ? '' : '.'}${place}}}`
}

function httpRequest({ name, area, summary, description, method, path, token, query, body }: Call): string {
  return [
    '',
    `### ${area}: ${summary}`,
    `# @name ${name}`,
    ...(description === '' ? [] : [`# ${description}`]),
    ...(query.length === 0 ? [] : [`# Query: ${query.map((one) => one.name).join(', ')}`]),
    `${method} {{url}}${path.replace(/\{(\w+)\}/g, (_, name: string) => inPath(path) || `{{${name}}}`)}`,
    ...(token === undefined ? [] : [`${token}: {{${token}}}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
  ].join('\n')
}

function createCalls(): Call[] {
  const document = openApiDocument(
    routes.filter(({ produces }) => produces !== 'text/html' && produces !== 'text/event-stream'),
    loadSchemas(),
  )
  const paths = document.paths as Record<string, Record<string, OpenApiOperation>>
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => createCall(path, method, operation)),
  )
  // Whoever runs a folder needs what it makes from its beginning to its end.
  const areas = [...new Set(calls.map(({ area }) => area))]
  return areas.flatMap((area) =>
    calls.filter((call) => call.area === area).sort((one, other) => computeRank(one) - computeRank(other)),
  )
}

/** Requests that give ids come first, and those after which others of the folder fail come last. */
function computeRank(call: Call): number {
  const { method, path } = call
  if (method === 'DELETE' || /\/(delete|leave|disconnect|stop|rotate|drain|export|cancel|transfer)$/.test(path))
    return 2
  return Object.keys(givenBy(call)).length > 0 ? 0 : 1
}

function createCall(path: string, method: string, operation: OpenApiOperation): Call {
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
    body:
      method === 'post' || method === 'put'
        ? withVariables(JSON.stringify(example ?? {}, null, 2), tags[0] ?? '')
        : undefined,
  }
}
