/** Turns errors into a status and a body. Nothing else does. */
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { readTraceId } from '../../schemas/call-context.js'
import { type ErrorCode, errors, GatewayError, type Limit } from '../../schemas/errors.js'
import { isStoreTrouble } from '../../schemas/store-trouble.js'
import type { ApiContext, Next } from '../context.js'
import { hasBody } from '../input/json-body.js'

// Limits of what is still read of a refused body, so that its sender sees our answer instead of a reset connection.
const lingerMs = 2_000
const lingerBytesMax = 8 * 1024 * 1024

/**
 * Catches every error of a call. The answer to an error of ours has only the id with which the logs find it.
 * Calls `refused` for each call that reached a limit.
 */
export function errorBoundary(logger: Logger, refused?: (limit: Limit) => void) {
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    try {
      await next()
    } catch (error) {
      const told = toGatewayError(error)
      if (told.limit !== undefined) refused?.(told.limit)
      if (told.status >= 500) log(logger, ctx, told, error)
      write(ctx, told)
      if (!ctx.req.complete && hasBody(ctx.req)) linger(ctx.req)
    }
  }
}

/** Returns the body of the answer to a failed call. */
export function errorBody(error: GatewayError, requestId?: string): Record<string, unknown> {
  return {
    ...error.fields,
    error: error.message,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.status === 500 && requestId !== undefined ? { request_id: requestId } : {}),
  }
}

/** Returns the error that the caller sees. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (isStoreTrouble(error)) return new GatewayError('STORE_UNAVAILABLE', { cause: error })
  // Koa refuses some requests itself, such as those with a bad URL, with a status 4xx.
  const status = (error as { status?: unknown } | null)?.status
  const code = (Object.keys(errors) as ErrorCode[]).find((one) => errors[one].status === status)
  if (status === 400) return new GatewayError('MALFORMED_HTTP', { cause: error })
  if (typeof status === 'number' && status >= 400 && status < 500 && code !== undefined) return new GatewayError(code)
  return new GatewayError('INTERNAL', { cause: error })
}

function write(ctx: ApiContext, error: GatewayError): void {
  const { res } = ctx
  if (res.headersSent) {
    res.destroy()
    return
  }
  const { failure, requestId } = ctx.state
  const { status, body } = failure?.(error) ?? { status: error.status, body: errorBody(error, requestId) }
  ctx.status = status
  ctx.body = JSON.stringify(body)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  const retryAfter = error.retryAfterSeconds ?? (error.status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) res.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfter))))
  // Frees the next attempt from this node, when a balancer of connections is in front: another node may reach the store.
  if (error.status === 503 || error.status === 504) res.setHeader('Connection', 'close')
}

function log(logger: Logger, ctx: ApiContext, told: GatewayError, error: unknown): void {
  const { requestId, traceparent, operation } = ctx.state
  const fields = { requestId, traceId: readTraceId(traceparent), operation, code: told.code }
  const cause = told.code === 'INTERNAL' ? error : told.cause
  if (told.code === 'INTERNAL') logger.error({ ...fields, err: cause }, 'A call failed because of an internal error')
  else logger.warn({ ...fields, err: cause }, 'A call failed')
}

/** Reads the rest of a body for a moment and throws it away, then cuts the connection. This costs no memory. */
function linger(request: IncomingMessage): void {
  let left = lingerBytesMax
  const timer = setTimeout(() => request.socket.destroy(), lingerMs)
  timer.unref()
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.socket.destroy()
  })
  const clear = (): void => clearTimeout(timer)
  request.once('end', clear).once('close', clear)
}
