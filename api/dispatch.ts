/** Takes a request through a route: token, limits, body, schema, handler, answer. */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import type { CommandRouter } from '../actors/operations/router.js'
import type { OwnerSlots } from '../lib/owner-slots.js'
import type { UnderWay } from '../lib/under-way.js'
import { errors, GatewayError } from '../schemas/errors.js'
import { invalidField } from '../schemas/invalid-field.js'
import { asFrequentWork, noteWork, type Work } from '../schemas/work.js'
import { describeIgnored, withReplicaLag, writeAnswer, writeJson } from './answers/write.js'
import { type Audit, createAdminWatch, createAudit, createNoting, isAudited, type Noting } from './audit.js'
import type { ApiContext, ApiState } from './context.js'
import type { InnerCall, InnerCalls, InnerReply } from './inner-calls.js'
import type { ReceivedFile } from './input/base64-file.js'
import { type InputNotes, newNotes } from './input/fold.js'
import { readIdempotency } from './input/idempotency.js'
import { isLargeBody, readBodyBytes, readJsonBody } from './input/json-body.js'
import { type LargeBody, readLargeBody } from './input/large-body.js'
import { findListFormat, LIST_TO_COME, readListBody } from './input/list-body.js'
import { completedNumber } from './input/numbers.js'
import { checkTexts, joinQuery, readQueryTexts, withSentNames } from './input/query-texts.js'
import type { Validation } from './input/validation.js'
import { withKeptAnswer } from './kept-answers.js'
import { checkChat, checkScope } from './key-rights.js'
import type { RateLimiter } from './rate-limits.js'
import {
  Accepted,
  Answer,
  type AuditNote,
  type Caller,
  type Context,
  Created,
  hasMethodWithBody,
  PartlyDone,
  type Route,
} from './route.js'
import { type createTokenCheck, readCredentials } from './tokens.js'
import { resolveUsername } from './usernames.js'

// Bound: 1,048,576, a body or header of a request.

export interface DispatchParts {
  readonly context: Context
  readonly validation: Validation
  readonly checkToken: ReturnType<typeof createTokenCheck>
  readonly tokenLimiter: RateLimiter
  readonly instanceLimiter: RateLimiter
  readonly uploads: OwnerSlots
  readonly lists: OwnerSlots
  /** Turns of bodies that are held in memory while they come. */
  readonly bodies: OwnerSlots
  readonly searches: OwnerSlots
  /** Calls of instances. */
  readonly underWay: UnderWay
}

const BYTES_MAX = 2 ** 20
const READER_SILENT_MAX_MS = 30_000
/** Time of the main thread for the request and answer of a call, beside its body and its work: measured with calls that a limit refuses. */
const HTTP_MS = 0.3
const noFiles: ReadonlyMap<string, ReceivedFile> = new Map()

const NO_CREDENTIAL = { kind: 'token', actor: '', token: '', pass: null } as const

interface ReadBody extends Pick<LargeBody, 'body' | 'files'>, Partial<Pick<LargeBody, 'dispose'>> {
  /** True if the schema was applied already. */
  readonly isChecked?: boolean
}

/** Returns the function that carries out the calls of a route. */
export function dispatch(route: Route, parts: DispatchParts): (ctx: ApiContext) => Promise<void> {
  const dispatcher = new Dispatcher(route, parts)
  return (ctx) => dispatcher.take(ctx)
}

/** Returns a function that carries out a call of a route for a caller who was admitted already: rights, limits and audit as for any call. */
export function createInnerCalls(parts: DispatchParts): InnerCalls {
  const dispatchers = new Map<Route, Dispatcher>()
  return async (route, given) => {
    const dispatcher = dispatchers.get(route) ?? new Dispatcher(route, parts)
    dispatchers.set(route, dispatcher)
    return await dispatcher.call(given)
  }
}

