/** Removes files from the storage that are not needed any more. */
import type { Logger } from 'pino'
import type { MediaFiles } from '../store/media-files.js'
import type { Storage } from './storage.js'

export interface SweepOptions {
  readonly storage: Storage
  readonly files: MediaFiles
  readonly receivedMs: number
  readonly log: Logger
  /** Default: 10 minutes. */
  readonly everyMs?: number
  /** Minimum time for which files to be sent stay. By then their send is queued or over. Default: an hour. */
  readonly outgoingMs?: number
}

export interface Sweep {
  /** Makes one round and returns the number of removed files. Several nodes may do it at once. */
  run(): Promise<number>
  start(): void
  close(): Promise<void>
}

const AT_ONCE = 200

export function createSweep(options: SweepOptions): Sweep {
  const { storage, files, receivedMs, log, everyMs = 10 * 60_000, outgoingMs = 60 * 60_000 } = options
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function run(): Promise<number> {
    let gone = 0
    for (;;) {
      const unneeded = await files.unneeded({ outgoingMs, receivedMs }, AT_ONCE)
      // The files first: a row without a file is found again, a file without a row is not.
      await storage.delete(unneeded.map(({ name }) => name))
      await files.forgetUnneeded(unneeded)
      gone += unneeded.length
      if (unneeded.length < AT_ONCE || isClosed) return gone
    }
  }

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(
      () => {
        round = run()
          .catch((error: unknown) =>
            log.warn({ err: error }, 'Old files could not be taken away; it is tried again later.'),
          )
          .finally(schedule)
      },
      everyMs * (0.5 + Math.random()),
    )
    timer.unref()
  }

  return {
    run,
    start: schedule,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await round
    },
  }
}
