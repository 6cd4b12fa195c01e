import type { ApiContext, Next } from '../context.js'

/** Answers are data for programs: nothing in them may run, be framed, be sniffed or be kept by a cache. */
export function securityHeaders(ctx: ApiContext, next: Next): Promise<unknown> {
  const { res } = ctx
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('X-Frame-Options', 'DENY')
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  return next()
}
