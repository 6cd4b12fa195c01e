/** Words of texts as the search compares them, and the language of a text. */
import { boundedMarks } from '../../../lib/bounded-marks.js'

// Bound: 8,192, a text; longer ones are read in a thread.

export type TextLanguage = 'portuguese' | 'spanish' | 'english' | 'simple'

/** Common words, without accents: they find everything, and so nothing. */
const COMMON: Readonly<Record<Exclude<TextLanguage, 'simple'>, ReadonlySet<string>>> = {
  portuguese: new Set(
    `a ao aos as ate com como da das de dela dele do dos e ela ele eles em entre era essa esse esta este eu foi for ha isso isto ja lhe mais mas
    me mesmo meu minha muito na nao nas nem no nos num numa o os ou para pela pelo por pra qual quando que quem se sem ser sera seu seus so sua
    suas tambem te tem tenho ter um uma voce voces vou quero pode posso estao sao onde qualquer`.split(/\s+/),
  ),
  spanish: new Set(
    `a al algo ante como con cual cuando de del desde donde el ella ellos en entre era es esa ese esta este esto ha hay la las le les lo los mas
    me mi mucho muy no nos o para pero por porque que quien se ser si sin sobre son su sus tambien te tengo tiene tu un una uno usted y ya yo
    quiero puede puedo`.split(/\s+/),
  ),
  english: new Set(
    `a about all also am an and any are as at be but by can could did do does for from had has have he her his how i if in is it its just me my
    no not of on or our she so that the their them then there they this to us was we were what when where which who will with would you
    your`.split(/\s+/),
  ),
}
const SAMPLE_CHARACTERS = 20_000
const WORD_MAX = 40

/** Returns the text in lower case without accents. */
export function withoutAccents(text: string): string {
  return boundedMarks(text)
    .normalize('NFD')
    .replaceAll(/\p{Mn}+/gu, '')
    .toLowerCase()
}

/** Returns the words of a text without accents, in order, as often as they stand there. */
export function splitWords(text: string): string[] {
  return (withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, WORD_MAX))
}

/** Returns true for words that say nothing about the subject, in any of the languages. */
export function isCommon(word: string): boolean {
  return COMMON.portuguese.has(word) || COMMON.spanish.has(word) || COMMON.english.has(word)
}

/** Returns the language whose common words are the most; `simple` when there are hardly any. */
export function guessLanguage(text: string): TextLanguage {
  const words = splitWords(text.slice(0, SAMPLE_CHARACTERS))
  let best: TextLanguage = 'simple'
  let most = 0
  for (const language of ['portuguese', 'spanish', 'english'] as const) {
    const count = words.filter((word) => COMMON[language].has(word)).length
    if (count > most) [best, most] = [language, count]
  }
  return most * 20 >= words.length ? best : 'simple'
}
