import type { OutputGuard } from '../../actors/network/port/connection.js'

const LOOK_MS = 10

/** Returns a guard that tells before each frame whether it may leave. Waiting sockets share one timer, whatever their number. */
export function createGuard(isOpen: () => boolean): OutputGuard {
  let waiting: Promise<void> | undefined

  return {
    isOpen,
    opened() {
      waiting ??= new Promise((resolve) => {
        const timer = setInterval(() => {
          if (!isOpen()) return
          clearInterval(timer)
          waiting = undefined
          resolve()
        }, LOOK_MS)
        timer.unref()
      })
      return waiting
    },
  }
}
