/** Defines a route: one operation as data, with a handler of a few lines. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ErrorCode } from '../schemas/errors.js'
import type { PassParent } from '../schemas/ports/access.js'
import type { InstanceRow, KeyGrant, Scope } from '../schemas/ports/instances.js'
import type { ReceivedFile } from './input/base64-file.js'
import type { ApiOptions } from './options.js'
import type { ApiPorts } from './ports.js'

/** Kind of token that a call must carry: of an instance, of the administrator, either, or none. */
export type Auth = 'instance' | 'admin' | 'either' | 'none'

/** Scope that a key needs for the call. `any` means any key, and `token` means no key. */
export type RouteScope = Scope | 'any' | 'token'

/** Fields that name the chat of a call, for keys that are for one chat. All of them must be of that chat. */
export interface KeyChat {
  /** Field of the body that holds a number or JID. */
  readonly chat?: string
  /** True when that field may be left out, and is filled in. */
  readonly isNarrowed?: boolean
  /** Fields of the body that hold ids of messages. */
  readonly messages?: readonly string[]
}

/** One call whose token is known, and whose body and query fit the schema. */
export interface ApiCall<Instance, Body, Query> {
  /** Instance of the token. Null for an administrator and for open operations. */
  readonly instance: Instance
  /** Key of the call. Null when the call has a token. */
  readonly key: KeyGrant | null
  /** Token of the call, as the parent of a pass. Its fields are empty for open operations. */
  readonly credential: PassParent
  readonly body: Body
  readonly query: Query
  readonly params: Readonly<Record<string, string>>
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Files that arrived in the `fileFields` of the route and were too long for the body, by the text that stands in their place. */
  readonly files: ReadonlyMap<string, ReceivedFile>
  /** Note for the audit log, where the path and the token do not name the subject of the call. */
  readonly note: AuditNote
  /** Tells whether the token still opens the same as at the start of the call. For answers that take long. */
  readonly isWelcome: () => Promise<boolean>
  /** Sentences for the caller about fields that were ignored. A handler may add some. */
  readonly warnings: string[]
}

/** The things that a handler works with. */
export interface Context {
  readonly ports: ApiPorts
  readonly options: ApiOptions
  /** Answers with the OpenAPI document as JSON. */
  readonly openApi: EncodedText
  readonly dashboard: DashboardFiles
}

interface Operation<A extends Auth, Instance, Body, Query> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Unique name of the operation in OpenAPI and metrics. */
  readonly name: string
  /** Area under which the documentation shows it. */
  readonly area: string
  readonly summary: string
  readonly auth: A
  /** Scope of a call of an instance. */
  readonly scope?: RouteScope
  /** True when the pass of a pairing link may make the call. */
  readonly pairs?: boolean
  /** If missing, a key that is for one chat cannot make the call. */
  readonly keyChat?: KeyChat
  /** True when the call is written to the audit log. Default: true for changes by administrators. */
  readonly audited?: boolean
  /** True when the call needs the token itself: one that makes or ends lasting rights of the whole installation. */
  readonly refusesPass?: boolean
  /** True when a code of a link counts as the token. */
  readonly takesCode?: boolean
  /** Takes the token from the query too, for callers that cannot set headers. */
  readonly tokenInQuery?: boolean
  /** File below `schemas/` that defines `request`, `query` and `reply`. */
  readonly schema?: string
  /** Media type of an answer that is not JSON. */
  readonly produces?: string
  /** Fields of the body that may hold a file as base64, which goes to disk as it arrives: `file`, `cards[].image`, `choices[]{}` (in braces), `content?` (or a long text). Lower case. */
  readonly fileFields?: readonly string[]
  /** Field of the body that may also be the whole body, as CSV or JSON lines. The other fields are then in the query. */
  readonly listField?: string
  /** True when the handler gets the body as bytes, of at most 1 MiB, to check a signature of them. */
  readonly takesBytes?: boolean
  /** True when a `POST` only reads, so that a caller may repeat it after a lost answer. Default: true for the scope `read`. */
  readonly reads?: boolean
  /** True when the cost of a call is chosen by its caller, or grows with the instance. Only some run at once for each instance. */
  readonly isSearch?: boolean
  /** Takes the header `Idempotency-Key`: `kept` if the answer is kept and given again, true if the handler recognizes a repeated call. */
  readonly idempotent?: true | 'kept'
  /** Text of `error` in every answer 400, where the interface names one. The reason is in `details`. */
  readonly refusalText?: string
  /** True if some calls are answered with `Accepted` while their work continues. */
  readonly accepts?: boolean
  /** True if a call that makes a record is answered with `Created`. */
  readonly creates?: boolean
  /** True if a call of which only a part could be done is answered with `PartlyDone`. */
  readonly doesPart?: boolean
  /** Meaning of an answer 204, if there are some. */
  readonly emptyMeans?: string
  /** Does not appear in the OpenAPI document. */
  readonly hidden?: boolean
  /**
   * Checks a call without a token before its body is read. Resolves with the instance whose limit counts the call.
   * @throws GatewayError
   */
  readonly admit?: (
    params: Readonly<Record<string, string>>,
    headers: IncomingHttpHeaders,
    context: Context,
  ) => Promise<string>
  /** Its own error codes. Those of token, limits and body follow from the fields above. */
  readonly errors: readonly ErrorCode[]
  /** Resolves with the value that is sent as JSON, or with an `Answer`, `Accepted`, `Created` or `PartlyDone`. */
  handle(call: ApiCall<Instance, Body, Query>, context: Context): Promise<unknown>
}

