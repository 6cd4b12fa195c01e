import { randomUUID } from 'node:crypto'
import { traceparentFor } from '../../schemas/call-context.js'
import type { ApiContext, Next } from '../context.js'

// Bound: 16,384, a header.

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Gives each request an id and a place in a trace. The id is the caller's `X-Request-Id` when it has a sane form, else one of ours; answers
 * carry it. The trace is the caller's when it sends `traceparent`. Both go to the node that carries the call out, and into log lines.
 */
export function requestId(ctx: ApiContext, next: Next): Promise<unknown> {
  const given = ctx.req.headers['x-request-id']
  ctx.state.requestId = typeof given === 'string' && acceptable.test(given) ? given : randomUUID()
  ctx.state.traceparent = traceparentFor(ctx.req.headers.traceparent)
  ctx.state.operation = 'none'
  ctx.res.setHeader('X-Request-Id', ctx.state.requestId)
  return next()
}
