/** Calls of operations that a part of the API makes in the name of a caller. `createInnerCalls` (dispatch.ts) carries them out. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ApiState } from './context.js'
import type { ReceivedFile } from './input/base64-file.js'
import type { Caller, Route } from './route.js'

export interface InnerCall {
  readonly caller: Caller
  /** State of the request to which the call belongs. */
  readonly state: ApiState
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: IncomingHttpHeaders
  /** Files that the body names. */
  readonly files?: ReadonlyMap<string, ReceivedFile>
  /** True if the request was counted for the limits already, and holds the turn that the operation needs. */
  readonly isAdmitted?: boolean
}

export interface InnerReply {
  readonly reply: unknown
  readonly warnings: readonly string[]
}

export type InnerCalls = (route: Route, given: InnerCall) => Promise<InnerReply>
