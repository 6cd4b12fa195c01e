import type { Logger } from 'pino'
import type { InstanceId } from '../../../schemas/ids.js'
import type { Processor } from '../processor.js'

const HOUR_MS = 60 * 60_000

/** Deletes instances that were never paired. */
export function unpairedInstancesJob(
  deleteThem: (signal: AbortSignal) => Promise<readonly InstanceId[]>,
  log: Logger,
): Processor {
  return {
    name: 'unpaired-instances',
    everyMs: HOUR_MS,
    async run(signal) {
      const deleted = await deleteThem(signal)
      if (deleted.length > 0) log.info({ instances: deleted }, 'Instances that were never paired were deleted.')
      return {}
    },
  }
}
