/** Puts the HTTP API together: middleware in order, and every route. */
import { PassThrough, type Readable } from 'node:stream'
import Router from '@koa/router'
import Koa from 'koa'
import { createOwnerSlots, type OwnerSlots } from '../lib/owner-slots.js'
import { UnderWay } from '../lib/under-way.js'
import { readTraceId } from '../schemas/call-context.js'
import { errors, GatewayError, type Limit } from '../schemas/errors.js'
import type { EventStreams, StreamOptions } from '../schemas/ports/webhooks.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import { createEncodedText } from './answers/encoded-text.js'
import type { ApiContext, ApiState, Next } from './context.js'
import { NO_DASHBOARD, readDashboardFiles } from './dashboard-files.js'
import { createDialectEndpoints } from './dialects/endpoint.js'
import { dispatch } from './dispatch.js'
import { createValidation } from './input/validation.js'
import { createMcpEndpoint } from './mcp/endpoint.js'
import { errorBoundary } from './middleware/error-boundary.js'
import { requestId, securityHeaders } from './middleware/security-headers.js'
import { makeOpenApi } from './openapi-thread.js'
import { type ApiOptions, defaultOptions } from './options.js'
import type { ApiPorts } from './ports.js'
import { createAddressReader, createRateLimiter, type RateLimiter } from './rate-limits.js'
import type { Context, Route } from './route.js'
import { dashboardRoutes } from './routes/dashboard/index.js'
import { routes } from './routes.js'
import { type ApiServer, createApiServer } from './server.js'
import { createTokenCheck } from './tokens.js'

export interface Api extends ApiServer {
  readonly app: Koa<ApiState>
  /** True if there is a dashboard below `/dashboard/`. */
  readonly hasDashboard: boolean
}

/** Maximum of lists of recipients that a node takes for one instance at once. */
const LISTS_AT_ONCE = 4
/** Maximum of larger bodies of one caller that a node reads at once, and of those that wait for each of them, unread. */
const BODIES_AT_ONCE = 16
const BODIES_WAITING = 16
const NO_LIMIT = { points: 0, durationMs: 1_000 }
/** Maximum of searches that wait for each one under way. */
const SEARCHES_WAITING = 16

/** Creates the API. Options that are left out have the values of `defaultOptions`. */
export function createApi(ports: ApiPorts, given: Partial<ApiOptions> & Pick<ApiOptions, 'logger'>): Api {
  const options: ApiOptions = { ...defaultOptions, ...given }
  const registry = loadSchemas()
  const limiters = createLimiters(options)
  const agentLimits = createAgentLimiters(options)
  const streams = createStreamKeeper(ports.streams)
  const openApi = createEncodedText(makeOpenApi, 'application/json; charset=utf-8')
  const { dashboardFolder } = options
  const dashboard = dashboardFolder === null ? NO_DASHBOARD : readDashboardFiles(dashboardFolder)
  const context: Context = { ports: { ...ports, streams }, options, openApi, dashboard }
  const parts = {
    context,
    validation: createValidation(registry),
    checkToken: createTokenCheck(ports, limiters.failedTokens, options.isStoreCurrent),
    tokenLimiter: limiters.token,
    instanceLimiter: limiters.instance,
    // No call waits here: its body would be cut off by the time-out of the call.
    uploads: createSlots('uploads', 'calls with files', options.uploadsPerInstanceMax, 0),
    // A list takes more time and memory than a file.
    bodies: createSlots('body', 'calls whose bodies are on their way', BODIES_AT_ONCE, BODIES_WAITING),
    lists: createSlots('uploads', 'lists of recipients', LISTS_AT_ONCE, 0),
    underWay: new UnderWay(),
    searches: createSlots('searches', 'searches and lists', options.searchesPerInstanceMax, SEARCHES_WAITING),
  }

  const app = new Koa<ApiState>()
  const served = dashboardFolder === null ? routes.filter((route) => !dashboardRoutes.includes(route)) : routes
  const routing = createRouting(served, (route) => dispatch(route, parts))

  app.use(requestId)
  app.use(observe(options))
  app.use(securityHeaders)
  app.use(cors(options.corsOrigins, [...new Set(['HEAD', ...routes.map(({ method }) => method)])]))
  app.use(errorBoundary(options.logger, options.refused))
  app.use(limitAddress(limiters.address, options))
  if (dashboard.isBuilt) app.use(frontPage)
  if (options.mcp !== null) app.use(createMcpEndpoint({ ...parts, mcp: options.mcp, registry, limiters: agentLimits }))
  if (options.dialects.length > 0) app.use(createDialectEndpoints(parts, options.dialects))
  app.use(routing.take)
  app.use(refuseMethod(routing.listMethods))
  // The error boundary has answered the caller. Koa reports connections that broke during the answer.
  app.on('error', (error: unknown) => options.logger.debug({ err: error }, 'An answer was cut short.'))

  const server = createApiServer(app.callback(), options)
  return {
    app,
    hasDashboard: dashboard.isBuilt,
    listen: server.listen,
    dismiss: server.dismiss,
    async close() {
      streams.end()
      await server.close()
      for (const limiter of Object.values({ ...limiters, ...agentLimits })) limiter.close()
    },
  }
}

