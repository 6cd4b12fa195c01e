/** Finds English sentences of the gateway among those that the dashboard knows, and says them in the language of the reader. */

/** Sentences by name, in each language. The English ones are exactly those of the gateway. */
type SentenceTable<Name extends string = string> = Readonly<
  Record<'en' | 'es' | 'pt-BR', Readonly<Record<Name, string>>>
>
type SentenceLanguage = keyof SentenceTable

/** Bound: a longer text is shown as it came, so that no text of another server is searched at length. */
const LENGTH_MAX = 1_000

/** What the end of an attempt to pair says in place of a promise to connect again (`describeEnding` of the gateway). */
const AGAIN: Readonly<Record<SentenceLanguage, readonly [ours: string, pairing: string]>> = {
  en: ['we connect again', 'connect again'],
  es: ['volveremos a conectar', 'conecte de nuevo'],
  'pt-BR': ['vamos reconectar', 'conecte de novo'],
}

/** Says why a connection ended. The network's code before the sentence and the detail in it stay. */
export function sayEnding(reason: string, language: SentenceLanguage, table: SentenceTable): string {
  if (language === 'en' || reason.length > LENGTH_MAX) return reason
  // Bound: 1,000, and the digits are at the start.
  const code = /^\d{1,10}: /.exec(reason)?.[0] ?? ''
  const said = reason.slice(code.length)
  for (const [name, sentence] of Object.entries(table.en)) {
    const mine = table[language][name] ?? sentence
    const ofPairing = [sentence, mine].map((text, place) => {
      const [ours, pairing] = AGAIN[place === 0 ? 'en' : language]
      return text.replace(ours, pairing)
    })
    for (const [english = '', other = ''] of [[sentence, mine], ofPairing]) {
      if (said === english) return `${code}${other}`
      const start = `${english.slice(0, -1)} (`
      if (said.startsWith(start) && said.endsWith(').'))
        return `${code}${other.slice(0, -1)} (${said.slice(start.length)}`
    }
  }
  return reason
}
