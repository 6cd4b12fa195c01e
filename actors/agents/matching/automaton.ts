import { Owners } from './owners.js'
import { Transitions } from './transitions.js'

// Bound: 20,000, the states of the words of all triggers of an instance.

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