/** Creates the turns of calls that are limited per instance. `waitingMax` counts the waiting calls for each one under way. */
function createSlots(limit: Limit, what: string, max: number, waitingMax: number): OwnerSlots {
  const waiting = waitingMax * max
  return createOwnerSlots(
    { max, waitingMax: waiting },
    () =>
      new GatewayError('RATE_LIMITED', {
        message: `The instance has too many ${what} under way on this node: ${max} at once, ${waiting} waiting.`,
        retryAfterSeconds: 1,
        limit,
      }),
  )
}

function createAgentLimiters(options: ApiOptions): Record<'calls' | 'strangers', RateLimiter> {
  const shared = pickShared(options)
  const { perKey, strangersPerKey } = options.mcp?.limits ?? { perKey: NO_LIMIT, strangersPerKey: NO_LIMIT }
  return {
    calls: createRateLimiter({ name: 'mcp-calls', counted: 'mcp_calls', limit: perKey, ...shared }),
    strangers: createRateLimiter({
      name: 'mcp-strangers',
      counted: 'mcp_strangers',
      limit: strangersPerKey,
      ...shared,
    }),
  }
}

function pickShared({ redisKeyPrefix, logger, redis }: ApiOptions) {
  return { redisKeyPrefix, logger, ...(redis === undefined ? {} : { redis }) }
}

function createLimiters(options: ApiOptions): Record<'address' | 'token' | 'instance' | 'failedTokens', RateLimiter> {
  const { limits } = options
  const shared = pickShared(options)
  return {
    address: createRateLimiter({ name: 'address', counted: 'address_rate', limit: limits.perAddress, ...shared }),
    token: createRateLimiter({ name: 'token', counted: 'token_rate', limit: limits.perToken, ...shared }),
    instance: createRateLimiter({ name: 'instance', counted: 'instance_rate', limit: limits.perInstance, ...shared }),
    failedTokens: createRateLimiter({
      name: 'failed-tokens',
      counted: 'unknown_tokens',
      limit: limits.failedTokensPerAddress,
      ...shared,
    }),
  }
}

function limitAddress(limiter: RateLimiter, { trustedProxies }: ApiOptions) {
  const readAddress = createAddressReader(trustedProxies)
  return (ctx: ApiContext, next: Next): Promise<unknown> => {
    ctx.state.address = readAddress(ctx.req)
    limiter.take(ctx.state.address)
    return next()
  }
}

/** Refuses a request that no route took: its path is unknown, or has other methods. */
function refuseMethod(listMethods: Routing['listMethods']) {
  return (ctx: ApiContext): void => {
    const allowed = listMethods(ctx.path)
    if (allowed.size === 0) throw new GatewayError('ROUTE_NOT_FOUND')
    ctx.res.setHeader('Allow', [...allowed].join(', '))
    if (ctx.method !== 'OPTIONS') {
      throw new GatewayError('METHOD_NOT_ALLOWED', {
        message: `${errors.METHOD_NOT_ALLOWED.means} It takes: ${[...allowed].join(', ')}.`,
      })
    }
    ctx.status = 204
  }
}

function observe({ observe: tell, logger }: ApiOptions) {
  if (tell === undefined && !logger.isLevelEnabled('debug')) return (_ctx: ApiContext, next: Next) => next()
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    const startedMs = performance.now()
    await next()
    const durationMs = performance.now() - startedMs
    const { operation, requestId: id, traceparent } = ctx.state
    tell?.(operation, ctx.status, durationMs)
    const traceId = readTraceId(traceparent)
    logger.debug({ requestId: id, traceId, operation, status: ctx.status, durationMs }, 'A call was answered.')
  }
}

// Lets pages of the allowed origins call the API from a browser, streams by fetch included. Tokens are headers, so no credentials are.

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
const EXPOSED = [
  'Retry-After',
  'Warning-Fields',
  'Replica-Lag-Ms',
  'X-Request-Id',
  'Content-Disposition',
  'Allow',
].join(', ')
/** How long a browser remembers what it may ask. */
const REMEMBERED_SECONDS = 600

