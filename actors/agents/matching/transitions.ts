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
    for (let place = this.#slotOf(from, symbol) * FIELDS; ; place = (place + FIELDS) & mask) {
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
    let slot = this.#slotOf(from, symbol)
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

  #slotOf(from: number, symbol: number): number {
    const hash = Math.imul(from, this.#ofState) + Math.imul(symbol, this.#ofSymbol)
    return (hash ^ (hash >>> 15)) & (this.#slots - 1)
  }
}

function randomOdd(): number {
  return Math.floor(Math.random() * 2 ** 31) * 2 + 1
}
