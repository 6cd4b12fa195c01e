/** Writes the pages of the API reference from the OpenAPI document: one for each area, one of records, one of events. */

import { clientCall, clientSignatures } from './client-calls.js'
import { documentedBodies } from './documented-bodies.js'
import { createSlugs } from './headings.js'
import { JSON_TYPE, type OpenApi, type Operation, type Parameter, readOpenApi, resolved } from './open-api.js'
import { createSample, type KnownValues, knownValues } from './sample.js'
import { cell, fieldTable, isRecord, recordLink } from './schema-tables.js'

/** A page that is made and not read from a file. */
export interface MadePage {
  /** Address below the site, such as `api/send.html`. */
  readonly address: string
  readonly title: string
  readonly markdown: string
}

const URL = 'http://127.0.0.1:3000'

export function apiPages(api: OpenApi = readOpenApi()): readonly MadePage[] {
  const known = exampleValues(api)
  const signatures = clientSignatures()
  const areas = [...new Set(api.operations.map(({ area }) => area))].sort()
  const pages = areas.map((area): MadePage => {
    const operations = api.operations.filter((one) => one.area === area)
    const sections = operations.map((one) => operationSection(one, api, known, signatures))
    return {
      address: formatAddress(area),
      title: area,
      markdown: [`# ${area}`, '', contents(operations), '', ...sections].join('\n'),
    }
  })
  return [overviewPage(api, areas), ...pages, recordsPage(api), eventsPage(api)]
}

/** Returns the values that examples of answers take: of real events first, then of requests. */
export function exampleValues({ operations }: OpenApi): KnownValues {
  return knownValues([...documentedBodies(), ...operations.map(({ body }) => body?.example)])
}

/** Returns an example of the answer of an operation; undefined if it answers no JSON. */
export function exampleReply({ replies }: Operation, { schemas }: OpenApi, known: KnownValues): unknown {
  const schema = findSuccess(replies)?.[1].content[JSON_TYPE]?.schema
  return schema === undefined ? undefined : createSample(schema, schemas, known)
}

function findSuccess(replies: Operation['replies']): readonly [string, Operation['replies'][string]] | undefined {
  return Object.entries(replies).find(([status]) => status.startsWith('2'))
}

/** Address of the page of an area. */
export function formatAddress(area: string): string {
  return `api/${area.toLowerCase().replace(/\W+/g, '-')}.html`
}

/** Name of the heading of an operation. */
export function formatAnchor({ method, path }: Operation): string {
  return createSlugs()(`${method} ${path}`)
}

function overviewPage({ operations }: OpenApi, areas: readonly string[]): MadePage {
  const lists = areas.flatMap((area) => [
    `## ${area}`,
    '',
    ...operations
      .filter((one) => one.area === area)
      .map(
        (one) =>
          `- [\`${one.method} ${one.path}\`](${formatAddress(area).slice(4)}#${formatAnchor(one)}) ${one.summary}`,
      ),
    '',
  ])
  return {
    address: 'api/index.html',
    title: 'API reference',
    markdown: [
      '# API reference',
      '',
      `All ${operations.length} operations, from the OpenAPI document that a gateway answers at \`/openapi.json\`. Its own page, \`/docs\`, can try them.`,
      '',
      '- The header `token` holds the token of an instance or one of its keys, `admintoken` that of the administrator.',
      '- Keys of bodies are matched without regard to case. Unknown fields are ignored and named in `warnings` of the answer.',
      '- A failed call answers `{"error", "code"}`; [errors](../reference/errors.html) says what each code means and whether a retry helps.',
      '- Sends take an `Idempotency-Key` header: a retry with the same key sends nothing twice.',
      '- `GET` with a query, all others with a body of JSON. Examples work as typed, with your token.',
      '',
      'Records that several operations share have [a page](records.html), and so have [events](events.html).',
      '',
      ...lists,
    ].join('\n'),
  }
}

function contents(operations: readonly Operation[]): string {
  return operations.map((one) => `- [\`${one.method} ${one.path}\`](#${formatAnchor(one)}) ${one.summary}`).join('\n')
}

function operationSection(
  operation: Operation,
  api: OpenApi,
  known: KnownValues,
  signatures: ReadonlyMap<string, readonly string[]>,
): string {
  const { method, path, summary, description, parameters, body } = operation
  const call = clientCall(operation, signatures)
  const bodyTable = body === undefined ? '' : fieldTable(body.schema, api.schemas)
  return [
    `## \`${method} ${path}\``,
    '',
    `${summary}. ${describeAccess(operation)}${description === '' ? '' : ` ${description}`}`,
    '',
    ...parameterTable(parameters),
    ...(bodyTable === '' ? [] : ['Body:', '', bodyTable, '']),
    '```sh',
    formatCurl(operation),
    '```',
    '',
    ...(call === undefined ? [] : ['```ts', call, '```', '']),
    ...replySection(operation, api, known),
    ...failureTable(operation),
  ].join('\n')
}