/** `origins`: each exactly as browsers send it, or `*` alone for all. `methods` of the API. */
function cors(origins: readonly string[], methods: readonly string[]) {
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

// Ends open event streams: all of them when the API closes, so that no endless call holds it up, and each one whose token has ended.

interface StreamKeeper extends EventStreams {
  /** Ends all streams and refuses later ones. Their readers resume elsewhere with `Last-Event-ID`. */
  end(): void
}

/** Maximum time between two checks of the token of a stream. The dashboard signs out within 5 s of a rotation. */
const RECHECK_MS = 4_000

function createStreamKeeper(streams: EventStreams, recheckMs = RECHECK_MS): StreamKeeper {
  const open = new Set<() => void>()
  let ended = false
  return {
    open(options) {
      if (ended) throw new GatewayError('INSTANCE_MOVING', { message: 'This node is stopping; connect again.' })
      const source = streams.open(options)
      const { stream, end } = endable(source)
      const recheck = setInterval(() => void checkReader(options, end), recheckMs * (0.9 + Math.random() / 10))
      recheck.unref()
      open.add(end)
      source.once('close', () => {
        clearInterval(recheck)
        open.delete(end)
      })
      return stream
    },
    page: (options) => streams.page(options),
    end() {
      ended = true
      for (const end of open) end()
    },
  }
}

/** Ends the stream when its token has ended. While the store is away the stream goes on, since no node knows. */
async function checkReader({ isWelcome }: StreamOptions, end: () => void): Promise<void> {
  const isGood = await isWelcome?.().catch(() => true)
  if (isGood === false) end()
}

/** Returns the stream with a function that ends it so that its reader sees a complete answer and not a broken connection. */
function endable(source: Readable): { stream: Readable; end: () => void } {
  const stream = new PassThrough()
  const end = (): void => {
    source.unpipe(stream)
    stream.end()
    source.destroy()
  }
  source.once('error', end).once('close', () => stream.end())
  stream.once('close', () => source.destroy())
  source.pipe(stream)
  return { stream, end }
}

/** Redirects browsers from `/` to the dashboard. Programs, which do not ask for HTML, get the same answer as from any unknown path. */
function frontPage(ctx: ApiContext, next: Next): unknown {
  if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
  ctx.res.setHeader('Vary', 'Accept, Origin')
  // Bound: 16,384, a header.
  if (!/(^|[\s,])text\/html([\s,;]|$)/i.test(ctx.req.headers.accept ?? '')) return next()
  ctx.status = 302
  ctx.res.setHeader('Location', './dashboard/')
  return undefined
}

/** Finds the route of a request. */

interface Routing {
  /** Middleware. Calls the route of this path and method, or `next` if there is none. */
  readonly take: (ctx: ApiContext, next: Next) => Promise<unknown>
  /** Returns the methods of the routes of a path. Empty if there are none. */
  readonly listMethods: (path: string) => ReadonlySet<string>
}

type Handle = (ctx: ApiContext) => Promise<void>

/**
 * Creates a router for each first segment of a path. A router tries all of its routes on each request, each with a regular expression, and
 * a hundred of them cost as much as everything else before a handler. No route has a parameter for its first segment.
 */
function createRouting(routes: readonly Route[], makeHandler: (route: Route) => Handle): Routing {
  const routers = new Map<string, Router<ApiState>>()
  for (const route of routes) {
    const segment = firstSegment(route.path)
    // Bound: 1,048,576, a body or header of a request.
    if (/[^\w.-]/.test(segment)) throw new Error(`${route.path} does not begin with a plain segment.`)
    const router = routers.get(segment) ?? new Router<ApiState>()
    routers.set(segment, router)
    router.register(route.path, [route.method.toLowerCase()], makeHandler(route) as never)
  }
  const takes = new Map([...routers].map(([segment, router]) => [segment, router.routes()]))

  return {
    take(ctx, next) {
      const take = takes.get(firstSegment(ctx.path))
      return take === undefined ? next() : take(ctx as never, next)
    },
    listMethods(path) {
      const layers = routers.get(firstSegment(path))?.stack ?? []
      return new Set(layers.filter((layer) => layer.match(path)).flatMap((layer) => layer.methods))
    },
  }
}

/** Returns the first segment in lower case, since a router ignores case. A target like `x://host` has no path: Koa gives null. */
function firstSegment(path: string | null): string {
  if (path === null) return ''
  const end = path.indexOf('/', 1)
  return path.slice(1, end < 0 ? undefined : end).toLowerCase()
}
