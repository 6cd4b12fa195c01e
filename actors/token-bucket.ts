export interface TokenBucket {
  /**
   * Runs `go` as soon as there is a token: at once if there is one and nobody waits. Requests run in their order, urgent ones before the
   * others. Returns a function that withdraws the request.
   */
  take(go: () => void, isUrgent?: boolean): () => void
  /** Returns the number of tokens that nobody waits for. */
  available(): number
  /** Number of tokens that were given since the start. */
  readonly taken: number
  /** Number of requests that wait. */
  readonly waiting: number
}

/** Rate of a bucket, which may change. */
export interface TokenRate {
  readonly perSecond: number
  readonly burst: number
}

/** Creates a bucket that gives so many tokens a second, after a burst. */
export function createTokenBucket(rate: TokenRate): TokenBucket {
  const urgent = new Set<() => void>()
  const others = new Set<() => void>()
  let tokens = rate.burst
  let filledAtMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  let taken = 0

  function fill(): void {
    const nowMs = performance.now()
    tokens = Math.min(rate.burst, tokens + ((nowMs - filledAtMs) * rate.perSecond) / 1000)
    filledAtMs = nowMs
  }

  function serve(): void {
    timer = undefined
    fill()
    for (const line of [urgent, others]) {
      for (const go of line) {
        if (tokens < 1) break
        tokens -= 1
        taken += 1
        line.delete(go)
        go()
      }
    }
    if (urgent.size + others.size === 0 || timer !== undefined) return
    timer = setTimeout(serve, Math.ceil(((1 - tokens) * 1000) / rate.perSecond))
    timer.unref()
  }

  return {
    take(go, isUrgent = false) {
      const line = isUrgent ? urgent : others
      // An object of its own, so that the same function may wait twice.
      const request = (): void => go()
      line.add(request)
      if (timer === undefined || isUrgent) {
        clearTimeout(timer)
        serve()
      }
      return () => void line.delete(request)
    },
    available() {
      fill()
      return urgent.size + others.size === 0 ? tokens : 0
    },
    get taken() {
      return taken
    },
    get waiting() {
      return urgent.size + others.size
    },
  }
}
