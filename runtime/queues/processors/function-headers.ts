import type { Logger } from 'pino'
import type { Processor } from '../processor.js'

const MINUTE_MS = 60_000

/**
 * Seals headers of functions that stand in clear: those of a former release, of an edit on one of its nodes, and of an import from one. The
 * last node of a former release may end at any time, so it runs for good.
 * @param sealThem returns the number of functions whose headers it sealed
 */
export function functionHeadersJob(sealThem: (signal: AbortSignal) => Promise<number>, log: Logger): Processor {
  return {
    name: 'function-headers',
    everyMs: 5 * MINUTE_MS,
    async run(signal) {
      const sealed = await sealThem(signal)
      if (sealed > 0) log.info({ sealed }, 'Headers of functions were sealed.')
      return {}
    },
  }
}
