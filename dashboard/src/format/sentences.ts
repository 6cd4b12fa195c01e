/** Finds English sentences of the gateway among those that the dashboard knows, and says them in the language of the reader. */

/** Sentences by name, in each language. The English ones are exactly those of the gateway. */
export type SentenceTable<Name extends string = string> = Readonly<
  Record<'en' | 'es' | 'pt-BR', Readonly<Record<Name, string>>>
>
type SentenceLanguage = keyof SentenceTable

/** Bound: a longer text is shown as it came, so that no text of another server is searched at length. */
const LENGTH_MAX = 1_000

/** Wording for a connection that the gateway opens again, and for a pairing, which people repeat (`describeEnding` of the gateway). */
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

/** How deep a sentence may stand in another one. */
const DEPTH_MAX = 3
/** Values that are sentences of the same tables. */
const INNER = new Set(['why', 'sentence', 'what'])
// Ours: a sentence of our own files.
const PLACEHOLDER = /\{(\w+)\}/

/**
 * Says an English sentence of the gateway in the language of the reader. Names, numbers and texts of others in it stay; a sentence that no
 * table has stays as it came.
 */
export function saySentence(
  text: string,
  language: SentenceLanguage,
  tables: readonly SentenceTable[],
  depth = 0,
): string {
  if (language === 'en' || text.length > LENGTH_MAX || depth > DEPTH_MAX) return text
  for (const { en, [language]: mine } of tables)
    for (const [name, english] of Object.entries(en)) {
      const values = findValues(text, english)
      if (values === null) continue
      const say = (value: string, key: string) =>
        INNER.has(key) ? saySentence(value, language, tables, depth + 1) : value
      return fill(mine[name] ?? english, (key) => say(values.get(key) ?? '', key))
    }
  return text
}

/** Returns the values of the placeholders if the text is this sentence; else null. Each value ends where the words after it begin. */
function findValues(text: string, sentence: string): ReadonlyMap<string, string> | null {
  const [first = '', ...rest] = sentence.split(PLACEHOLDER)
  if (!text.startsWith(first)) return null
  const values = new Map<string, string>()
  let at = first.length
  for (let place = 0; place < rest.length; place += 2) {
    const [name = '', after = ''] = rest.slice(place, place + 2)
    const isLast = place + 2 === rest.length
    const end = !isLast ? text.indexOf(after, at) : text.endsWith(after) ? text.length - after.length : -1
    if (end <= at) return null
    values.set(name, text.slice(at, end))
    at = end + after.length
  }
  return at === text.length ? values : null
}

function fill(sentence: string, value: (name: string) => string): string {
  const parts = sentence.split(PLACEHOLDER)
  return parts.map((part, place) => (place % 2 === 0 ? part : value(part))).join('')
}
