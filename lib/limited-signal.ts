export interface LimitedSignal {
  readonly signal: AbortSignal
  /** Call it when the work is over. */
  end(): void
}

/**
 * Makes a signal that aborts with another one, or after a time with a `TimeoutError`. `AbortSignal.any` over `AbortSignal.timeout` does not do:
 * on Node.js 20 to 24 nothing holds the second one, and once it is collected its time never comes.
 */
export function limitedSignal(signal: AbortSignal, timeoutMs: number): LimitedSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  const timer = setTimeout(
    () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    timeoutMs,
  )
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
