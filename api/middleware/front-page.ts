import type { ApiContext, Next } from '../context.js'

// Bound: 16,384, a header.

/** Redirects browsers from `/` to the dashboard. Programs, which do not ask for HTML, get the same answer as from any unknown path. */
export function frontPage(ctx: ApiContext, next: Next): unknown {
  if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
  ctx.res.setHeader('Vary', 'Accept, Origin')
  if (!/(^|[\s,])text\/html([\s,;]|$)/i.test(ctx.req.headers.accept ?? '')) return next()
  ctx.status = 302
  ctx.res.setHeader('Location', './dashboard/')
  return undefined
}
