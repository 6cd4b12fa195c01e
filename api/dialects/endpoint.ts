/** Takes requests below the addresses of dialects: who calls, for which instance, and the way to our operations and back. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { GatewayError } from '../../schemas/errors.js'
import type { DialectName } from '../../schemas/ports/dialects.js'
import type { InstanceRow } from '../../schemas/ports/instances.js'
import type { JsonSchema } from '../../schemas/schema-registry.js'
import { asFrequentWork, type Work } from '../../schemas/work.js'
import { withReplicaLag, writeAnswer } from '../answers/write.js'
import type { ApiContext, Next } from '../context.js'
import { createInnerCalls, type DispatchParts, slotsFor } from '../dispatch.js'
import type { InnerCalls } from '../inner-calls.js'
import { readFormBody } from '../input/form-body.js'
import { readBoundary } from '../input/form-reader.js'
import { printable } from '../input/inspect.js'
import { hasBody, isLargeBody, readJsonBody } from '../input/json-body.js'
import { type LargeBody, readLargeBody } from '../input/large-body.js'
import { readQueryTexts } from '../input/query-texts.js'
import { Answer, type Caller } from '../route.js'
import type { Asked, Dialect, DialectCall, DialectRoute, Json } from './dialect.js'

// Bound: 16,384, the target of a request.

/** Where each dialect is served, and its room, which is loaded with the first request. */
const DIALECTS: Readonly<Record<DialectName, { readonly base: string; readonly load: () => Promise<Dialect> }>> = {
  evolution: { base: '/evolution', load: async () => (await import('./evolution/index.js')).evolution },
}

type Read = Pick<LargeBody, 'body' | 'files'> & Partial<Pick<LargeBody, 'dispose'>>

interface Target {
  readonly caller: Caller
  readonly isAdmin: boolean
  readonly name: string
  readonly facts: DialectCall['facts']
}

const NO_FILES: LargeBody['files'] = new Map()

export function createDialectEndpoints(
  parts: DispatchParts,
  names: readonly DialectName[],
): (ctx: ApiContext, next: Next) => Promise<unknown> {
  const ask = createInnerCalls(parts)
  const check = createBodyCheck()
  const served = names.map((name) => {
    const { base, load } = DIALECTS[name]
    let loaded: Promise<DialectEndpoint> | undefined
    const open = (): Promise<DialectEndpoint> => {
      loaded ??= load().then((dialect) => new DialectEndpoint(dialect, parts, ask, check))
      return loaded
    }
    return { base, open }
  })

  return async (ctx, next) => {
    const path = ctx.path ?? ''
    const found = served.find(({ base }) => path === base || path.startsWith(`${base}/`))
    return found === undefined ? await next() : await (await found.open()).take(ctx)
  }
}

class DialectEndpoint {
  readonly #dialect: Dialect
  readonly #parts: DispatchParts
  readonly #ask: InnerCalls
  readonly #check: BodyCheck
  readonly #routes: ReadonlyMap<string, DialectRoute>

  constructor(dialect: Dialect, parts: DispatchParts, ask: InnerCalls, check: BodyCheck) {
    this.#dialect = dialect
    this.#parts = parts
    this.#ask = ask
    this.#check = check
    this.#routes = new Map(dialect.routes.map((route) => [`${route.method} ${route.path.toLowerCase()}`, route]))
  }

  async take(ctx: ApiContext): Promise<void> {
    const dialect = this.#dialect
    ctx.state.operation = dialect.name
    ctx.state.failure = (error) => dialect.failure(error)
    const { route, instance } = this.#findRoute(ctx)
    ctx.state.operation = `${dialect.name}_${route.name}`
    const target = await this.#admit(ctx, route, instance)
    const id = target?.caller.instance?.id ?? ''
    await this.#parts.underWay.run(id, (others) => this.#takeIn(ctx, route, target, others))
  }

  async #takeIn(ctx: ApiContext, route: DialectRoute, target: Target | null, others: number): Promise<void> {
    const id = target?.caller.instance?.id ?? ''
    const turn = id === '' ? undefined : this.#parts.context.options.fairTurn(id, others)
    if (turn !== undefined) await turn
    const [first] = route.operations
    const slots = first === undefined ? undefined : slotsFor(first, this.#parts)
    const serve = (): Promise<void> => this.#serve(ctx, route, target)
    await (slots === undefined ? serve() : slots.run(id, serve))
  }

