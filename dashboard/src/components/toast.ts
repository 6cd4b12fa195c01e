/** Short news of what was done, in a corner of the page. */
import { useSyncExternalStore } from 'react'

export interface Toast {
  readonly id: number
  readonly text: string
  /** Takes it back, with the word on its button. */
  readonly undo?: { readonly word: string; readonly run: () => void } | undefined
}

let last: Toast | undefined
const listeners = new Set<() => void>()

/**
 * Says that something was done, and offers to undo it where that can be.
 * @public
 */
export function say(text: string, undo?: Toast['undo']): void {
  last = { id: (last?.id ?? 0) + 1, text, undo }
  for (const listener of listeners) listener()
}

/** Returns the newest toast; undefined before the first one. */
export function useNewestToast(): Toast | undefined {
  return useSyncExternalStore(subscribe, () => last)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
