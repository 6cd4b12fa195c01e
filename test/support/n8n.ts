/** Stands in for n8n: loads the compiled nodes, reads their descriptions as n8n does, and gives them a context. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../lib/package-root.js'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'

export type Json = Record<string, unknown>

/** A property of a description, as far as it is read here. */
export interface Property {
  readonly name: string
  readonly type: string
  readonly required?: boolean
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly string[]>> }
  readonly options?: readonly (Property & { readonly value?: string; readonly routing?: Routing })[]
  readonly routing?: Routing
}

interface Routing {
  readonly request?: {
    readonly method?: string
    readonly url?: string
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly send?: { readonly type: 'body' | 'query'; readonly property: string; readonly value?: string }
}

export interface Node {
  readonly description: Json & { readonly properties: readonly Property[]; readonly requestDefaults: Json }
  readonly webhookMethods: {
    readonly default: Readonly<Record<'checkExists' | 'create' | 'delete', () => Promise<boolean>>>
  }
  execute(): Promise<Json[][]>
  webhook(): Promise<{ workflowData?: { json: Json }[][]; webhookResponse?: unknown; noWebhookResponse?: boolean }>
}

export interface Credential {
  readonly authenticate: { readonly properties: { readonly headers: Readonly<Record<string, string>> } }
  readonly test: { readonly request: { readonly baseURL: string; readonly url: string } }
}

/** Modules that n8n brings itself. */
const WORKFLOW = `
exports.NodeConnectionTypes = { Main: 'main' }
exports.NodeApiError = class NodeApiError extends Error { constructor(node, error) { super(error.message); this.cause = error } }
exports.NodeOperationError = class NodeOperationError extends Error { constructor(node, error) { super(error.message ?? error) } }
`
const compiler = path.join(packageRoot, 'node_modules/typescript/bin/tsc')

/** Compiles the package into a folder of its own, where it finds nothing but the stand-in. Returns a function that loads its classes. */
export async function buildNodes(cleanup: Cleanup): Promise<<T>(file: string, name: string) => T> {
  const folder = testFolder(cleanup)
  const target = path.join(folder, 'n8n')
  const source = path.join(packageRoot, 'clients/n8n')
  await promisify(execFile)(process.execPath, [compiler, '-p', source, '--outDir', target])
  cpSync(path.join(source, 'package.json'), path.join(target, 'package.json'))
  mkdirSync(path.join(folder, 'node_modules/n8n-workflow'), { recursive: true })
  writeFileSync(path.join(folder, 'node_modules/n8n-workflow/index.js'), WORKFLOW)
  const load = createRequire(path.join(target, 'package.json'))
  return <T>(file: string, name: string) => {
    const classes = load(`./${file}`) as Record<string, new () => T>
    const found = classes[name]
    if (found === undefined) throw new Error(`${file} has no ${name}.`)
    return new found()
  }
}

export interface Request {
  readonly method: string
  readonly url: string
  readonly query: Json
  readonly headers: Json
  readonly body: Json
}

/** Makes the request of a declarative node from the values of its fields, as n8n's routing does. */
export function createRequest({ description }: Node, parameters: Json, credentials: Json): Request {
  const headers: Json = {}
  const [query, body]: [Json, Json] = [{}, {}]
  let [method, url] = ['GET', '']
  const scope = { $parameter: parameters, $credentials: credentials }
  const add = (routing: Routing | undefined, value: unknown) => {
    const at = { ...scope, $value: value }
    method = routing?.request?.method ?? method
    if (routing?.request?.url !== undefined) url = String(evaluate(routing.request.url, at))
    for (const [name, header] of Object.entries(routing?.request?.headers ?? {})) headers[name] = evaluate(header, at)
    if (routing?.send === undefined) return
    const { type, property, value: expression } = routing.send
    const target = type === 'body' ? body : query
    target[property] = expression === undefined ? value : evaluate(expression, at)
  }
  for (const property of description.properties.filter((one) => isShown(one, parameters))) {
    const value = parameters[property.name]
    if (property.type === 'collection')
      for (const option of property.options ?? []) {
        const given = (value as Json | undefined)?.[option.name]
        if (given !== undefined) add(option.routing, given)
      }
    else if (value !== undefined) {
      add(property.routing, value)
      add(property.options?.find((option) => option.value === value)?.routing, value)
    }
  }
  return {
    method,
    url: String(evaluate(String(description.requestDefaults.baseURL), scope)) + url,
    query,
    headers,
    body,
  }
}

function isShown({ displayOptions }: Property, parameters: Json): boolean {
  return Object.entries(displayOptions?.show ?? {}).every(([name, values]) => values.includes(String(parameters[name])))
}

/** Evaluates an expression of n8n: a text that begins with `=`, and holds JavaScript in `{{ }}`. */
export function evaluate(text: string, scope: Json): unknown {
  if (!text.startsWith('=')) return text
  const run = (code: string): unknown => new Function(...Object.keys(scope), `return ${code}`)(...Object.values(scope))
  const whole = /^=\{\{([\s\S]*)\}\}$/.exec(text)?.[1]
  if (whole !== undefined && !whole.includes('}}')) return run(whole)
  return text.slice(1).replace(/\{\{([\s\S]*?)\}\}/g, (_, code: string) => String(run(code)))
}

/** The view of a node of n8n, with real calls to the gateway. */
export function createContext(credentials: Json, parts: Json = {}): Json {
  return {
    getCredentials: async () => credentials,
    getNode: () => ({ name: 'a node' }),
    helpers: {
      returnJsonArray: (data: Json | Json[]) => [data].flat().map((json) => ({ json })),
      async httpRequestWithAuthentication(this: unknown, _name: string, options: Json) {
        const answer = await fetch(String(options.url), {
          method: String(options.method),
          headers: {
            token: String(credentials.token),
            'content-type': 'application/json',
            ...(options.headers as object),
          },
          ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        })
        const body = (await answer.json()) as Json
        if (!answer.ok) throw new Error(`${answer.status} ${String(body.code)}`)
        return body
      },
    },
    ...parts,
  }
}
