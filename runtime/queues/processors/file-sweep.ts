import type { Sweep } from '../../media/sweep.js'
import type { Processor } from '../processor.js'

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
