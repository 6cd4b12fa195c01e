/** Colours of the pages: those of the system, or a choice that this browser keeps. `public/theme.js` sets it before the first paint. */
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof themes)[number]

const KEY = 'posthorn.theme'
const listeners = new Set<() => void>()

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice holds until the page is left.
  }
  for (const listener of listeners) listener()
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return themes.find((one) => one === theme) ?? 'system'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
