import {
  COMPARED_LENGTH_MAX,
  isUnspaced,
  isWordLetter,
  isWordSymbol,
  plainLetters,
} from '../../../schemas/agents/words.js'
import { Automaton, LetterTable, type Phrase, Transitions } from './automaton.js'
import { Owners } from './owners.js'

/** Kinds of letters: between words; without meaning for words; part of a word; a word of its own. Several: the index of a list of letters. */
const [BETWEEN, IGNORED, PART, WORD, SEVERAL] = [0, 1, 2, 3, 4]
const KIND_BITS = 3
const KIND_MASK = 2 ** KIND_BITS - 1

/** Letters without case and accents, each as its kind and its code point, for those that are several without them. */
const several: (readonly number[])[] = []
const plain = new LetterTable((letter) => {
  const numbers = Array.from(plainLetters(String.fromCodePoint(letter)), (one) => {
    return ((one.codePointAt(0) as number) << KIND_BITS) | classifyLetter(one)
  })
  if (numbers.length === 0) return IGNORED
  return numbers.length === 1 ? (numbers[0] as number) : ((several.push(numbers) - 1) << KIND_BITS) | SEVERAL
})

/** Letters of the text that is being read. A canonical letter has at most four without its accents. */
const read = new Int32Array(4 * COMPARED_LENGTH_MAX)

/**
 * Finds phrases in texts as whole words, without regard to case and accents. A text is read once, letter by letter, without a copy: the time
 * depends on its length alone.
 */
export class PhraseFinder {
  /** The letters of all words: from node 0, the beginning, to nodes that end words. */
  readonly #letters = new Transitions()
  /** The word that ends in a node, -1 if none does. */
  readonly #words: number[] = [-1]
  readonly #phrases: Automaton

  /** @param phrases for each owner, its phrases as words */
  constructor(phrases: readonly (readonly (readonly string[])[])[]) {
    const symbols = new Map<string, number>()
    const all: Phrase[] = []
    for (const [owner, own] of phrases.entries())
      for (const words of own) all.push({ owner, symbols: words.map((word) => this.#findSymbol(word, symbols)) })
    this.#phrases = new Automaton(all, phrases.length)
  }

  /** Returns the owners of the phrases that any of the texts holds. */
  find(texts: readonly string[]): Owners {
    const found = new Owners(this.#phrases.owners)
    for (const text of texts) this.#scan(text, found)
    return found
  }

  #findSymbol(word: string, symbols: Map<string, number>): number {
    const known = symbols.get(word)
    if (known !== undefined) return known
    let node = 0
    for (const one of word) {
      const letter = one.codePointAt(0) as number
      let next = this.#letters.get(node, letter)
      if (next === -1) {
        next = this.#words.push(-1) - 1
        this.#letters.add(node, letter, next)
      }
      node = next
    }
    const symbol = symbols.size
    symbols.set(word, symbol)
    this.#words[node] = symbol
    return symbol
  }

  #scan(text: string, found: Owners): void {
    const letters = this.#letters
    const words = this.#words
    const count = readLetters(text)
    // A state among the phrases; a node of the present word, 0 before one and -1 if no phrase has such a word.
    let [state, node] = [0, 0]
    for (let place = 0; place < count; place += 1) {
      const number = read[place] as number
      const kind = number & KIND_MASK
      if (kind !== PART && node !== 0) {
        state = this.#endWord(state, node === -1 ? -1 : (words[node] as number), found)
        node = 0
      }
      if (kind === BETWEEN) continue
      if (node !== -1) node = letters.get(node, number >>> KIND_BITS)
      if (kind === PART) continue
      state = this.#endWord(state, node === -1 ? -1 : (words[node] as number), found)
      node = 0
    }
    if (node !== 0) this.#endWord(state, node === -1 ? -1 : (words[node] as number), found)
  }

  /** Returns the state after a word, -1 for one that no phrase has. */
  #endWord(from: number, word: number, found: Owners): number {
    if (word === -1) return 0
    const state = this.#phrases.step(from, word)
    const owners = this.#phrases.endingIn(state)
    if (owners !== undefined) found.addAll(owners)
    return state
  }
}

/** Writes the plain letters of the beginning of a text into `read`. Returns their number. */
function readLetters(text: string): number {
  const length = Math.min(text.length, COMPARED_LENGTH_MAX)
  let count = 0
  for (let index = 0; index < length; index += 1) {
    let letter = text.charCodeAt(index)
    if (letter >= 0xd8_00 && letter < 0xdc_00 && index + 1 < length) {
      letter = text.codePointAt(index) as number
      if (letter > 0xff_ff) index += 1
    }
    const number = plain.of(letter)
    const kind = number & KIND_MASK
    if (kind === SEVERAL) for (const one of several[number >>> KIND_BITS] as readonly number[]) read[count++] = one
    else if (kind !== IGNORED) read[count++] = number
  }
  return count
}

function classifyLetter(letter: string): number {
  if (isUnspaced(letter) || isWordSymbol(letter)) return WORD
  return isWordLetter(letter) ? PART : BETWEEN
}