  /** Finds the route, whose path may end with the name of an instance. Doubled slashes and one at the end count for nothing. */
  #findRoute({ method, path }: ApiContext): { readonly route: DialectRoute; readonly instance: string } {
    const { base, gaps } = this.#dialect
    const given = path.slice(base.length)
    const segments = given.split('/').filter((segment) => segment !== '')
    const exact = this.#routes.get(`${method} /${segments.join('/').toLowerCase()}`)
    if (exact !== undefined && exact.opens !== 'instance') return { route: exact, instance: '' }
    const route = this.#routes.get(`${method} /${segments.slice(0, -1).join('/').toLowerCase()}`)
    if (route?.opens === 'instance') return { route, instance: decoded(segments.at(-1) ?? '') }
    const start = `/${segments.join('/').toLowerCase()}/`
    const gap = gaps.find((one) => start.startsWith(`${one.path.toLowerCase()}/`))
    if (gap !== undefined) throw new GatewayError('NOT_SUPPORTED', { message: gap.instead })
    throw this.#dialect.unknownPath(method, given === '' ? '/' : given.slice(0, 200))
  }

  /** Checks the key and the limits. @throws GatewayError INVALID_TOKEN, RATE_LIMITED, and that the instance is not known */
  async #admit(ctx: ApiContext, { opens }: DialectRoute, named: string): Promise<Target | null> {
    if (opens === 'none') return null
    const { ports } = this.#parts.context
    const { checkToken, tokenLimiter, instanceLimiter } = this.#parts
    const key = this.#dialect.readKey(ctx.req.headers)
    const isAdmin = key !== '' && key.length <= 200 && (await ports.adminTokens.identify(key)) !== null
    const credentials = isAdmin ? { token: '', adminToken: key } : { token: key, adminToken: '' }
    const caller = await checkToken(isAdmin ? 'admin' : 'instance', credentials, ctx.state.address, false)
    if (opens === 'admin' && !isAdmin) throw new GatewayError('INVALID_ADMIN_TOKEN')
    tokenLimiter.take(caller.tokenKey)
    const target = await this.#findTarget(caller, isAdmin, opens, named)
    if (target.caller.instance !== null) instanceLimiter.take(target.caller.instance.id)
    return target
  }

  async #findTarget(caller: Caller, isAdmin: boolean, opens: DialectRoute['opens'], named: string): Promise<Target> {
    const { dialects } = this.#parts.context.ports
    const { name: dialect } = this.#dialect
    if (opens !== 'instance') {
      const own = caller.instance
      const facts = own === null ? null : await dialects.readFacts(dialect, own.id)
      return { caller, isAdmin, name: facts?.name ?? own?.name ?? '', facts }
    }
    if (!isAdmin && caller.instance !== null) {
      const facts = await dialects.readFacts(dialect, caller.instance.id)
      if ((facts?.name ?? caller.instance.name) === named) return { caller, isAdmin, name: named, facts }
    }
    const found = await dialects.find(dialect, named)
    if (found === null) throw this.#dialect.unknownInstance(named)
    if (!isAdmin && caller.instance?.id !== found.row.id) throw new GatewayError('INVALID_TOKEN')
    const own = isAdmin ? { ...caller, instance: found.row } : caller
    return { caller: own, isAdmin, name: named, facts: found.facts }
  }

  async #serve(ctx: ApiContext, route: DialectRoute, target: Target | null): Promise<void> {
    const instance = target?.caller.instance?.id ?? ''
    const operation = ctx.state.operation
    const work: Work = { kind: 'request', operation, feature: this.#dialect.name, instance, id: '' }
    const { body, files, dispose } = await this.#read(ctx, route, work)
    try {
      const query = readQueryTexts(ctx.query, {})
      asFrequentWork(work, () => {
        this.#check.check(route.query, query)
        this.#check.check(route.body, body)
      })
      const call = this.#createCall(ctx, target, { body: body as Json, query, files })
      const answer = await withReplicaLag(ctx, () => asFrequentWork(work, () => route.handle(call)))
      if (answer instanceof Answer) {
        writeAnswer(ctx, answer)
        return
      }
      ctx.status = route.status
      ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
      ctx.body = asFrequentWork(work, () => JSON.stringify(answer ?? null))
    } finally {
      await dispose?.()
    }
  }

  async #read(ctx: ApiContext, { fileFields, method }: DialectRoute, work: Work): Promise<Read> {
    const { context, bodies } = this.#parts
    const { options } = context
    if (method === 'GET' || !hasBody(ctx.req)) return { body: {}, files: NO_FILES }
    const [fileField] = fileFields ?? []
    const boundary = fileField === undefined ? null : readBoundary(ctx.req.headers['content-type'])
    if (fileField !== undefined && boundary !== null) {
      const form = { ...options, ...this.#dialect.formFields, fileField }
      return await readFormBody(ctx.req, ctx.res, boundary, form, work)
    }
    if (fileFields !== undefined) {
      const fields = new Set(fileFields.map((field) => field.toLowerCase()))
      return await readLargeBody(ctx.req, ctx.res, fields, options, work)
    }
    const read = () => readJsonBody(ctx.req, ctx.res, options, work)
    const body = await (isLargeBody(ctx.req) ? bodies.run(work.instance || ctx.state.address, read) : read())
    return { body, files: NO_FILES }
  }

  #createCall(
    ctx: ApiContext,
    target: Target | null,
    input: Pick<DialectCall, 'body' | 'query' | 'files'>,
  ): DialectCall {
    const { context } = this.#parts
    const key = ctx.req.headers['idempotency-key']
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const { tokenLimiter, instanceLimiter } = this.#parts
    // The first call of an operation was counted with the request. All of them share its turn: with one of its own, each could wait for the others.
    let isCounted = true
    return {
      ...input,
      instance: target?.caller.instance ?? null,
      name: target?.name ?? '',
      facts: target?.facts ?? null,
      isAdmin: target?.isAdmin ?? false,
      headers: ctx.req.headers,
      context,
      ask: async <T>(route: DialectRoute['operations'][number], asked: Asked = {}, instance?: InstanceRow) => {
        if (target === null) throw new Error(`${route.name} has no caller.`)
        const caller = instance === undefined ? target.caller : { ...target.caller, instance, key: null }
        if (!isCounted) {
          tokenLimiter.take(caller.tokenKey)
          if (caller.instance !== null) instanceLimiter.take(caller.instance.id)
        }
        isCounted = false
        const given = { caller, state: ctx.state, headers, files: input.files, ...asked, isAdmitted: true }
        return (await this.#ask(route, given)).reply as T
      },
    }
  }
}

