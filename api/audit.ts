/** Records calls: those that change the installation, or who may use it, in the audit log; those of instances in their log of calls. */
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../lib/entries-max.js'
import type { NotedRequest } from '../schemas/ports/requests.js'
import type { ApiContext, ApiState } from './context.js'
import { toGatewayError } from './middleware/error-boundary.js'
import type { AuditNote, Caller, Context, Route } from './route.js'

const READERS_MAX = 200
const SEEN_AGAIN_MS = 60 * 60_000

/** Tells whether calls of the route are written down: all changes by administrators, unless the route says otherwise. */
export function isAudited({ auth, method, audited }: Route): boolean {
  return audited ?? (auth === 'admin' && method !== 'GET')
}

/**
 * Tells whether a call is written down because an administrator makes it as an instance. With a pass of the instance: each change, and the
 * first read of each kind in an hour. With the token itself, as dialects allow: the first call of each kind in an hour, since whole systems send
 * with it; operations that are always written down are so here, too.
 */
export function createAdminWatch({ method, scope, name }: Route): (caller: Caller | null) => boolean {
  const isRead = method === 'GET' || scope === 'read'
  let seenLately: LRUCache<string, true> | undefined
  return (caller) => {
    const pass = caller?.credential.pass
    const isOfPass = pass?.openedBy === 'admin' && pass.instance !== null
    const isOfToken = caller?.actorKind === 'admin' && caller.instance !== null && !pass
    if (!isOfPass && !isOfToken) return false
    if (isOfPass && !isRead) return true
    seenLately ??= new LRUCache({ max: READERS_MAX, ttl: SEEN_AGAIN_MS })
    const key = isOfPass ? `${pass.id}:${name}` : `${caller?.actor}:${caller?.instance?.id}:${name}`
    if (seenLately.has(key)) return false
    seenLately.set(key, true)
    return true
  }
}

/** The parts of a call that the log holds. */
export interface CallToAudit {
  readonly state: ApiState
  readonly params?: unknown
  readonly status: number
}

export interface Audit {
  /**
   * Writes the call down, then carries it out. Does nothing when the row cannot be written.
   * @throws the error of `run`
   */
  around<T>(ctx: CallToAudit, caller: Caller | null, note: AuditNote, run: () => Promise<T>): Promise<T>
  /** Writes down a call with a token that was refused. */
  refused(ctx: ApiContext, error: unknown): void
}

export function createAudit(route: Route, { ports, options }: Pick<Context, 'ports' | 'options'>): Audit {
  const { audit } = ports
  /** Addresses with a refused call lately: one line a minute for each operation, so that guesses of tokens do not fill the log. */
  const refusedLately = new LRUCache<string, true>({ ...entriesMax(1_000), ttl: 60_000 })

  return {
    async around(ctx, caller, note, run) {
      const position = await audit.begin(makeEntry(ctx, caller, note))
      const end = (status: number, code: string) =>
        audit
          .end(position, { status, code }, { subject: note.subject, pass: note.pass ?? '' })
          .catch((error: unknown) =>
            options.logger.warn(
              { err: error, position },
              'The outcome of an administrative call was not written to the audit log.',
            ),
          )
      try {
        const result = await run()
        await end(ctx.status, '')
        return result
      } catch (error) {
        const { status, code } = toGatewayError(error)
        await end(status, code)
        throw error
      }
    },

    refused(ctx, error) {
      const { status, code } = toGatewayError(error)
      if (status !== 401 || refusedLately.has(ctx.state.address)) return
      refusedLately.set(ctx.state.address, true)
      audit
        .begin(makeEntry(ctx, null, { subject: '' }), { status, code })
        .catch((failed: unknown) =>
          options.logger.warn({ err: failed }, 'A refused call was not written to the audit log.'),
        )
    },
  }

  function makeEntry({ state, params }: Omit<CallToAudit, 'status'>, caller: Caller | null, { subject }: AuditNote) {
    return {
      actorKind: caller?.actorKind ?? 'unknown',
      actor: caller?.actor ?? '',
      address: state.address,
      method: route.method,
      route: route.path,
      operation: route.name,
      subject: subject || caller?.instance?.id || ((params ?? {}) as { id?: string }).id || '',
      requestId: state.requestId,
      pass: caller?.credential.pass?.id ?? '',
    } as const
  }
}

/** The parts of a call that the log holds. */
interface NotedCall {
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
}

/** Carries out a call and notes how it ended. `status`: of the answer, once it is made. @throws the error of `run` */
export type Noting = <T>(
  caller: Caller | null,
  call: NotedCall,
  status: () => number,
  run: () => Promise<T>,
) => Promise<T>

/** @param note Undefined: nothing is noted. */
export function createNoting(
  { name, method, scope }: Route,
  note: ((request: NotedRequest) => void) | undefined,
): Noting {
  const isRead = method === 'GET' || scope === 'read'
  return async (caller, { requestId, headers }, readStatus, run) => {
    const instance = caller?.instance?.id
    if (note === undefined || caller === null || instance === undefined) return await run()
    const begunMs = performance.now()
    const ended = (status: number, code: string) =>
      note({
        ...{ instance, operation: name, by: caller.actorKind, isRead, status, code, requestId },
        key: caller.key?.id ?? '',
        client: headers['user-agent'] ?? '',
        hasPass: caller.credential.pass !== null,
        durationMs: performance.now() - begunMs,
      })
    try {
      const result = await run()
      ended(readStatus(), '')
      return result
    } catch (error) {
      const { status, code } = toGatewayError(error)
      ended(status, code)
      throw error
    }
  }
}
