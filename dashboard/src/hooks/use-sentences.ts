/** Sentences of the gateway in the language of the reader. */
import { sayEnding } from '../format/sentences.js'
import { visible } from '../format/visible.js'
import { useLanguage } from '../words/index.js'
import { endings } from '../words/sentences/endings.js'

/** Returns a function that says why a connection ended. */
export function useEnding(): (reason: string) => string {
  const language = useLanguage()
  return (reason) => visible(sayEnding(reason, language, endings))
}