/** Decodes a segment of a path; one with a broken escape stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

// Checks bodies and queries of dialects. Each schema is compiled at its first use.

/** Maximum of mistakes that an answer names. */
const DETAILS_MAX = 10

interface BodyCheck {
  /** Checks a value, and gives its fields the types of the schema where they can have them. @throws GatewayError INVALID_REQUEST */
  check(schema: JsonSchema | undefined, value: unknown): void
}

/** Clients of other gateways write numbers as texts, and the other way round: both are taken. */
function createBodyCheck(): BodyCheck {
  const ajv = new Ajv2020({ coerceTypes: true, allErrors: false, strict: false, allowUnionTypes: true })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return {
    check(schema, value) {
      if (schema === undefined) return
      const validate = compiled.get(schema) ?? ajv.compile(schema)
      compiled.set(schema, validate)
      if (validate(value)) return
      const details = (validate.errors ?? []).slice(0, DETAILS_MAX).map(toDetail)
      throw new GatewayError('INVALID_REQUEST', { details })
    },
  }
}

function toDetail({ instancePath, keyword, params, message = '' }: ErrorObject): { field: string; why: string } {
  const at = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'required') {
    const missing = String((params as { missingProperty?: unknown }).missingProperty)
    return { field: printable(at === '' ? missing : `${at}.${missing}`), why: 'is required' }
  }
  if (keyword === 'enum') {
    const allowed = (params as { allowedValues?: readonly unknown[] }).allowedValues ?? []
    return { field: printable(at), why: `must be one of: ${allowed.join(', ')}` }
  }
  return { field: printable(at), why: message }
}
