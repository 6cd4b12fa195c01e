/** Generates the operations, types and error codes of `clients/typescript` from the OpenAPI document. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openApiDocument } from '../api/openapi.js'
import { routes } from '../api/routes.js'
import { errors } from '../schemas/errors.js'
import { eventKinds } from '../schemas/event-kinds.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import { httpFile, postmanCollection } from './collections.js'
import { n8nSource } from './n8n-source.js'

/** Generated files of `clients/`, by their paths, with the texts that they should have. `test/gateway/client.integration.ts` compares them. */
export async function clientFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'clients/typescript/src/generated.ts': await clientSource(),
    'clients/n8n/nodes/Posthorn/generated.ts': n8nSource(),
    'clients/posthorn.postman_collection.json': postmanCollection(),
    'clients/posthorn.http': httpFile(),
  }
}

interface Operation {
  readonly operationId: string
  readonly 'x-reads'?: boolean
  readonly parameters?: { in: string; required?: boolean }[]
  readonly responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}

/** Not an operation of the gateway: its answer names all events, so that the generator writes their types. */
const EVENTS = 'allEvents'
/** Operations with a form of their own: `events()`, and pages for browsers. */
const LEFT_OUT: ReadonlySet<string> = new Set(['streamEvents'])

/**
 * Returns the text of `clients/typescript/src/generated.ts`. The generator writes functions over a runtime of its own with one global token; they
 * become methods over `Transport`, which throws errors with codes and repeats calls.
 */
async function clientSource(): Promise<string> {
  // It loads a second TypeScript, which costs a second.
  const { generateSource } = await import('oazapfts')
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-client-'))
  try {
    const file = path.join(folder, 'openapi.json')
    const document = documentOfClient()
    writeFileSync(file, JSON.stringify(document))
    return ownForm(await generateSource(file, { optimistic: true, useUnknown: true }), readingOperations(document))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the document without failures, which are thrown, and with the types of events. */
function documentOfClient(): ClientDocument {
  const document = openApiDocument(
    routes.filter(({ name, produces }) => !LEFT_OUT.has(name) && produces !== 'text/html'),
    loadSchemas(),
  )
  const paths = document.paths as Record<string, Record<string, Operation>>
  for (const { responses, parameters = [] } of Object.values(paths).flatMap((item) => Object.values(item))) {
    // The generator takes required fields one by one, and optional ones in an object. Methods keep the object.
    for (const one of parameters) if (one.in === 'query') delete one.required
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (Number(status) >= 300) delete responses[status]
      // Files are bytes and not texts.
      for (const [type, one] of Object.entries(content))
        if (!/json|^text\//.test(type)) one.schema = { type: 'string', format: 'binary' }
    }
  }
  const events = Object.values(document.webhooks as Record<string, { post: { requestBody: { content: Content } } }>)
  const oneOf = events.map(({ post }) => post.requestBody.content['application/json'].schema)
  const answer = { description: 'Events.', content: { 'application/json': { schema: { oneOf } } } }
  return {
    ...document,
    paths: { ...paths, '/all-events': { get: { operationId: EVENTS, summary: 'Events', responses: { 200: answer } } } },
  }
}

interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Names of operations that a lost answer lets repeat, although they are no `GET`. */
function readingOperations({ paths }: ClientDocument): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[])
  return new Set(operations.filter((one) => one['x-reads'] === true).map(({ operationId }) => operationId))
}

type Content = { 'application/json': { schema: unknown } }

/** Makes methods of the functions, and puts our transport in the place of the generator's runtime. */
function ownForm(source: string, reading: ReadonlySet<string>): string {
  const lines = source.split('\n')
  const firstType = lines.findIndex((line) => line.startsWith('export type '))
  const firstFunction = lines.findIndex((line) => line.startsWith('export function '))
  const start = lines.lastIndexOf('/**', firstFunction)
  const types = lines.slice(firstType, start).join('\n')
  const functions = lines.slice(start).join('\n')
  const methods = functions
    .slice(0, functions.lastIndexOf('/**', functions.indexOf(`export function ${EVENTS}(`)))
    .replaceAll('export function ', '')
    .replaceAll('oazapfts.', 'this.http.')
    .replaceAll('Oazapfts.RequestOpts', 'CallOptions')
    .trimEnd()
    .replace(/^(?=.)/gm, '    ')
    .split(/^(?= {4}\/\*\*$)/m)
    .map((text) => (reading.has(/^ {4}(\w+)\(/m.exec(text)?.[1] ?? '') ? markedAsReading(text) : text))
    .join('')
  const union = /data: ((?:\w+Event(?: \| )?)+);/.exec(functions.slice(functions.indexOf(`function ${EVENTS}(`)))?.[1]
  if (union === undefined || methods.includes('zapfts')) throw new Error('oazapfts writes another form than expected.')
  return [
    '/* Made by `npm run generate` with oazapfts from the OpenAPI document; change the schemas and routes. */',
    "import * as QS from './query.js'",
    "import type { CallOptions, Transport } from './transport.js'",
    '',
    types,
    '/** Any event, told apart by `EventType`. Newer gateways may send more kinds: let a `switch` have a default. */',
    `export type PosthornEvent = ${union}`,
    '',
    '/** Kinds of events that this version knows. */',
    `export const eventKinds = ${JSON.stringify(eventKinds)} as const satisfies readonly EventKind[]`,
    '',
    '/** Next step after each error (`docs/reference/errors.md` of the gateway). */',
    `export const errorRetries = ${JSON.stringify(retries(), null, 4)} as const`,
    '',
    '/** Codes of errors that this version knows. */',
    'export type ErrorCode = keyof typeof errorRetries',
    '',
    '/** One method for each operation. It resolves with the answer, or throws a `PosthornError`. */',
    'export abstract class Operations {',
    '    protected readonly http: Transport',
    '',
    '    constructor(http: Transport) {',
    '        this.http = http',
    '    }',
    '',
    methods,
    '}',
    '',
  ].join('\n')
}

/** @throws Error if the generator writes another form than expected */
function markedAsReading(text: string): string {
  const marked = text.replace('method: "POST",', 'method: "POST",\n            reads: true,')
  if (marked === text) throw new Error('oazapfts writes another form of an operation than expected.')
  return marked
}

function retries(): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([code, { retry }]) => [code, retry]))
}
