/** The n8n node for Evolution API, from the npm registry: its operations outside of n8n, and in n8n itself. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../lib/package-root.js'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { eventually } from './eventually.js'
import type { Json } from './evolution.js'
import type { N8n } from './n8n-program.js'

const run = promisify(execFile)
const PACKAGE = 'n8n-nodes-evolution-api'
const INSTALL_MAX_MS = 10 * 60_000
/** Of n8n on a busy machine. */
const START_MAX_MS = 180_000
/** Stands in for a package of n8n. */
const WORKFLOW_FOLDER = 'node_modules/n8n-workflow'
const WORKFLOW = `
exports.NodeConnectionTypes = { Main: 'main' }
exports.NodeApiError = class NodeApiError extends Error { constructor(node, error) { super(error.message); this.cause = error } }
exports.NodeOperationError = class NodeOperationError extends Error { constructor(node, error) { super(error.message ?? error) } }
`

/** Where the node finds the gateway. */
export interface EvolutionServer {
  readonly url: string
  readonly apikey: string
}

export interface EvolutionNode {
  /** Names of all operations. */
  readonly operations: readonly string[]
  /** Runs an operation with the values of its fields. Resolves with the JSON that the node gives to the next one. */
  run(resource: string, operation: string, values: Json): Promise<Json>
}

type Operation = (context: Json) => Promise<Json | Json[]>
type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** Runs operations of the node in this process. */
export async function nodeOutsideN8n(t: Cleanup, { url, apikey }: EvolutionServer): Promise<EvolutionNode> {
  const { operations, names } = await install(t)
  return {
    operations: names,
    async run(resource, name, values) {
      const operation = operations[resource]?.[name]
      assert.ok(operation, `${resource} has no ${name}.`)
      const valueAt = (key: string) =>
        key.split('.').reduce<unknown>((at, part) => (at as Json | undefined)?.[part], values)
      const result = await operation({
        getInputData: () => [{ json: {} }],
        getNodeParameter: (key: string, _item: number, fallback?: unknown) => valueAt(key) ?? fallback ?? '',
        getCredentials: async () => ({ 'server-url': url, apikey }),
        getNode: () => ({ name: 'Evolution API' }),
        continueOnFail: () => false,
        helpers: { request },
      })
      const [first] = [result].flat() as Json[]
      return (first?.json ?? first) as Json
    },
  }
}

/** Puts the node into a folder of its own, and loads its operations. */
async function install(t: Cleanup): Promise<{ folder: string; operations: Operations; names: readonly string[] }> {
  const folder = testFolder(t)
  cpSync(path.join(packageRoot, 'test/evolution-node'), folder, { recursive: true })
  const options = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
  await run('npm', options, { cwd: folder, timeout: INSTALL_MAX_MS })
  mkdirSync(path.join(folder, WORKFLOW_FOLDER), { recursive: true })
  writeFileSync(path.join(folder, WORKFLOW_FOLDER, 'index.js'), WORKFLOW)
  const load = createRequire(path.join(folder, 'package.json'))
  const file = path.join(folder, 'node_modules', `${PACKAGE}/dist/nodes/EvolutionApi/execute/index.js`)
  const operations = (load(file) as { resourceOperationsFunctions: Operations }).resourceOperationsFunctions
  return { folder, operations, names: Object.values(operations).flatMap((of) => Object.keys(of)) }
}

/** Makes the request as the helper of n8n does: a status of 400 or more is an error. */
async function request({ method, uri, headers, body }: Request): Promise<unknown> {
  const sent = new Headers(headers)
  sent.set('content-type', 'application/json')
  const response = await fetch(uri, {
    method,
    headers: sent,
    ...(body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} - ${text}`)
  return JSON.parse(text)
}

interface Request {
  readonly method: string
  readonly uri: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Starts n8n with the node. Each operation is a workflow of its own there, which a call of its webhook starts. */
export async function nodeInN8n(t: Cleanup, n8n: N8n, { url, apikey }: EvolutionServer): Promise<EvolutionNode> {
  const { folder, names } = await install(t)
  const isStandIn = (file: string) => path.relative(folder, file) === WORKFLOW_FOLDER
  cpSync(folder, n8n.nodesFolder, { recursive: true, filter: (file) => !isStandIn(file) })
  const credentials = { id: 'e1', name: 'Evolution', type: 'evolutionApi', data: { 'server-url': url, apikey } }
  await n8n.load('credentials', [credentials])
  const address = await n8n.start()
  const make = (place: string, body: object) => n8n.call<{ id: string; versionId: string }>(place, body)
  const empty = { name: 'Empty', nodes: [], connections: {}, settings: {} }
  const failure = () => make('/rest/workflows', empty).then(() => '', String)
  await eventually(failure, (message) => message === '', START_MAX_MS)
  return {
    operations: names,
    async run(resource, operation, values) {
      const at = randomUUID()
      const { id, versionId } = await make('/rest/workflows', workflow(at, { resource, operation, ...values }))
      await n8n.call(`/rest/workflows/${id}/activate`, { versionId })
      // n8n answers 404, and starts nothing, until it knows the webhook.
      const begin = () => fetch(`${address}/webhook/${at}`, { method: 'POST' })
      const answer = await eventually(begin, ({ status }) => status !== 404)
      if (answer.status !== 200) throw new Error(await findFailure(n8n, id))
      const items = [(await answer.json()) as Json | Json[]].flat()
      assert.equal(items.length, 1)
      return items[0] ?? {}
    },
  }
}

/** Returns what n8n has recorded of the execution of a workflow that failed, the reason among it. */
async function findFailure(n8n: N8n, workflowId: string): Promise<string> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['error'] }))
  const find = () => n8n.call<{ results: { id: string }[] }>(`/rest/executions?filter=${filter}`)
  const { results } = await eventually(find, (found) => found.results.length > 0)
  return JSON.stringify(await n8n.call(`/rest/executions/${results[0]?.id}`))
}

/** Answers a call of the webhook with what the operation gives. */
function workflow(webhookId: string, parameters: Json): object {
  return {
    ...{ name: String(parameters.operation), settings: {} },
    nodes: [
      {
        ...{
          id: randomUUID(),
          name: 'Begin',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 1,
          position: [0, 0],
          webhookId,
        },
        parameters: { path: webhookId, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' },
      },
      {
        ...{
          id: randomUUID(),
          name: 'Evolution API',
          type: `${PACKAGE}.evolutionApi`,
          typeVersion: 1,
          position: [0, 0],
        },
        credentials: { evolutionApi: { id: 'e1', name: 'Evolution' } },
        parameters,
      },
    ],
    connections: { Begin: { main: [[{ node: 'Evolution API', type: 'main', index: 0 }]] } },
  }
}