function describeAccess({ schemes }: Operation): string {
  const named = ['token', 'admintoken'].filter((one) => schemes.includes(one)).map((one) => `\`${one}\``)
  if (named.length === 0) return 'Needs no token.'
  return `Needs ${named.join(' or ')}.`
}

function parameterTable(parameters: readonly Parameter[]): readonly string[] {
  if (parameters.length === 0) return []
  const rows = parameters.map(
    ({ name, in: place, required = false, description = '' }) =>
      `| \`${name}\`${required ? ' *' : ''} | ${place} | ${cell(description)} |`,
  )
  return ['| parameter | in | |', '|---|---|---|', ...rows, '']
}

function formatCurl({ method, path, schemes, body, parameters }: Operation): string {
  const token = (['token', 'admintoken'] as const).find((one) => schemes.includes(one))
  const place = path.replace(/\{(\w+)\}/g, '<$1>')
  const required = parameters.filter((one) => one.in === 'query' && one.required === true)
  const query = required.map(({ name }, index) => `${index === 0 ? '?' : '&'}${name}=<${name}>`).join('')
  const data =
    body === undefined
      ? []
      : [`-H 'Content-Type: application/json' -d '${shellText(JSON.stringify(body.example ?? {}))}'`]
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]
  return [
    'curl',
    ...verb,
    `'${URL}${place}${query}'`,
    ...(token === undefined ? [] : [`-H '${token}: <TOKEN>'`]),
    ...data,
  ].join(' ')
}

const shellText = (text: string): string => text.replaceAll("'", "'\\''")

function replySection(operation: Operation, api: OpenApi, known: KnownValues): readonly string[] {
  const [status, reply] = findSuccess(operation.replies) ?? []
  if (reply === undefined) return []
  const json = reply.content[JSON_TYPE]?.schema
  if (json === undefined) {
    const types = Object.keys(reply.content).map((type) => `\`${type}\``)
    return [`Answers ${status} with ${types.join(' or ') || 'no body'}.`, '']
  }
  const link = recordLink(json, api.schemas)
  const table = link === undefined ? fieldTable(json, api.schemas) : ''
  return [
    `Answers ${status}${link === undefined ? '' : ` with ${link}`}:`,
    '',
    ...(table === '' ? [] : [table, '']),
    '```json',
    JSON.stringify(exampleReply(operation, api, known), null, 2),
    '```',
    '',
  ]
}

function failureTable({ replies }: Operation): readonly string[] {
  const rows = Object.entries(replies)
    .filter(([status]) => Number(status) >= 300)
    .flatMap(([status, { description }]) =>
      description.split('\n\n').map((line) => {
        const [code = '', ...means] = line.split(': ')
        return `| ${status} | ${code} | ${cell(means.join(': '))} |`
      }),
    )
  if (rows.length === 0) return []
  return [
    '<details><summary>Errors</summary>',
    '',
    '| status | code | meaning |',
    '|---|---|---|',
    ...rows,
    '',
    '</details>',
    '',
  ]
}

function recordsPage({ schemas }: OpenApi): MadePage {
  const records = Object.keys(schemas).filter(isRecord).sort()
  const sections = records.flatMap((name) => {
    const schema = resolved(schemas[name] ?? {}, schemas)
    return [`## ${name}`, '', schema.description ?? '', '', fieldTable(schema, schemas), '']
  })
  return {
    address: 'api/records.html',
    title: 'Records',
    markdown: ['# Records', '', 'Records that several operations share.', '', ...sections].join('\n'),
  }
}

function eventsPage({ schemas }: OpenApi): MadePage {
  const names = Object.keys(schemas)
    .filter((name) => name.endsWith('Event'))
    .sort()
  const sections = names.flatMap((name) => {
    const schema = schemas[name] ?? {}
    const kind = String(schema.properties?.EventType?.const ?? '')
    return [`## \`${kind}\``, '', schema.description ?? '', '', fieldTable({ ...schema, allOf: [] }, schemas), '']
  })
  return {
    address: 'api/events.html',
    title: 'Events',
    markdown: [
      '# Events',
      '',
      'Body fields of each kind of event. [Webhooks](../guides/webhooks.html) has the fields that all of them have, and a real body of each.',
      '',
      ...sections,
    ].join('\n'),
  }
}
