/** Removes files from the storage that nobody needs. */
import type { MediaFiles } from '../store/media-files.js'
import type { Storage } from './storage.js'

export interface SweepOptions {
  readonly storage: Storage
  readonly files: MediaFiles
  readonly receivedMs: number
  /** Minimum time for which files to be sent stay. By then their send is queued or over. Default: an hour. */
  readonly outgoingMs?: number
  /** Maximum of bytes of files of ended campaigns that stay for each instance. */
  readonly campaignBytes: number
}

export interface Sweep {
  /** Makes one round, until the signal ends it, and returns the number of removed files. Several nodes may do it at once. */
  run(signal?: AbortSignal): Promise<number>
}

const AT_ONCE = 200

export function createSweep({
  storage,
  files,
  receivedMs,
  campaignBytes,
  outgoingMs = 60 * 60_000,
}: SweepOptions): Sweep {
  return {
    async run(signal) {
      let gone = 0
      while (signal?.aborted !== true) {
        const unneeded = await files.unneeded({ outgoingMs, receivedMs, campaignBytes }, AT_ONCE)
        // The files first: a row without a file is found again, a file without a row is not.
        await storage.delete(unneeded.map(({ name }) => name))
        await files.forgetUnneeded(unneeded)
        gone += unneeded.length
        if (unneeded.length < AT_ONCE) break
      }
      return gone
    },
  }
}
