/** Writes down who asked for what changes the installation, or who may use it: before it is done, and how it ended. */
import { LRUCache } from 'lru-cache'
import type { ApiContext } from './context.js'
import { toGatewayError } from './middleware/error-boundary.js'
import type { Context, Route } from './route.js'
import type { Caller } from './tokens.js'

/** What a handler knows better than the path: whom the call was about. */
export interface AuditNote {
  subject: string
}

/** Whether calls of the route are written down: all that administrators change, and what a route says of itself. */
export function isAudited({ auth, method, audited }: Route): boolean {
  return audited ?? (auth === 'admin' && method !== 'GET')
}

export function createAudit(route: Route, { ports, options }: Pick<Context, 'ports' | 'options'>) {
  const { audit } = ports
  /** Who guesses tokens shall not fill the log: of an address, one line a minute for each operation. */
  const refusedLately = new LRUCache<string, true>({ max: 1_000, ttl: 60_000 })

  return {
    /**
     * Carries out a call that is written down first: without the row nothing is done.
     * @throws what `run` throws
     */
    async around(ctx: ApiContext, caller: Caller | null, note: AuditNote, run: () => Promise<void>): Promise<void> {
      const position = await audit.begin(entryOf(ctx, caller, note))
      const end = (status: number, code: string) =>
        audit
          .end(position, { status, code }, note.subject)
          .catch((error: unknown) =>
            options.logger.warn({ err: error, position }, 'The outcome of an administrative call was not written down'),
          )
      try {
        await run()
        await end(ctx.status, '')
      } catch (error) {
        const { status, code } = toGatewayError(error)
        await end(status, code)
        throw error
      }
    },

    /** A call that got no further than its token. */
    refused(ctx: ApiContext, error: unknown): void {
      const { status, code } = toGatewayError(error)
      if (status !== 401 || refusedLately.has(ctx.state.address)) return
      refusedLately.set(ctx.state.address, true)
      audit
        .begin(entryOf(ctx, null, { subject: '' }), { status, code })
        .catch((failed: unknown) => options.logger.warn({ err: failed }, 'A refused call was not written down'))
    },
  }

  function entryOf({ state, params }: ApiContext, caller: Caller | null, { subject }: AuditNote) {
    return {
      actorKind: caller?.actorKind ?? 'unknown',
      actor: caller?.actor ?? '',
      address: state.address,
      method: route.method,
      route: route.path,
      operation: route.name,
      subject: subject || caller?.instance?.id || ((params ?? {}) as { id?: string }).id || '',
      requestId: state.requestId,
    } as const
  }
}
