/** Finds out whether a call has given the network anything before it failed. */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Call {
  isSent: boolean
}

const calls = new AsyncLocalStorage<Call>()
let running = 0

/** Notes that the present call has handed a frame to the connection. */
export function noteFrame(): void {
  const call = running === 0 ? undefined : calls.getStore()
  if (call !== undefined) call.isSent = true
}

/**
 * Carries out a call. `mapError` maps its error, and learns whether the call has handed any frame to the connection.
 * The context is active only while a call runs: before Node.js 24 every promise of the process pays for it.
 */
export async function watchFrames<T>(
  work: () => Promise<T>,
  mapError: (error: unknown, isSent: boolean) => unknown,
): Promise<T> {
  const call: Call = { isSent: false }
  running += 1
  try {
    return await calls.run(call, work)
  } catch (error) {
    throw mapError(error, call.isSent)
  } finally {
    running -= 1
    if (running === 0) calls.disable()
  }
}
