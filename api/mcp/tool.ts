/** Defines a tool: one task of an agent as data, with a handler of a few lines that makes ordinary calls of the API. */
import type { IncomingHttpHeaders } from 'node:http'
import type { KeyGrant } from '../../schemas/ports/instances.js'
import type { JsonSchema, OperationPart, SchemaRegistry } from '../../schemas/schema-registry.js'
import { checkScope } from '../key-rights.js'
import type { Caller, Route } from '../route.js'

/** One use of a tool. */
export interface ToolCall<Request> {
  readonly args: Request
  readonly caller: Caller
  /** Carries out an operation of the API in the name of the caller. @throws GatewayError as the call would be answered */
  readonly ask: <Reply>(route: Route, body?: unknown, headers?: IncomingHttpHeaders) => Promise<Reply>
  /** Sentences for the agent about fields that were ignored. */
  readonly warnings: string[]
  /** Asks a person first, unless one agreed to exactly this call. @throws ConfirmationNeeded */
  readonly confirm: (question: string) => Promise<void>
  /** Asks a person before the first message to a stranger, and counts strangers per key. @throws ConfirmationNeeded, GatewayError RATE_LIMITED */
  readonly meet: (recipient: string, contents: string) => Promise<void>
}

interface Definition<Request, Reply> {
  readonly name: string
  readonly title: string
  /** File below `schemas/` with the input as `request` and the result as `reply`. */
  readonly schema: string
  /** Operations of the API that it calls. A key sees the tool if it may call all of them. */
  readonly routes: readonly Route[]
  /** True when it changes what others have received. A key needs the scope `change` as well. */
  readonly isDestructive?: boolean
  /** True when a repeated call has no further effect. */
  readonly isIdempotent?: boolean
  readonly isReadOnly?: boolean
  run(call: ToolCall<Request>): Promise<Reply>
}

/** Tool without the types of its call. */
export type Tool = Definition<unknown, object>

export function defineTool<Request, Reply extends object>(definition: Definition<Request, Reply>): Tool {
  return definition as unknown as Tool
}

/** Tells whether the caller may use the tool. Each call checks its rights again. */
export function maySee({ routes, isDestructive }: Tool, key: KeyGrant | null): boolean {
  if (key === null) return true
  if (isDestructive === true && !key.scopes.includes('change')) return false
  return routes.every((route) => allows(route, key))
}

function allows(route: Route, key: KeyGrant): boolean {
  try {
    checkScope(route, key)
    return true
  } catch {
    return false
  }
}

/** Gives the schemas of tools as clients take them: each alone, with the parts that it refers to. */

const PREFIX = '#/$defs/'

type ToolSchema = JsonSchema & { readonly type: 'object' }

export interface ToolSchemas {
  of(file: string, part: OperationPart): ToolSchema
  /** Returns the sentence about the tool. */
  readDescription(file: string): string
}

export function createToolSchemas(registry: SchemaRegistry): ToolSchemas {
  const all = registry.bundle(PREFIX)
  const made = new Map<string, ToolSchema>()
  return {
    of(file, part) {
      const key = `${part} ${file}`
      const schema = made.get(key) ?? makeSchema(file, part)
      made.set(key, schema)
      return schema
    },
    readDescription: (file) => String(registry.files.find((one) => one.file === file)?.schema.description),
  }

  function makeSchema(file: string, part: OperationPart): ToolSchema {
    const root = all[registry.findName(file, part) ?? '']
    if (root === undefined) throw new Error(`schemas/${file} has no ${part}.`)
    const { title: _title, ...schema } = root
    const found = new Map<string, JsonSchema>()
    collect(schema, found)
    const $defs = Object.fromEntries(found)
    return (found.size === 0 ? schema : { ...schema, $defs }) as ToolSchema
  }

  function collect(value: unknown, found: Map<string, JsonSchema>): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref') {
        collect(inner, found)
        continue
      }
      const name = String(inner).slice(PREFIX.length)
      const schema = all[name]
      if (schema === undefined || found.has(name)) continue
      found.set(name, schema)
      collect(schema, found)
    }
  }
}
