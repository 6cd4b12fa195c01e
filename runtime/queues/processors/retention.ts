import type { Logger } from 'pino'
import type { Sweep } from '../../media/sweep.js'
import type { Retention } from '../../store/retention.js'
import type { Processor } from '../processor.js'

const HOUR_MS = 60 * 60_000
const MINUTE_MS = 60_000

/** Deletes old rows and deleted instances. A node of release 0.1.0 that has done it within the hour counts. */
export function retentionJob(retention: Retention, log: Logger): Processor {
  return {
    name: 'retention',
    everyMs: HOUR_MS,
    async run(signal) {
      const deleted = await retention.runInTurn(signal)
      if (deleted !== null) log.info(deleted, 'Old rows were deleted.')
      return {}
    },
  }
}

/** Adds up what changes of instances and of dead letters have added to their numbers, and notes the sums of instances for the overview. */
export function countsJob(addUp: () => Promise<void>): Processor {
  return {
    name: 'instance-counts',
    everyMs: MINUTE_MS,
    async run() {
      await addUp()
      return {}
    },
  }
}

const EVERY_MS = 10 * 60_000

/** Removes files that nobody needs. */
export function fileSweepJob(sweep: Sweep): Processor {
  return {
    name: 'file-sweep',
    everyMs: EVERY_MS,
    async run(signal) {
      await sweep.run(signal)
      return {}
    },
  }
}
