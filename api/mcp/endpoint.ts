/** Takes requests at `/mcp`: who calls, how often, and the way to the library of the protocol and back. */
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { errors, GatewayError } from '../../schemas/errors.js'
import { asFrequentWork } from '../../schemas/work.js'
import type { ApiContext, Next } from '../context.js'
import { createInnerCalls, type DispatchParts } from '../dispatch.js'
import { isLargeBody, readJsonBody } from '../input/json-body.js'
import type { McpOptions } from '../options.js'
import type { RateLimiter } from '../rate-limits.js'
import type { Caller } from '../route.js'
import { createConfirmations } from './confirmations.js'
import type { Sdk, ServerParts, Visitor } from './resources.js'
import { createMcpServer } from './server.js'
import { createToolSchemas } from './tool.js'

// Bound: 1,048,576, a body or header of a request.

const PATH = '/mcp'
/** Headers of the protocol, which are passed on. */
const PASSED = /^(accept|content-type|mcp-[a-z0-9-]+)$/
/** Only names the request for the library; nothing is fetched from it. */
const ADDRESS = 'http://posthorn.invalid/mcp'

export interface EndpointParts extends DispatchParts {
  readonly mcp: McpOptions
  readonly registry: Parameters<typeof createToolSchemas>[0]
  readonly limiters: { readonly calls: RateLimiter; readonly strangers: RateLimiter }
}

export function createMcpEndpoint(parts: EndpointParts): (ctx: ApiContext, next: Next) => Promise<unknown> {
  const { corsOrigins } = parts.context.options
  const origins = new Set(corsOrigins)
  let handler: Promise<McpHttpHandler> | undefined

  return async (ctx, next) => {
    if (ctx.path !== PATH) return await next()
    ctx.state.operation = 'mcp'
    checkOrigin(ctx, origins)
    if (!isPost(ctx)) return undefined
    const caller = await admit(ctx, parts)
    const instance = caller.instance?.id ?? ''
    return await parts.underWay.run(instance, (others) => take(ctx, caller, others))
  }

  async function take(ctx: ApiContext, caller: Caller, others: number): Promise<unknown> {
    const instance = caller.instance?.id ?? ''
    const turn = parts.context.options.fairTurn(instance, others)
    if (turn !== undefined) await turn
    limit(caller, parts)
    const work = { kind: 'request', operation: 'mcp', feature: 'mcp', instance, id: '' } as const
    const read = () => readJsonBody(ctx.req, ctx.res, parts.context.options, work)
    const body = await (isLargeBody(ctx.req) ? parts.bodies.run(instance, read) : read())
    // Loaded with the first request: most gateways never need it.
    handler ??= import('@modelcontextprotocol/server').then((sdk) => createHandler(sdk, parts))
    const visitor: Visitor = { caller, state: ctx.state }
    const authInfo = { token: '', clientId: caller.actor, scopes: [], extra: { visitor } }
    const request = new Request(ADDRESS, { method: 'POST', headers: passedHeaders(ctx) })
    const server = await handler
    const reply = asFrequentWork(work, () => server.fetch(request, { authInfo, parsedBody: body }))
    return await answer(ctx, await reply)
  }
}

function createHandler(sdk: Sdk, parts: EndpointParts): McpHttpHandler {
  const { context, validation, limiters, mcp, registry } = parts
  const { ports, options } = context
  const serverParts: ServerParts = {
    sdk,
    ports,
    validation,
    ask: createInnerCalls(parts),
    confirmations: createConfirmations(mcp.confirmationKey),
    ...limiters,
    schemas: createToolSchemas(registry),
    logger: options.logger,
    observe: mcp.observe,
    refused: options.refused,
    checkReplies: options.checkReplies,
  }
  return sdk.createMcpHandler(
    ({ authInfo }) => createMcpServer(readVisitor(authInfo?.extra), serverParts),
    // Keeps no stream open: any node answers any request, and lists change only with the key.
    {
      maxSubscriptions: 0,
      onerror: (err) => options.logger.debug({ err }, 'An MCP request failed.'),
    },
  )
}

function readVisitor(extra: Readonly<Record<string, unknown>> | undefined): Visitor {
  if (extra === undefined) throw new Error('A request has no visitor.')
  return extra.visitor as Visitor
}

/** Refuses pages of unknown origins: a page could reach a gateway in the network of its reader. */
function checkOrigin({ req }: ApiContext, origins: ReadonlySet<string>): void {
  const { origin } = req.headers
  if (origin === undefined || origins.has('*') || origins.has(origin)) return
  throw new GatewayError('ORIGIN_NOT_ALLOWED')
}

function isPost(ctx: ApiContext): boolean {
  if (ctx.method === 'POST') return true
  ctx.res.setHeader('Allow', 'POST')
  if (ctx.method !== 'OPTIONS')
    throw new GatewayError('METHOD_NOT_ALLOWED', { message: `${errors.METHOD_NOT_ALLOWED.means} It takes: POST.` })
  ctx.status = 204
  return false
}

/** @throws GatewayError INVALID_TOKEN, PASS_NOT_ENOUGH */
async function admit(ctx: ApiContext, { checkToken }: EndpointParts): Promise<Caller> {
  const caller = await checkToken('instance', { token: readToken(ctx), adminToken: '' }, ctx.state.address, false)
  if (caller.credential.pass)
    throw new GatewayError('PASS_NOT_ENOUGH', {
      message: 'MCP needs a key or token of an instance; a pass does not do.',
    })
  return caller
}

/** @throws GatewayError RATE_LIMITED */
function limit({ tokenKey, instance }: Caller, { tokenLimiter, instanceLimiter }: EndpointParts): void {
  tokenLimiter.take(tokenKey)
  if (instance !== null) instanceLimiter.take(instance.id)
}

/** Reads the header `token`, or `Authorization: Bearer`, which is all that many clients can set. */
function readToken({ req }: ApiContext): string {
  const { token, authorization = '' } = req.headers
  if (typeof token === 'string' && token !== '') return token
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
}

function passedHeaders({ req }: ApiContext): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers))
    if (PASSED.test(name) && value !== undefined) headers.set(name, String(value))
  return headers
}

async function answer(ctx: ApiContext, response: Response): Promise<void> {
  ctx.status = response.status
  const type = response.headers.get('content-type')
  if (type !== null) ctx.res.setHeader('Content-Type', type)
  ctx.body = Buffer.from(await response.arrayBuffer())
}
