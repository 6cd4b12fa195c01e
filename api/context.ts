/** State that our middleware keeps with a request. */
import type { ParameterizedContext } from 'koa'
import type { GatewayError } from '../schemas/errors.js'

export interface ApiState {
  requestId: string
  /** Trace of the caller, or a new one (W3C Trace Context). */
  traceparent: string
  /** The caller's address, as rate limits know it. */
  address: string
  /** The matched operation's name; `none` before and without a match. */
  operation: string
  /** Makes the answer to an error, for requests in the form of another API. */
  failure?: (error: GatewayError) => { readonly status: number; readonly body: unknown }
}

export type ApiContext = ParameterizedContext<ApiState>
export type Next = () => Promise<unknown>
