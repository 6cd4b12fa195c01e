/** Language of the reader: chosen, else the first of the browser that we have. */
import { useSyncExternalStore } from 'react'
import { loadFile } from '../api/new-build.js'
import { makeNumberFormat } from '../format/formats.js'
import type { Words } from './en.js'

/** The languages under their own names. */
export const languages = { 'pt-BR': 'Português (Brasil)', es: 'Español', en: 'English' } as const
export type Language = keyof typeof languages

/** The words of the frame and of the sign-in: a reader loads one language. */
const files = {
  'pt-BR': async () => (await loadFile(() => import('./pt-br.js'))).ptBr,
  es: async () => (await loadFile(() => import('./es.js'))).es,
  en: async () => (await loadFile(() => import('./en.js'))).en,
} as const satisfies Record<Language, () => Promise<Words>>

const KEY = 'posthorn.language'
const listeners = new Set<() => void>()
let current: Language = readChosen() ?? choosePreferred()
let wanted = current
let words: Words
document.documentElement.lang = current

/** Loads the words of the frame. Nothing may be drawn before it resolves. */
export async function loadWords(): Promise<void> {
  words = await files[current]()
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, () => current)
}

/** Returns a function that writes a number as the reader does. */
export function useNumbers(): (value: number) => string {
  return makeNumberFormat(useLanguage()).format
}

export function useWords(): Words {
  return useSyncExternalStore(subscribe, () => words)
}

/**
 * Returns the hook for the words of one area, which load with its pages. Their files are `words/<area>/{en,es,pt-br}.ts`, and its `index.ts`
 * calls this.
 */
export function makeWordsHook<Area>(inLanguages: Readonly<Record<Language, Area>>): () => Area {
  return () => inLanguages[useLanguage()]
}

export async function chooseLanguage(language: Language): Promise<void> {
  wanted = language
  const file = await files[language]().catch(() => undefined)
  // It does not load, or another one was chosen meanwhile.
  if (file === undefined || wanted !== language) return
  words = file
  current = language
  document.documentElement.lang = language
  try {
    localStorage.setItem(KEY, language)
  } catch {
    // Without storage the choice holds until the page is left.
  }
  for (const listener of listeners) listener()
}

export function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(languages, name)
}

function readChosen(): Language | undefined {
  try {
    const stored = localStorage.getItem(KEY)
    return isLanguage(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

function choosePreferred(): Language {
  for (const wanted of navigator.languages) {
    const same = (Object.keys(languages) as Language[]).find((one) => one.slice(0, 2) === wanted.slice(0, 2))
    if (same !== undefined) return same
  }
  return 'en'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
