/** Defines a tool: one task of an agent as data, with a handler of a few lines that makes ordinary calls of the API. */
import type { IncomingHttpHeaders } from 'node:http'
import type { KeyGrant } from '../../schemas/ports/instances.js'
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
