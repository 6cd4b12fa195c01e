import { randomUUID } from 'node:crypto'
import { traceparentFor } from '../../schemas/call-context.js'
import type { ApiContext, Next } from '../context.js'

/** Headers of all answers. Answers are data for programs: nothing in them may run, be framed, be sniffed or be kept by a cache. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

export function securityHeaders(ctx: ApiContext, next: Next): Promise<unknown> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) ctx.res.setHeader(name, value)
  return next()
}

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
