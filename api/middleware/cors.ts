/** Lets pages of the allowed origins call the API from a browser, streams by fetch included. Tokens are headers, so no credentials are. */
import type { ApiContext, Next } from '../context.js'

/** Headers that calls may carry. */
const TAKEN = [
  'content-type',
  'token',
  'admintoken',
  'authorization',
  'idempotency-key',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'x-request-id',
  'traceparent',
  // Keys of dialects.
  'apikey',
  'x-api-key',
  // Sent by readers of event streams.
  'cache-control',
].join(', ')
/** Headers of answers that a page may read, besides those that it always may. */
const EXPOSED = ['Retry-After', 'Warning-Fields', 'X-Request-Id', 'Content-Disposition', 'Allow'].join(', ')
/** How long a browser remembers what it may ask. */
const REMEMBERED_SECONDS = 600

/** `origins`: each exactly as browsers send it, or `*` alone for all. `methods` of the API. */
export function cors(origins: readonly string[], methods: readonly string[]) {
  const allowed = new Set(origins)
  const isForAll = allowed.has('*')

  return (ctx: ApiContext, next: Next): Promise<unknown> => {
    if (allowed.size === 0) return next()
    const { res, req } = ctx
    const { origin } = req.headers
    // Keeps caches from giving the answer for one origin to another.
    if (!isForAll) res.setHeader('Vary', 'Origin')
    if (origin === undefined || !(isForAll || allowed.has(origin))) return next()
    res.setHeader('Access-Control-Allow-Origin', isForAll ? '*' : origin)
    res.setHeader('Access-Control-Expose-Headers', EXPOSED)
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return next()
    // Answers every path alike, so that the page makes its call and can read why it fails.
    res.setHeader('Access-Control-Allow-Methods', methods.join(', '))
    res.setHeader('Access-Control-Allow-Headers', TAKEN)
    res.setHeader('Access-Control-Max-Age', String(REMEMBERED_SECONDS))
    ctx.status = 204
    return Promise.resolve()
  }
}
