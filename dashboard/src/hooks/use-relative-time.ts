import { useSyncExternalStore } from 'react'
import { formatRelativeTime } from '../format/time.js'

const STEP_MS = 1_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Returns the time from now, such as "3 minutes ago", which grows older on the page. One timer serves all that is shown. */
export function useRelativeTime(time: Date, language: string): string {
  // React draws a component again only when its text has changed, mostly after a minute or more.
  return useSyncExternalStore(subscribe, () => formatRelativeTime(time, language))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    if (!document.hidden) for (const one of listeners) one()
  }, STEP_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
