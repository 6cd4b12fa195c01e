/**
 * Resolves with the result of the work, or with that of `late` if the work takes longer. The work goes on then; its result is dropped.
 * @throws the error of the work, or that of `late`
 */
export async function withTimeLimit<T, L>(work: Promise<T>, limitMs: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  try {
    return await Promise.race([work, limit.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

interface LimitedSignal {
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