/** The parts of a request that a handler and the audit log see. */
interface Place {
  readonly state: ApiState
  readonly params: Readonly<Record<string, string>>
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** One call on its way through a route. */
interface Request {
  readonly ctx: ApiContext
  /** Null where a call needs no token. */
  readonly caller: Caller | null
  readonly note: AuditNote
  /** To which the time counts that it takes of the main thread. */
  readonly work: Work
}

/** The input of a call that fits its schema. */
interface Input extends Pick<ReadBody, 'files'> {
  readonly body: unknown
  readonly query: unknown
  readonly notes: InputNotes
}

class Dispatcher {
  readonly #route: Route
  readonly #parts: DispatchParts
  readonly #slots: OwnerSlots | undefined
  readonly #audit: Audit | undefined
  readonly #isWatched: (caller: Caller | null) => boolean
  /** Audit of calls that are written down only when an administrator makes them as an instance. */
  #adminAudit: Audit | undefined
  readonly #noting: Noting
  readonly #takesBody: boolean

  constructor(route: Route, parts: DispatchParts) {
    this.#route = route
    this.#parts = parts
    this.#slots = slotsFor(route, parts)
    this.#audit = isAudited(route) ? createAudit(route, parts.context) : undefined
    this.#isWatched = createAdminWatch(route)
    this.#noting = createNoting(route, parts.context.options.noteRequest)
    this.#takesBody = hasMethodWithBody(route)
  }

  async take(ctx: ApiContext): Promise<void> {
    ctx.state.operation = this.#route.name
    const { caller, instance } = await this.#admit(ctx)
    const call = { requestId: ctx.state.requestId, headers: ctx.req.headers }
    await this.#noting(
      caller,
      call,
      () => ctx.status,
      () => this.#parts.underWay.run(instance, (others) => this.#take(ctx, caller, instance, others)),
    )
  }

  async #take(ctx: ApiContext, caller: Caller | null, instance: string, others: number): Promise<void> {
    await this.#waitForShare(instance, others)
    this.#limit(caller, instance)
    const audit = this.#findAudit(caller)
    const note: AuditNote = { subject: '' }
    const request: Request = { ctx, caller, note, work: this.#describeWork(instance) }
    const served = (): Promise<void> =>
      this.#inSlot(request).catch((error: unknown) => {
        throw withReason(withRefusalText(error, this.#route), caller)
      })
    if (audit === undefined) await served()
    else await audit.around(ctx, caller, note, served)
  }

