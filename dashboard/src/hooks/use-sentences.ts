/** Sentences of the gateway in the language of the reader. */
import { type SentenceTable, sayEnding, saySentence } from '../format/sentences.js'
import { showUnseen } from '../format/visible.js'
import { useLanguage } from '../words/index.js'
import { endings } from '../words/sentences/endings.js'

/** Returns a function that says why a connection ended. */
export function useEnding(): (reason: string) => string {
  const language = useLanguage()
  return (reason) => showUnseen(sayEnding(reason, language, endings))
}

/** Returns a function that says a sentence which one of the tables has. Each page loads its own tables. */
export function useSentence(...tables: readonly SentenceTable[]): (sentence: string) => string {
  const language = useLanguage()
  return (sentence) => showUnseen(saySentence(sentence, language, tables))
}
