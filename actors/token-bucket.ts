export interface TokenBucket {
  /** Resolves when one may go; callers go in the order in which they asked. */
  take(): Promise<void>
}

/** So many a second, with a burst, however many ask at once. */
export function createTokenBucket({ perSecond, burst }: { perSecond: number; burst: number }): TokenBucket {
  let tokens = burst
  let filledAtMs = performance.now()
  let tail: Promise<void> = Promise.resolve()

  async function take(): Promise<void> {
    const now = performance.now()
    tokens = Math.min(burst, tokens + ((now - filledAtMs) * perSecond) / 1000)
    filledAtMs = now
    tokens -= 1
    if (tokens < 0) await new Promise((resolve) => setTimeout(resolve, (-tokens * 1000) / perSecond))
  }

  return {
    take() {
      tail = tail.then(take)
      return tail
    },
  }
}
