import { Automaton, LetterTable } from './automaton.js'
import { Owners } from './owners.js'

// Bound: 65,536, an answer, an argument or a text of a message.

/** Owners of the values that a field of a lead is as a whole, and of those that it holds. */
export interface FieldVerdict {
  readonly equal: Owners
  readonly found: Owners
}

interface Value {
  readonly owner: number
  readonly value: string
  /** The value is looked for anywhere in the field. */
  readonly isSearched: boolean
}

const NONE: readonly Whole[] = []

const COMMA = ','.charCodeAt(0)
const SPACE = /^\s$/u

/** Letters in lower case; those that are several in lower case have the index of their list, and the bit. */
const SEVERAL = 1 << 24
const several: (readonly number[])[] = []
const lower = new LetterTable((letter) => {
  const numbers = toLowerLetter(letter)
  return numbers.length === 1 ? (numbers[0] as number) : (several.push(numbers) - 1) | SEVERAL
})
const spaces = new LetterTable((letter) => (SPACE.test(String.fromCodePoint(letter)) ? 1 : 0))

const TEXT_LENGTH_MAX = 1_000
/** Letters of the text that is being read. A letter has at most three in lower case. */
const read = new Int32Array(3 * TEXT_LENGTH_MAX)

/** Values with one hash, and their owners. */
interface Whole {
  readonly letters: readonly number[]
  readonly owners: Owners
}

interface Options {
  /** Length to which texts are searched for values. */
  readonly lengthMax: number
  /** Texts are lists of texts between commas, each of which is compared. */
  readonly isList: boolean
}

/** Compares a field of a lead with all values that triggers name for it, without regard to case, in one pass over its text. */
export class FieldSearch {
  readonly #owners: number
  readonly #options: Options
  readonly #searched: Automaton | null
  readonly #whole = new Map<number, Whole[]>()
  /** Letters of the longest value that is compared with the whole text. */
  #longest = 0
  /** Tenants choose the values, and must not be able to give many of them one hash. */
  readonly #multiplier = Math.floor(Math.random() * 2 ** 31) * 2 + 1

  /** @param owners number of the owners */
  constructor(values: readonly Value[], owners: number, options: Options) {
    this.#owners = owners
    this.#options = options
    const phrases = values.map(({ owner, value, isSearched }) => ({
      owner,
      isSearched,
      symbols: toLowerLetters(value),
    }))
    const searched = phrases.filter(({ isSearched }) => isSearched)
    this.#searched = searched.length === 0 ? null : new Automaton(searched, owners)
    for (const { owner, symbols, isSearched } of phrases) if (!isSearched) this.#addWhole(symbols, owner)
  }

  /** @param text its beginning of at most 1,000 characters */
  searchFields(text: string): FieldVerdict {
    const equal = new Owners(this.#owners)
    const found = new Owners(this.#owners)
    if (this.#options.isList) this.#compareEach(text, equal)
    else this.#compare(text, equal)
    if (this.#searched !== null) this.#search(text.slice(0, this.#options.lengthMax), this.#searched, found)
    return { equal, found }
  }

  #addWhole(letters: readonly number[], owner: number): void {
    const hash = letters.reduce((sum, letter) => this.#add(sum, letter), 0)
    const bucket = this.#whole.get(hash) ?? []
    this.#whole.set(hash, bucket)
    const known = bucket.find((one) => one.letters.join() === letters.join())
    const whole = known ?? { letters, owners: new Owners(this.#owners) }
    if (known === undefined) bucket.push(whole)
    whole.owners.add(owner)
    this.#longest = Math.max(this.#longest, letters.length)
  }

  #search(text: string, values: Automaton, found: Owners): void {
    const count = readLetters(text)
    let state = 0
    addAll(values.endingIn(0), found)
    for (let place = 0; place < count; place += 1) {
      state = values.step(state, read[place] as number)
      addAll(values.endingIn(state), found)
    }
  }

  #compare(text: string, equal: Owners): void {
    // A letter takes one or two places of a text.
    if (this.#whole.size === 0 || text.length > 2 * this.#longest) return
    const count = readLetters(text)
    let hash = 0
    for (let place = 0; place < count; place += 1) hash = this.#add(hash, read[place] as number)
    for (const { letters, owners } of this.#whole.get(hash) ?? NONE)
      if (letters.length === count && letters.every((letter, place) => letter === read[place])) equal.addAll(owners)
  }

  /** Compares the texts between commas, without the spaces around them. */
  #compareEach(text: string, equal: Owners): void {
    for (let from = 0, to = 0; to <= text.length; to += 1) {
      if (to < text.length && text.charCodeAt(to) !== COMMA) continue
      let [first, end] = [from, to]
      while (first < end && spaces.of(text.charCodeAt(first)) === 1) first += 1
      while (end > first && spaces.of(text.charCodeAt(end - 1)) === 1) end -= 1
      this.#compare(text.slice(first, end), equal)
      from = to + 1
    }
  }

  #add(hash: number, letter: number): number {
    return (Math.imul(hash, this.#multiplier) + letter + 1) | 0
  }
}

/** Writes the letters of a text in lower case into `read`. Returns their number. */
function readLetters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    let letter = text.charCodeAt(index)
    if (letter >= 0xd8_00 && letter < 0xdc_00) {
      letter = text.codePointAt(index) as number
      if (letter > 0xff_ff) index += 1
    }
    const number = lower.of(letter)
    if (number < SEVERAL) read[count++] = number
    else for (const one of several[number - SEVERAL] as readonly number[]) read[count++] = one
  }
  return count
}

function addAll(some: Owners | undefined, to: Owners): void {
  if (some !== undefined) to.addAll(some)
}

function toLowerLetters(text: string): readonly number[] {
  return Array.from(text, (one) => toLowerLetter(one.codePointAt(0) as number)).flat()
}

function toLowerLetter(letter: number): readonly number[] {
  // The small sigma has two forms.
  const text = String.fromCodePoint(letter).toLowerCase().replace('ς', 'σ')
  return Array.from(text, (one) => one.codePointAt(0) as number)
}
