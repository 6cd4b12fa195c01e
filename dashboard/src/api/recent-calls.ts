/** Keeps the last calls of this page, so that people can see how a program would make them. It keeps no tokens and no secrets. */
import { useSyncExternalStore } from 'react'
import { maskSecrets } from './masked.js'
import type { ShownCall } from './shown-call.js'

const KEPT = 30

let calls: readonly ShownCall[] = []
const listeners = new Set<() => void>()

/** Puts a call before the others. The same one again replaces itself. */
export function rememberCall(made: ShownCall): void {
  const call = { ...made, body: maskSecrets(made.body) }
  const print = formatPrint(call)
  calls = [call, ...calls.filter((one) => formatPrint(one) !== print)].slice(0, KEPT)
  for (const listener of listeners) listener()
}

export function forgetCalls(): void {
  calls = []
  for (const listener of listeners) listener()
}

export function useRecentCalls(): readonly ShownCall[] {
  return useSyncExternalStore(subscribe, () => calls)
}

function formatPrint({ method, path, body }: ShownCall): string {
  return JSON.stringify([method, path, body])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
