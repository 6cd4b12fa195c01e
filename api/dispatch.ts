/** Takes a request through a route: token, limits, body, schema, handler, answer. */

import { Readable } from 'node:stream'
import type { CommandRouter } from '../actors/operations/router.js'
import { GatewayError } from '../schemas/errors.js'
import type { OwnerTurns } from '../schemas/owner-turns.js'
import { type AuditNote, createAudit, isAudited } from './audit.js'
import type { ApiContext } from './context.js'
import type { ArrivedFile } from './input/base64-file.js'
import { type InputNotes, newNotes } from './input/fold.js'
import { readJsonBody } from './input/json-body.js'
import { type LargeBody, readLargeBody } from './input/large-body.js'
import type { Validation } from './input/validation.js'
import { checkChat, checkScope } from './key-rights.js'
import type { RateLimiter } from './rate-limits.js'
import { Answer, type Context, type Route } from './route.js'
import { type Caller, type createTokenCheck, credentialsOf } from './tokens.js'

export interface DispatchParts {
  readonly context: Context
  readonly validation: Validation
  readonly checkToken: ReturnType<typeof createTokenCheck>
  readonly tokenLimiter: RateLimiter
  readonly instanceLimiter: RateLimiter
  readonly uploads: OwnerTurns
  readonly searches: OwnerTurns
}

const namedMax = 20
const READER_SILENT_MAX_MS = 30_000
const noFiles: ReadonlyMap<string, ArrivedFile> = new Map()

type ReadBody = Pick<LargeBody, 'body' | 'files'> & Partial<Pick<LargeBody, 'dispose'>>

export function dispatch(route: Route, parts: DispatchParts): (ctx: ApiContext) => Promise<void> {
  const { context, validation, checkToken, tokenLimiter, instanceLimiter } = parts
  const { schema, auth } = route
  const takesBody = route.method === 'POST'

  const slots = route.fileFields !== undefined ? parts.uploads : route.isSearch === true ? parts.searches : undefined
  const audit = isAudited(route) ? createAudit(route, context) : undefined

  return async (ctx) => {
    ctx.state.operation = route.name
    const caller = await admit(ctx)
    const note: AuditNote = { subject: '' }
    const served = (): Promise<void> => inTurn(ctx, caller, note).catch(withRefusalText)
    if (audit === undefined) await served()
    else await audit.around(ctx, caller, note, served)
  }

  /** Past the token and the limits; null where a call needs no token. */
  async function admit(ctx: ApiContext): Promise<Caller | null> {
    if (auth === 'none') return null
    const credentials = credentialsOf(ctx, route.tokenInQuery === true)
    const caller = await checkToken(auth, credentials, ctx.state.address).catch((error: unknown) => {
      audit?.refused(ctx, error)
      throw error
    })
    tokenLimiter.take(caller.tokenKey)
    if (caller.instance !== null) instanceLimiter.take(caller.instance.id)
    return caller
  }

  /** Holds a turn of the instance, where the route has some, until the answer is made: one that is made while it is sent until it has been. */
  async function inTurn(ctx: ApiContext, caller: Caller | null, note: AuditNote): Promise<void> {
    if (slots === undefined) return await serve(ctx, caller, note)
    const end = await slots.take(caller?.instance?.id ?? '')
    try {
      await serve(ctx, caller, note)
    } finally {
      if (ctx.body instanceof Readable) endWithAnswer(ctx, end)
      else end()
    }
  }

  async function serve(ctx: ApiContext, caller: Caller | null, note: AuditNote): Promise<void> {
    if (caller?.key) checkScope(route, caller.key)
    const notes = newNotes()
    const json = takesBody ? await readBody(ctx) : undefined
    try {
      await answerCall(ctx, caller, json, notes, note)
    } finally {
      await json?.dispose?.()
    }
  }

  /** Replaces the text of an error 400 by that of the route. */
  function withRefusalText(error: unknown): never {
    if (route.refusalText === undefined || !(error instanceof GatewayError) || error.status !== 400) throw error
    throw new GatewayError(error.code, {
      message: route.refusalText,
      details: error.details ?? [{ field: '', why: error.message }],
      fields: error.fields,
      cause: error,
    })
  }

  async function readBody(ctx: ApiContext): Promise<ReadBody> {
    if (route.fileFields === undefined)
      return { body: await readJsonBody(ctx.req, ctx.res, context.options), files: noFiles }
    return await readLargeBody(ctx.req, ctx.res, new Set(route.fileFields), context.options)
  }

  async function answerCall(
    ctx: ApiContext,
    caller: Caller | null,
    json: ReadBody | undefined,
    notes: InputNotes,
    note: AuditNote,
  ): Promise<void> {
    const body = schema !== undefined && takesBody ? validation.body(schema, json?.body, notes) : undefined
    const query = schema !== undefined ? validation.query(schema, queryOf(ctx, route), notes) : undefined

    if (caller?.instance && caller.key) await checkChat(route, caller.instance, caller.key, body, context.ports)
    const { unknown, warnings } = notes
    const params = (ctx.params ?? {}) as Record<string, string>
    if (schema !== undefined) checkTexts(params)
    const answer = await route.handle(
      {
        instance: caller?.instance ?? null,
        key: caller?.key ?? null,
        body,
        query,
        params,
        path: ctx.path,
        headers: ctx.req.headers,
        files: json?.files ?? noFiles,
        note,
        isWelcome: caller?.isWelcome ?? (async () => true),
        warnings,
      },
      contextOf(context, ctx),
    )
    if (answer instanceof Answer) writeAnswer(ctx, answer)
    else writeJson(ctx, answer, unknown, warnings)
    if (context.options.checkReplies && schema !== undefined && !(answer instanceof Answer))
      validation.reply(schema, answer)
  }
}

