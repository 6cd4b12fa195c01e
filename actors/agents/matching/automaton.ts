import { Owners } from './owners.js'

interface State {
  readonly parent: number
  readonly symbol: number
  readonly depth: number
}

export interface Phrase {
  readonly owner: number
  readonly symbols: readonly number[]
}

/**
 * Finds many phrases in a sequence of symbols at once, by the algorithm of Aho and Corasick. The time depends on the length of the sequence
 * alone, and not on the phrases, which tenants choose.
 */
export class Automaton {
  readonly owners: number
  readonly #next = new Transitions()
  /** The state of the longest ending that is the beginning of a phrase too. */
  readonly #fallbacks: Int32Array
  /** Owners of the phrases that end in a state. */
  readonly #ending: (Owners | undefined)[]

  /** @param owners number of the owners */
  constructor(phrases: readonly Phrase[], owners: number) {
    this.owners = owners
    // The states, with the length of the beginning of a phrase that each stands for. State 0 is the beginning.
    const states: State[] = [{ parent: 0, symbol: 0, depth: 0 }]
    const ends = new Map<number, Owners>()
    for (const { owner, symbols } of phrases) {
      let state = 0
      for (const symbol of symbols) {
        let next = this.#next.get(state, symbol)
        if (next === -1) {
          next = states.push({ parent: state, symbol, depth: (states[state] as State).depth + 1 }) - 1
          this.#next.add(state, symbol, next)
        }
        state = next
      }
      const owners = ends.get(state) ?? new Owners(this.owners)
      owners.add(owner)
      ends.set(state, owners)
    }
    this.#ending = states.map((_, state) => ends.get(state))
    this.#fallbacks = new Int32Array(states.length)
    this.#link(states)
  }

  step(from: number, symbol: number): number {
    for (let state = from; ; state = this.#fallbacks[state] as number) {
      const next = this.#next.get(state, symbol)
      if (next !== -1) return next
      if (state === 0) return 0
    }
  }

  /** Returns the owners of the phrases that end in a state. */
  endingIn(state: number): Owners | undefined {
    return this.#ending[state]
  }

  /** Shorter states come first: the fallback of a state is a shorter one. */
  #link(states: readonly State[]): void {
    const deep = states.map((one, state) => ({ ...one, state })).filter(({ depth }) => depth > 1)
    // Bound: 20,000, the states of the words of all triggers of an instance.
    for (const { state, parent, symbol } of deep.sort((a, b) => a.depth - b.depth)) {
      const fallback = this.step(this.#fallbacks[parent] as number, symbol)
      this.#fallbacks[state] = fallback
      const shorter = this.#ending[fallback]
      if (shorter === undefined) continue
      const own = this.#ending[state]
      if (own === undefined) this.#ending[state] = shorter
      else own.addAll(shorter)
    }
  }
}

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

/** Slots of a new table, a power of two. */
const SLOTS_MIN = 16
/** Slots for each transition, at least. Runs stay short in a table that is mostly empty. */
const SLOTS_EACH = 4
/** Longest run of occupied slots that a look passes. */
const RUN_MAX = 24
/** Multipliers that are tried before the table grows. */
const TRIES_MAX = 4
/** Numbers of a slot. One stays unused, since powers of two are quick to compute. */
const FIELDS = 4

/**
 * From a state and a symbol to the next state. Tenants choose the keys: the hash has random multipliers, and a table with a long run gets
 * others, so that each look takes a bounded time. A `Map` promises neither.
 */
export class Transitions {
  #slots = 0
  #size = 0
  /** For each slot: the state and 1, so that 0 is an empty one; the symbol; the next state. */
  #table = new Int32Array(0)
  #ofState = 0
  #ofSymbol = 0

  constructor() {
    this.#rebuild(SLOTS_MIN)
  }

  /** Returns the next state, -1 if there is none. */
  get(from: number, symbol: number): number {
    const table = this.#table
    const mask = table.length - 1
    for (let place = this.#findSlot(from, symbol) * FIELDS; ; place = (place + FIELDS) & mask) {
      const state = table[place] as number
      if (state === 0) return -1
      if (state === from + 1 && table[place + 1] === symbol) return table[place + 2] as number
    }
  }

  /** Adds a transition that is not there yet. */
  add(from: number, symbol: number, to: number): void {
    this.#size += 1
    if (this.#size * SLOTS_EACH > this.#slots) this.#rebuild(this.#slots * 2)
    for (let tries = 1; !this.#put(from, symbol, to); tries += 1)
      this.#rebuild(tries % TRIES_MAX === 0 ? this.#slots * 2 : this.#slots)
  }

  /** Returns false, and changes nothing, if the run is too long. */
  #put(from: number, symbol: number, to: number): boolean {
    let slot = this.#findSlot(from, symbol)
    for (let run = 0; this.#table[slot * FIELDS] !== 0; run += 1) {
      if (run === RUN_MAX) return false
      slot = (slot + 1) & (this.#slots - 1)
    }
    this.#table.set([from + 1, symbol, to], slot * FIELDS)
    return true
  }

  #rebuild(least: number): void {
    const former = this.#table
    for (let tries = 1, slots = least; ; tries += 1, slots *= tries % TRIES_MAX === 0 ? 2 : 1) {
      this.#slots = slots
      this.#table = new Int32Array(slots * FIELDS)
      this.#ofState = randomOdd()
      this.#ofSymbol = randomOdd()
      if (this.#takeAll(former)) return
    }
  }

  #takeAll(former: Int32Array): boolean {
    for (let place = 0; place < former.length; place += FIELDS) {
      const from = former[place] as number
      if (from !== 0 && !this.#put(from - 1, former[place + 1] as number, former[place + 2] as number)) return false
    }
    return true
  }

  #findSlot(from: number, symbol: number): number {
    const hash = Math.imul(from, this.#ofState) + Math.imul(symbol, this.#ofSymbol)
    return (hash ^ (hash >>> 15)) & (this.#slots - 1)
  }
}

function randomOdd(): number {
  return Math.floor(Math.random() * 2 ** 31) * 2 + 1
}
