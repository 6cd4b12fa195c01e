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
