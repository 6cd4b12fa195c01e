/** Retries reads of the store whose failure would do harm. */
import { setTimeout as pause } from 'node:timers/promises'
import { backOffMs } from '../../lib/back-off.js'
import { isProgramError } from '../../schemas/program-error.js'

/** Some seconds in all: longer than PostgreSQL takes to come back from a broken connection. */
const TRIES_MAX = 8
const PAUSE_MIN_MS = 50
const PAUSE_MAX_MS = 1_000

/** Retries for some seconds, as long as `isWanted` returns true. An error of the program is not retried. @throws the last error */
export async function readAgain<T>(read: () => Promise<T>, isWanted: () => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (tries === TRIES_MAX || !isWanted() || isProgramError(error)) throw error
      await pause(backOffMs(tries - 1, PAUSE_MIN_MS, PAUSE_MAX_MS))
    }
  }
}
