/** What a route is: one operation as data, with a handler of a few lines. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ErrorCode } from '../schemas/errors.js'
import type { InstanceRow, KeyGrant, Scope } from '../schemas/ports/instances.js'
import type { AuditNote } from './audit.js'
import type { ArrivedFile } from './input/base64-file.js'
import type { ApiOptions } from './options.js'
import type { ApiPorts } from './ports.js'

/** Whose token a call must carry: an instance's, the administrator's, either, or none. */
export type Auth = 'instance' | 'admin' | 'either' | 'none'

/** What a key of the instance must have for the call: a scope, or nothing (`any`); `token`: no key will do. */
export type RouteScope = Scope | 'any' | 'token'

/** How a call tells which chat it is about, for keys that are for one chat. All that is named must be of it. */
export interface KeyChat {
  /** The field of the body that holds a number or JID. */
  readonly chat?: string
  /** That field may be left out, and is filled in. */
  readonly isNarrowed?: boolean
  /** Fields of the body that hold ids of messages. */
  readonly messages?: readonly string[]
}

/** One call, past the door: its token is known, its body and query fit the schema. */
export interface Call<Instance, Body, Query> {
  /** Whose token it is; null for an administrator and for open operations. */
  readonly instance: Instance
  /** The key with which the call came; null when it was a token. */
  readonly key: KeyGrant | null
  readonly body: Body
  readonly query: Query
  readonly params: Readonly<Record<string, string>>
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** What arrived in the `fileFields` of the route and was too long for the body, by the text that stands there in its place. */
  readonly files: ReadonlyMap<string, ArrivedFile>
  /** For the audit log, where the path and the token do not say whom the call is about. */
  readonly note: AuditNote
  /** Whether its token still opens what it opened when the call came: for answers that take long. */
  readonly isWelcome: () => Promise<boolean>
  /** Sentences for the caller about what was ignored; a handler may add some. */
  readonly warnings: string[]
}

/** What handlers are given. */
export interface Context {
  readonly ports: ApiPorts
  readonly options: ApiOptions
  /** The OpenAPI document, as JSON. */
  openApi(): string
}

interface Operation<A extends Auth, Instance, Body, Query> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** Unique; names the operation in OpenAPI and metrics. */
  readonly name: string
  /** The area under which the documentation shows it. */
  readonly area: string
  readonly summary: string
  readonly auth: A
  /** For calls of an instance. */
  readonly scope?: RouteScope
  /** Without it a key that is for one chat cannot make the call. */
  readonly keyChat?: KeyChat
  /** Written to the audit log; unless it says otherwise, what administrators change is. */
  readonly audited?: boolean
  /** Also take the token from the query, for callers that cannot set headers. */
  readonly tokenInQuery?: boolean
  /** The file below `schemas/` that defines `request`, `query` and `reply`. */
  readonly schema?: string
  /** The media type of an answer that is not JSON. */
  readonly produces?: string
  /** Where the body may hold a file as base64, which goes to disk as it arrives: `file`, `cards[].image`, `choices[]{}` (in braces); lower case. */
  readonly fileFields?: readonly string[]
  /** What it costs is for its caller to choose, or grows with the instance: only some are done at once for each instance. */
  readonly isSearch?: boolean
  /** Takes the header `Idempotency-Key`. */
  readonly idempotent?: boolean
  /** The `error` text of every answer 400, where the interface names one; the reason is in `details`. */
  readonly refusalText?: string
  /** Does not appear in the OpenAPI document. */
  readonly hidden?: boolean
  /** The codes of its own; those of token, limits and body are added from the fields above. */
  readonly errors: readonly ErrorCode[]
  /** Resolves with what is sent as JSON, or with an `Answer`. */
  handle(call: Call<Instance, Body, Query>, context: Context): Promise<unknown>
}

/** A route with its types forgotten, as the dispatcher sees it. */
export type Route = Operation<Auth, InstanceRow | null, unknown, unknown>

/** An answer that is not simply JSON with status 200. */
export class Answer {
  readonly status: number
  readonly body: Buffer | string | Readable
  readonly type: string
  readonly headers: Readonly<Record<string, string>>

  constructor(answer: {
    status?: number
    body: Buffer | string | Readable
    type: string
    headers?: Readonly<Record<string, string>>
  }) {
    this.status = answer.status ?? 200
    this.body = answer.body
    this.type = answer.type
    this.headers = answer.headers ?? {}
  }
}

type Definition<A extends Auth, Instance, Body, Query> = Omit<
  Operation<A, Instance, Body, Query>,
  'auth' | 'scope' | 'keyChat'
>
type Scoped<A extends Auth, Instance, Body, Query> = Definition<A, Instance, Body, Query> & {
  readonly scope: RouteScope
  readonly keyChat?: KeyChat
}

/** An operation of one instance: the header `token` says which. */
export function instanceRoute<Body = undefined, Query = undefined>(
  definition: Scoped<'instance', InstanceRow, Body, Query>,
): Route {
  return { ...definition, auth: 'instance' } as unknown as Route
}

/** An operation of the administrator: header `admintoken`. */
export function adminRoute<Body = undefined, Query = undefined>(
  definition: Definition<'admin', null, Body, Query>,
): Route {
  return { ...definition, auth: 'admin' } as unknown as Route
}

/** An operation for either; `instance` is null when it is the administrator. */
export function eitherRoute<Body = undefined, Query = undefined>(
  definition: Scoped<'either', InstanceRow | null, Body, Query>,
): Route {
  return { ...definition, auth: 'either' } as unknown as Route
}

/** An operation that needs no token. */
export function openRoute<Body = undefined, Query = undefined>(
  definition: Definition<'none', null, Body, Query>,
): Route {
  return { ...definition, auth: 'none' } as unknown as Route
}
