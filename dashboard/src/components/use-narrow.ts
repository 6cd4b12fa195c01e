import { useSyncExternalStore } from 'react'

/** Width below which the pages stand in one column, as in the style sheets. */
const narrow = matchMedia('(max-width: 48rem)')

/** Returns true while the window is that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
