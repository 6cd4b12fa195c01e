export interface TokenBucket {
  /**
   * Runs `go` as soon as there is a token: at once when there is one and nobody waits. Callers go in the order in which they asked,
   * those in a hurry before the others. The returned function takes the request back.
   */
  take(go: () => void, isUrgent?: boolean): () => void
  /** Tokens that nobody waits for. */
  available(): number
  /** Tokens that were given since the start. */
  readonly taken: number
  /** Those who wait. */
  readonly waiting: number
}

/** So many a second, with a burst, however many ask at once. */
export function createTokenBucket({ perSecond, burst }: { perSecond: number; burst: number }): TokenBucket {
  const urgent = new Set<() => void>()
  const others = new Set<() => void>()
  let tokens = burst
  let filledAtMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  let taken = 0

  function fill(): void {
    const nowMs = performance.now()
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) * perSecond) / 1000)
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
    timer = setTimeout(serve, Math.ceil(((1 - tokens) * 1000) / perSecond))
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
