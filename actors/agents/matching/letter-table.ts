const PAGE_BITS = 11
const PAGE_LETTERS = 2 ** PAGE_BITS
const PAGES = 0x11_00_00 / PAGE_LETTERS

/** Computes a number for each letter once in the life of the process. Texts are then read at the cost of a look for each letter. */
export class LetterTable {
  readonly #compute: (letter: number) => number
  /** Numbers and 1, so that 0 is a letter that was not seen yet. */
  readonly #pages: (Int32Array | undefined)[] = new Array<undefined>(PAGES).fill(undefined)

  /** @param compute returns a number from 0 for a code point */
  constructor(compute: (letter: number) => number) {
    this.#compute = compute
  }

  of(letter: number): number {
    const page = this.#pages[letter >>> PAGE_BITS]
    const known = page === undefined ? 0 : (page[letter & (PAGE_LETTERS - 1)] as number)
    return known === 0 ? this.#learn(letter) : known - 1
  }

  #learn(letter: number): number {
    const index = letter >>> PAGE_BITS
    const page = this.#pages[index] ?? new Int32Array(PAGE_LETTERS)
    this.#pages[index] = page
    const number = this.#compute(letter)
    page[letter & (PAGE_LETTERS - 1)] = number + 1
    return number
  }
}