/** Route without the types of its call, as the dispatcher sees it. */
export type Route = Operation<Auth, InstanceRow | null, unknown, unknown>

/** Answer that is not simply JSON with status 200. */
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

/** Reply with status 202 to a call whose work continues after the reply. */
export class Accepted {
  readonly reply: unknown

  constructor(reply: unknown) {
    this.reply = reply
  }
}

/** Reply with status 201 to a call that has made a record. */
export class Created {
  readonly reply: unknown

  constructor(reply: unknown) {
    this.reply = reply
  }
}

/** Reply with status 207 to a call of which only a part was done. */
export class PartlyDone {
  readonly reply: unknown

  constructor(reply: unknown) {
    this.reply = reply
  }
}

/** Tells whether calls of the route have a body. */
export function hasMethodWithBody({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PUT'
}

type Definition<A extends Auth, Instance, Body, Query> = Omit<
  Operation<A, Instance, Body, Query>,
  'auth' | 'scope' | 'keyChat'
>
type Scoped<A extends Auth, Instance, Body, Query> = Definition<A, Instance, Body, Query> & {
  readonly scope: RouteScope
  readonly keyChat?: KeyChat
}

/** Defines an operation of the instance whose `token` is in the header. */
export function instanceRoute<Body = undefined, Query = undefined>(
  definition: Scoped<'instance', InstanceRow, Body, Query>,
): Route {
  return { ...definition, auth: 'instance' } as unknown as Route
}

/** Defines an operation of the administrator: header `admintoken`. */
export function adminRoute<Body = undefined, Query = undefined>(
  definition: Definition<'admin', null, Body, Query>,
): Route {
  return { ...definition, auth: 'admin' } as unknown as Route
}

/** Defines an operation for either. `instance` is null when the administrator calls. */
export function eitherRoute<Body = undefined, Query = undefined>(
  definition: Scoped<'either', InstanceRow | null, Body, Query>,
): Route {
  return { ...definition, auth: 'either' } as unknown as Route
}

/** Defines an operation that needs no token. */
export function openRoute<Body = undefined, Query = undefined>(
  definition: Definition<'none', null, Body, Query>,
): Route {
  return { ...definition, auth: 'none' } as unknown as Route
}

export interface DashboardFiles {
  /** False if `npm run build` has made no dashboard. */
  readonly isBuilt: boolean
  /** Returns the page for an address below `/dashboard/`, with relative links that lead to the files wherever a proxy has put them. */
  page(asked: string, ifNoneMatch: string | undefined): Answer
  /** Resolves with a file, compressed if the caller takes that. `name` is relative to the folder. @throws GatewayError NOT_FOUND */
  file(name: string, acceptEncoding: string | undefined): Promise<Answer>
  has(name: string): boolean
}

export interface Caller {
  readonly instance: InstanceRow | null
  /** Null for a token, which may do everything that its kind of token may. */
  readonly key: KeyGrant | null
  /** Hash that tells tokens apart. */
  readonly tokenKey: string
  /** Kind of caller in the audit log. */
  readonly actorKind: 'admin' | 'token' | 'key'
  readonly actor: string
  /** The token, as the parent of a pass. */
  readonly credential: PassParent
  /** Tells whether the token still opens the same. */
  readonly isWelcome: () => Promise<boolean>
}

/** Facts for the audit log that a handler knows better than the path. */
export interface AuditNote {
  /** The instance, key or other thing that the call is about. */
  subject: string
  /** The pass that the call opened. */
  pass?: string
}

export type EncodedText = (headers: IncomingHttpHeaders) => Promise<Answer>
