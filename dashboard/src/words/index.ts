/** Language of the reader: chosen, else the first of the browser that we have. */
import { useSyncExternalStore } from 'react'
import { en, type Words } from './en.js'
import { es } from './es.js'
import { ptBr } from './pt-br.js'

export const languages = { 'pt-BR': ptBr, es, en } as const satisfies Record<string, Words>
export type Language = keyof typeof languages

const KEY = 'posthorn.language'
const listeners = new Set<() => void>()
let current: Language = chosen() ?? preferred()
document.documentElement.lang = current

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, () => current)
}

/** Returns a function that writes a number as the reader does. */
export function useNumbers(): (value: number) => string {
  const { format } = new Intl.NumberFormat(useLanguage())
  return format
}

export function useWords(): Words {
  return languages[useLanguage()]
}

/**
 * Returns the hook for the words of one area, which load with its pages. Their files are `words/<area>/{en,es,pt-br}.ts`, and its `index.ts`
 * calls this.
 */
export function areaWords<Area>(inLanguages: Readonly<Record<Language, Area>>): () => Area {
  return () => inLanguages[useLanguage()]
}

export function chooseLanguage(language: Language): void {
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

function chosen(): Language | undefined {
  try {
    const stored = localStorage.getItem(KEY)
    return isLanguage(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

function preferred(): Language {
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