/** A reader that takes nothing for a while is cut: it holds a turn. */
function endWithAnswer(ctx: ApiContext, end: () => void): void {
  ctx.res.once('close', end)
  if (ctx.res.closed) end()
  ctx.res.setTimeout(READER_SILENT_MAX_MS, () => ctx.res.destroy())
}

/** What a handler asks of an instance goes with the request's id and trace, whichever node carries it out. */
function contextOf(context: Context, ctx: ApiContext): Context {
  const { requestId, traceparent } = ctx.state
  const router: CommandRouter = {
    ask: (instance, command) => context.ports.router.ask(instance, command, { requestId, traceparent }),
  }
  return { ...context, ports: { ...context.ports, router } }
}

/** Repeated parameters are joined by commas. The token is not the handler's business. */
function queryOf(ctx: ApiContext, route: Route): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [key, value] of Object.entries(ctx.query)) {
    if (route.tokenInQuery && (key === 'token' || key === 'admintoken')) continue
    query[key] = Array.isArray(value) ? value.join(',') : (value ?? '')
  }
  checkTexts(query)
  return query
}

/** No store takes them. */
function checkTexts(texts: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(texts)) {
    if (!/\p{Surrogate}|\p{Cc}/u.test(text)) continue
    throw new GatewayError('INVALID_REQUEST', {
      details: [{ field: key.slice(0, 100), why: 'holds a control character' }],
    })
  }
}

function writeAnswer(ctx: ApiContext, answer: Answer): void {
  ctx.status = answer.status
  ctx.body = answer.body
  ctx.res.setHeader('Content-Type', answer.type)
  for (const [name, value] of Object.entries(answer.headers)) ctx.res.setHeader(name, value)
  // A stream may have nothing to say for a while; its reader should know at once that it is open.
  if (typeof answer.body !== 'string' && !Buffer.isBuffer(answer.body)) ctx.flushHeaders()
}

/** An object names ignored fields in `warnings`; an array has no place for them, so a header does. */
function writeJson(ctx: ApiContext, answer: unknown, unknown: readonly string[], warnings: readonly string[]): void {
  ctx.status = 200
  const told = unknown.length === 0 && warnings.length === 0 ? answer : withWarnings(ctx, answer, unknown, warnings)
  // Before the body: Koa guesses the type of one that has none.
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = JSON.stringify(told)
}

function withWarnings(
  ctx: ApiContext,
  answer: unknown,
  unknown: readonly string[],
  warnings: readonly string[],
): unknown {
  if (Array.isArray(answer)) {
    const names = unknown.slice(0, namedMax).map((name) => encodeURIComponent(name))
    if (names.length > 0) ctx.res.setHeader('Warning-Fields', names.join(', '))
    return answer
  }
  const ignored = unknown.slice(0, namedMax).map((name) => `${name}: unknown field, ignored`)
  return { ...(answer as object), warnings: [...warnings, ...ignored] }
}
