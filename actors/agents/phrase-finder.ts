const BITS = 32

/** The set of owners of the phrases that were found, one bit for each. */
export class Owners {
  readonly #bits: Uint32Array

  constructor(bits: Uint32Array) {
    this.#bits = bits
  }

  has(owner: number): boolean {
    return ((this.#bits[Math.floor(owner / BITS)] ?? 0) & (1 << (owner % BITS))) !== 0
  }
}

/**
 * Finds many phrases in a text at once, by the algorithm of Aho and Corasick over words. The time depends on the length of the text alone,
 * and not on the phrases, which tenants choose.
 */
export class PhraseFinder {
  readonly #symbols = new Map<string, number>()
  /** From a state and a symbol to the next state. State 0 is the beginning. */
  readonly #next = new Map<number, number>()
  readonly #symbolsMax: number
  /** The state of the longest ending that is the beginning of a phrase too. */
  readonly #fallback: Int32Array
  readonly #width: number
  /** Owners of the phrases that end in a state, for each state. */
  readonly #found: Uint32Array
  readonly #ends: Uint8Array

  /** @param phrases for each owner, its phrases as words */
  constructor(phrases: readonly (readonly (readonly string[])[])[]) {
    for (const word of phrases.flat(2)) if (!this.#symbols.has(word)) this.#symbols.set(word, this.#symbols.size)
    this.#symbolsMax = this.#symbols.size
    const { states, ends } = this.#grow(phrases)
    this.#width = Math.ceil(phrases.length / BITS)
    this.#fallback = new Int32Array(states.length)
    this.#found = new Uint32Array(states.length * this.#width)
    this.#ends = new Uint8Array(states.length)
    for (const { state, owner } of ends) {
      const place = state * this.#width + Math.floor(owner / BITS)
      this.#found[place] = (this.#found[place] ?? 0) | (1 << (owner % BITS))
      this.#ends[state] = 1
    }
    this.#link(states)
  }

  find(words: readonly string[]): Owners {
    const bits = new Uint32Array(this.#width)
    let state = 0
    for (const word of words) {
      const symbol = this.#symbols.get(word)
      state = symbol === undefined ? 0 : this.#step(state, symbol)
      if (this.#ends[state] === 1) this.#add(state, bits)
    }
    return new Owners(bits)
  }

  /** Makes the tree of all phrases. Returns its states in the order in which they were made, each with its parent and symbol. */
  #grow(phrases: readonly (readonly (readonly string[])[])[]) {
    const states = [{ parent: 0, symbol: 0, depth: 0 }]
    const ends: { state: number; owner: number }[] = []
    for (const [owner, own] of phrases.entries())
      for (const words of own) {
        let state = 0
        for (const word of words) {
          const symbol = this.#symbols.get(word) ?? 0
          const key = state * this.#symbolsMax + symbol
          const known = this.#next.get(key)
          if (known === undefined) {
            states.push({ parent: state, symbol, depth: (states[state]?.depth ?? 0) + 1 })
            this.#next.set(key, states.length - 1)
          }
          state = known ?? states.length - 1
        }
        ends.push({ state, owner })
      }
    return { states, ends }
  }

  /** Shorter states come first: the fallback of a state is a shorter one. */
  #link(states: readonly { readonly parent: number; readonly symbol: number; readonly depth: number }[]): void {
    const byDepth = states.map((_, state) => state).sort((a, b) => (states[a]?.depth ?? 0) - (states[b]?.depth ?? 0))
    for (const state of byDepth) {
      const { parent = 0, symbol = 0, depth = 0 } = states[state] ?? {}
      if (depth < 2) continue
      const fallback = this.#step(this.#fallback[parent] ?? 0, symbol)
      this.#fallback[state] = fallback
      if (this.#ends[fallback] !== 1) continue
      this.#ends[state] = 1
      this.#add(fallback, this.#found.subarray(state * this.#width, (state + 1) * this.#width))
    }
  }

  #step(from: number, symbol: number): number {
    for (let state = from; ; state = this.#fallback[state] ?? 0) {
      const next = this.#next.get(state * this.#symbolsMax + symbol)
      if (next !== undefined) return next
      if (state === 0) return 0
    }
  }

  #add(state: number, bits: Uint32Array): void {
    const from = state * this.#width
    for (let index = 0; index < this.#width; index += 1)
      bits[index] = (bits[index] ?? 0) | (this.#found[from + index] ?? 0)
  }
}
