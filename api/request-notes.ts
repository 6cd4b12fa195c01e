/** Notes calls of instances for the log of calls: who, which operation, and how it ended. */
import type { IncomingHttpHeaders } from 'node:http'
import type { NotedRequest } from '../schemas/ports/requests.js'
import { toGatewayError } from './middleware/error-boundary.js'
import type { Caller, Route } from './route.js'

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
  return async (caller, { requestId, headers }, statusOf, run) => {
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
      ended(statusOf(), '')
      return result
    } catch (error) {
      const { status, code } = toGatewayError(error)
      ended(status, code)
      throw error
    }
  }
}