  /** Carries out a call whose body is read already. @throws GatewayError as the call would be answered */
  async call(inner: InnerCall): Promise<InnerReply> {
    const call = { requestId: inner.state.requestId, headers: inner.headers ?? {} }
    return await this.#noting(
      inner.caller,
      call,
      () => 200,
      () => this.#call(inner),
    )
  }

  async #call(inner: InnerCall): Promise<InnerReply> {
    const { caller, state: outer, body: sent = {}, query: asked = {}, params = {}, headers = {} } = inner
    const route = this.#route
    if (inner.isAdmitted !== true) this.#limit(caller, caller.instance?.id ?? '')
    const note: AuditNote = { subject: '' }
    const notes = newNotes()
    const place = { state: { ...outer, operation: route.name }, params, path: route.path, headers }
    const work = async (): Promise<InnerReply> => {
      this.#checkRights(caller)
      const { schema } = route
      const { validation, context } = this.#parts
      const body = this.#takesBody && schema !== undefined ? validation.body(schema, sent, notes) : undefined
      const query = schema === undefined ? undefined : validation.query(schema, asked, notes)
      const input = { body, query, notes, files: inner.files ?? noFiles }
      const given = await this.#handle(place, caller, note, input, this.#describeWork(caller.instance?.id ?? ''))
      const reply = await toJson(unwrapReply(given), route)
      if (context.options.checkReplies && schema !== undefined) validation.reply(schema, reply)
      return { reply, warnings: describeIgnored(notes) }
    }
    const slots = inner.isAdmitted === true ? undefined : this.#slots
    const inSlot = () => (slots === undefined ? work() : slots.run(caller.instance?.id ?? '', work))
    const served = (): Promise<InnerReply> =>
      inSlot().catch((error: unknown) => {
        throw withReason(withRefusalText(error, route), caller)
      })
    const audit = this.#findAudit(caller)
    return audit === undefined ? await served() : await audit.around({ ...place, status: 200 }, caller, note, served)
  }

  #describeWork(instance: string): Work {
    const { name, area } = this.#route
    return { kind: 'request', operation: name, feature: area.toLowerCase(), instance, id: '' }
  }

  #findAudit(caller: Caller | null): Audit | undefined {
    if (this.#audit !== undefined || !this.#isWatched(caller)) return this.#audit
    this.#adminAudit ??= createAudit(this.#route, this.#parts.context)
    return this.#adminAudit
  }

  /** Checks the token. Returns the instance that the call is about, if it is about one. */
  async #admit(ctx: ApiContext): Promise<{ readonly caller: Caller | null; readonly instance: string }> {
    const { checkToken } = this.#parts
    const { auth, tokenInQuery, takesCode } = this.#route
    if (auth === 'none') {
      return { caller: null, instance: await this.#admitOpen(ctx) }
    }
    if (!this.#parts.context.options.isStoreCurrent() && this.#route.name !== 'listNodes')
      throw new GatewayError('STORE_UNAVAILABLE')
    const credentials = readCredentials(ctx, tokenInQuery === true)
    const caller = await checkToken(auth, credentials, ctx.state.address, takesCode === true).catch(
      (error: unknown) => {
        this.#audit?.refused(ctx, error)
        throw error
      },
    )
    return { caller, instance: caller.instance?.id ?? '' }
  }

  /** Waits before the body is read, so that nothing of a call that waits is parsed, or held in memory, and before a limit refuses it: refusals take time, too. */
  async #waitForShare(instance: string, others: number): Promise<void> {
    if (instance === '') return
    const turn = this.#parts.context.options.fairTurn(instance, others)
    if (turn !== undefined) await turn
    noteWork(this.#describeWork(instance), HTTP_MS)
  }

  /** Checks a call without a token, if its route can. Returns its instance. */
  async #admitOpen(ctx: ApiContext): Promise<string> {
    const { admit } = this.#route
    if (admit === undefined) return ''
    return await admit((ctx.params ?? {}) as Record<string, string>, ctx.req.headers, this.#parts.context)
  }

  #limit(caller: Caller | null, instance: string): void {
    const { tokenLimiter, instanceLimiter } = this.#parts
    if (caller !== null) tokenLimiter.take(caller.tokenKey)
    if (instance !== '') instanceLimiter.take(instance)
  }

  /** Holds a turn of the instance, where the route has some, until the answer is made, or sent if it is made while it is sent. */
  async #inSlot(request: Request): Promise<void> {
    const slots = this.#slots
    const { ctx, caller } = request
    if (slots === undefined) return await this.#serve(request)
    const end = await slots.take(caller?.instance?.id ?? '')
    try {
      await this.#serve(request)
    } finally {
      if (ctx.body instanceof Readable) endWithAnswer(ctx, end)
      else end()
    }
  }

  #checkRights(caller: Caller | null): void {
    const route = this.#route
    if (caller?.key) checkScope(route, caller.key)
    if (route.refusesPass === true && caller?.credential.pass)
      throw new GatewayError('PASS_NOT_ENOUGH', {
        message: `${route.name} needs the token itself; a pass does not do.`,
      })
  }

  async #serve(request: Request): Promise<void> {
    const { ctx, caller } = request
    this.#checkRights(caller)
    const notes = newNotes()
    const json = this.#takesBody ? await this.#readBody(request, notes) : undefined
    try {
      await this.#answer(request, json, notes)
    } catch (error) {
      throw withSentNames(error, this.#takesBody && json?.isChecked !== true ? json?.body : ctx.query)
    } finally {
      await json?.dispose?.()
    }
  }

  async #readBody({ ctx, caller, work }: Request, notes: InputNotes): Promise<ReadBody> {
    const { fileFields, listField, takesBytes } = this.#route
    const { context, bodies } = this.#parts
    const { options } = context
    const owner = work.instance || (caller?.tokenKey ?? ctx.state.address)
    const inMemory = <T>(read: () => Promise<T>) => (isLargeBody(ctx.req) ? bodies.run(owner, read) : read())
    if (takesBytes === true) {
      const body = await inMemory(() => readBodyBytes(ctx.req, ctx.res, BYTES_MAX, work))
      return { body, files: noFiles, isChecked: true }
    }
    if (listField !== undefined && findListFormat(ctx.req) !== null) return await this.#readList(ctx, listField, notes)
    if (fileFields === undefined)
      return { body: await inMemory(() => readJsonBody(ctx.req, ctx.res, options, work)), files: noFiles }
    return await readLargeBody(ctx.req, ctx.res, new Set(fileFields), options, work)
  }

  /** Reads a body that is a list. The fields in the query are checked first, so that a mistake costs no upload. */
  async #readList(ctx: ApiContext, field: string, notes: InputNotes): Promise<ReadBody> {
    const { context, validation } = this.#parts
    const format = String(findListFormat(ctx.req))
    const query = joinQuery(ctx.query, this.#route)
    if (query[field] !== undefined) throw invalidField(field, 'is the body; leave it out of the query')
    if ((query.format ?? format) !== format) throw invalidField('format', `must be ${format}, as the Content-Type says`)
    const fields = validation.fields(String(this.#route.schema), { ...query, format, [field]: LIST_TO_COME }, notes)
    const { name, files, dispose } = await readListBody(ctx.req, ctx.res, context.options)
    return { body: { ...(fields as object), [field]: name }, files, dispose, isChecked: true }
  }

  #checked(ctx: ApiContext, body: unknown, notes: InputNotes): { readonly body: unknown; readonly query: unknown } {
    const { schema } = this.#route
    const { validation } = this.#parts
    if (schema === undefined) return { body: undefined, query: undefined }
    return {
      body: this.#takesBody ? validation.body(schema, body, notes) : undefined,
      query: validation.query(schema, readQueryTexts(ctx.query, this.#route), notes),
    }
  }

  async #answer({ ctx, caller, note, work }: Request, json: ReadBody | undefined, notes: InputNotes): Promise<void> {
    const { schema } = this.#route
    const { context, validation } = this.#parts
    const { body, query } =
      json?.isChecked === true
        ? { body: json.body, query: undefined }
        : asFrequentWork(work, () => this.#checked(ctx, json?.body, notes))
    const params = (ctx.params ?? {}) as Record<string, string>
    const place = { state: ctx.state, params, path: ctx.path, headers: ctx.req.headers }
    const input = { body, query, notes, files: json?.files ?? noFiles }
    const given = await withReplicaLag(ctx, () => this.#handle(place, caller, note, input, work))
    const answer = unwrapReply(given)
    if (answer instanceof Answer) writeAnswer(ctx, answer, notes.unknown)
    else asFrequentWork(work, () => writeJson(ctx, answer, notes))
    if (given instanceof Accepted) ctx.status = 202
    if (given instanceof Created) ctx.status = 201
    if (given instanceof PartlyDone) ctx.status = 207
    if (context.options.checkReplies && schema !== undefined && !(answer instanceof Answer))
      validation.reply(schema, answer)
  }

  #completeNumbers(schema: string, { body, query }: Input, params: Place['params'], country: string): void {
    const { validation } = this.#parts
    validation.completeNumbers(schema, 'request', body, country)
    validation.completeNumbers(schema, 'query', query, country)
    const { number } = params
    // As `resolveUsername` does: the router made the object for this call.
    if (country !== '' && number !== undefined)
      (params as Record<string, string>).number = completedNumber(number, country, 'number')
  }

  /** Checks the chat of the key, and calls the handler. */
  async #handle(place: Place, caller: Caller | null, note: AuditNote, input: Input, work: Work): Promise<unknown> {
    const route = this.#route
    const { context } = this.#parts
    const { params, path, headers, state } = place
    const { body, query, files, notes } = input
    if (caller?.instance && route.schema !== undefined) {
      const { router } = makeContext(context, state).ports
      for (const fields of [body, params]) await resolveUsername(fields, caller.instance.id, router)
      this.#completeNumbers(route.schema, input, params, caller.instance.defaultCountry)
    }
    if (caller?.instance && caller.key) await checkChat(route, caller.instance, caller.key, body, context.ports)
    if (route.schema !== undefined) checkTexts(params)
    const call = {
      instance: caller?.instance ?? null,
      key: caller?.key ?? null,
      credential: caller?.credential ?? NO_CREDENTIAL,
      ...{ body, query, params, path, headers, files, note },
      isWelcome: caller?.isWelcome ?? (async () => true),
      warnings: notes.warnings,
    }
    const handled = (): Promise<unknown> =>
      asFrequentWork(work, () => route.handle(call, makeContext(context, state)) as Promise<unknown>)
    if (route.idempotent !== 'kept') return await handled()
    const key = readIdempotency(headers, { operation: route.name, params, body })
    if (key.idempotencyKey === undefined) return await handled()
    const { idempotencyKey, requestHash } = key
    const keyed = { instance: caller?.instance?.id ?? null, idempotencyKey, requestHash }
    return await withKeptAnswer(context.ports.keptAnswers, keyed, handled)
  }
}

function unwrapReply(given: unknown): unknown {
  return given instanceof Accepted || given instanceof Created || given instanceof PartlyDone ? given.reply : given
}

/** Returns the reply, or what the answer of a route that writes its JSON itself says. Its caller asks for no more than it can hold. */
async function toJson(reply: unknown, { name }: Route): Promise<unknown> {
  if (!(reply instanceof Answer)) return reply
  if (!reply.type.startsWith('application/json')) throw new Error(`${name} does not answer with JSON.`)
  // Bound: 400,000, a page of groups.
  return JSON.parse(reply.body instanceof Readable ? await readText(reply.body) : reply.body.toString())
}

/** Returns the turns of which a call of the route holds one; undefined if it needs none. */
export function slotsFor({ fileFields, listField, isSearch }: Route, parts: DispatchParts): OwnerSlots | undefined {
  if (listField !== undefined) return parts.lists
  if (fileFields !== undefined) return parts.uploads
  return isSearch === true ? parts.searches : undefined
}

/** Replaces the text of an error 400 by that of the route. Returns other errors as they are. */
function withRefusalText(error: unknown, { refusalText }: Route): unknown {
  if (refusalText === undefined || !(error instanceof GatewayError) || error.status !== 400) return error
  return new GatewayError(error.code, {
    message: refusalText,
    details: error.details ?? [{ field: '', why: error.message }],
    fields: error.fields,
    cause: error,
  })
}

/** Says of an instance without a session that its owner stopped it. Returns other errors as they are. */
function withReason(error: unknown, caller: Caller | null): unknown {
  const isStopped = caller?.instance?.isStopped === true
  if (!isStopped || !(error instanceof GatewayError) || error.code !== 'INSTANCE_NOT_CONNECTED') return error
  if (error.message !== errors.INSTANCE_NOT_CONNECTED.means) return error
  const message = 'No session: the instance is stopped; POST /instance/start connects it again.'
  return new GatewayError(error.code, { message, fields: error.fields, cause: error })
}

/** Ends the turn when the answer was sent. Cuts off a reader that takes nothing for a while, because it holds the turn. */
function endWithAnswer(ctx: ApiContext, end: () => void): void {
  ctx.res.once('close', end)
  if (ctx.res.closed) end()
  ctx.res.setTimeout(READER_SILENT_MAX_MS, () => ctx.res.destroy())
}

/** Returns a context whose commands carry the request's id and trace to the node that carries them out. */
function makeContext(context: Context, { requestId, traceparent }: ApiState): Context {
  const router: CommandRouter = {
    ask: (instance, command) => context.ports.router.ask(instance, command, { requestId, traceparent }),
  }
  return { ...context, ports: { ...context.ports, router } }
}
