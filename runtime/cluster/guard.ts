import type { OutputGuard } from '../../actors/network/port/connection.js'

const LOOK_MS = 10

/** Before each frame: may it leave? Those that wait look together, so a closed guard costs one timer whatever the number of sockets. */
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
