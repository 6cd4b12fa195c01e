/** Sentences for the codes of errors. The gateway writes English, so that English has no table. They load with the first error. */
import { useEffect, useState } from 'react'
import type { ErrorCode } from '../../../../schemas/errors.js'
import { loadFile } from '../../api/new-build.js'
import { type Language, useLanguage } from '../index.js'

export type ErrorTexts = Readonly<Partial<Record<ErrorCode, string>>>

const files: Readonly<Partial<Record<Language, () => Promise<ErrorTexts>>>> = {
  es: async () => (await loadFile(() => import('./es.js'))).es,
  'pt-BR': async () => (await loadFile(() => import('./pt-br.js'))).ptBr,
}

/** Returns what a code means in the language of the reader; undefined where the text of the gateway has to do. */
export function useErrorText(code: string): string | undefined {
  const language = useLanguage()
  const [texts, setTexts] = useState<{ readonly language: Language; readonly of: ErrorTexts }>()
  useEffect(() => {
    let isWanted = true
    void files[language]?.().then(
      (of) => {
        if (isWanted) setTexts({ language, of })
      },
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [language])
  return texts?.language === language ? (texts.of as Readonly<Record<string, string>>)[code] : undefined
}
