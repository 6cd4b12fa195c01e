/** One change of a bulk job: the steps of its action on one instance. */
import type { Logger } from 'pino'
import type { CommandRouter } from '../../actors/operations/router.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { BulkChange } from '../../schemas/ports/bulk-jobs.js'
import type { InstanceDirectory } from '../../schemas/ports/instances.js'
import type { BulkFacts, BulkResult, ChangeInstance } from './bulk-ports.js'

export interface BulkChangeParts {
  readonly router: CommandRouter
  readonly instances: Pick<InstanceDirectory, 'setDesired' | 'stop' | 'changeTags' | 'delete'>
  readonly log: Logger
}

/** Time in which a connection that fails is reported as such. It goes on afterwards. */
const CONNECT_WAIT_MS = 5_000
/** Errors after which another attempt may succeed: the instance moves, or a node or store is away. */
const RETRYABLE = new Set(['INSTANCE_MOVING', 'NODE_BUSY', 'NODE_FAILED', 'STORE_UNAVAILABLE', 'OUTCOME_UNKNOWN'])

const DONE: BulkResult = { outcome: 'done', code: '', reason: '' }

export function createBulkChange(parts: BulkChangeParts): ChangeInstance {
  return async (job, { instance, attempts }, facts) => {
    if (facts === undefined) return gone(job.action, attempts)
    const isFirst = attempts === 1
    if (isFirst && !facts.fits) return skipped('', 'It no longer fits the filter.')
    // A former attempt without a known outcome has ended the connection. Another attempt would end the new connection.
    if (facts.isChanged && ['reset', 'restart', 'disconnect'].includes(job.action)) return DONE
    try {
      return await change(parts, job, instance, facts)
    } catch (error) {
      return failure(parts.log, instance, error)
    }
  }
}

async function change(
  { router, instances, log }: BulkChangeParts,
  { action, add, remove }: BulkChange,
  id: InstanceId,
  { isPaired, isExported }: BulkFacts,
): Promise<BulkResult> {
  switch (action) {
    case 'connect':
    case 'start':
      if (!isPaired) return skipped('INSTANCE_NOT_PAIRED', 'It is not paired: connect it by itself and scan its code.')
      await instances.setDesired(id, true)
      await router.ask(id, { type: 'connect', waitMs: CONNECT_WAIT_MS })
      return DONE
    case 'stop':
      if (!isPaired) return skipped('INSTANCE_NOT_PAIRED', 'It is not paired, so it has no connection to stop.')
      await instances.stop(id)
      await router.ask(id, { type: 'stopInstance' })
      return DONE
    case 'disconnect':
      await instances.setDesired(id, false)
      await router.ask(id, { type: 'disconnect' })
      return DONE
    case 'reset':
    case 'restart':
      await router.ask(id, { type: 'reset' })
      return DONE
    case 'tag':
      await instances.changeTags(id, { add, remove })
      return DONE
    case 'delete':
      if (!isExported) await logOut({ router, instances, log }, id)
      await instances.delete(id)
      return DONE
    default:
      return action satisfies never
  }
}

/** Logs out as a courtesy to the phone. An owner or network that does not answer must not keep the instance alive. */
async function logOut({ router, instances, log }: BulkChangeParts, id: InstanceId): Promise<void> {
  await instances.setDesired(id, false)
  await router
    .ask(id, { type: 'delete' })
    .catch((error: unknown) => log.warn({ instanceId: id, err: error }, 'A deleted instance could not be logged out.'))
}

function gone(action: BulkChange['action'], attempts: number): BulkResult {
  if (action === 'delete' && attempts > 1) return DONE
  return skipped('INSTANCE_NOT_FOUND', 'It was deleted meanwhile.')
}

function skipped(code: string, reason: string): BulkResult {
  return { outcome: 'skipped', code, reason }
}

function failure(log: Logger, instanceId: InstanceId, error: unknown): BulkResult {
  if (!(error instanceof GatewayError)) {
    log.error({ instanceId, err: error }, 'A change of a bulk job failed by an error of ours.')
    return { outcome: 'failed', code: 'INTERNAL', reason: 'An error of ours; the log has it.', isRetryable: true }
  }
  const { code, message, status } = error
  if (code === 'INSTANCE_NOT_CONNECTED') return skipped(code, 'It has no connection.')
  if (code === 'INSTANCE_NOT_FOUND') return skipped(code, 'It was deleted meanwhile.')
  return { outcome: 'failed', code, reason: message, status, isRetryable: RETRYABLE.has(code) }
}
