const BITS = 32

/** A set of owners of phrases, one bit for each. */
export class Owners {
  readonly #bits: Uint32Array

  constructor(count: number) {
    this.#bits = new Uint32Array(Math.ceil(count / BITS))
  }

  has(owner: number): boolean {
    return ((this.#bits[owner >>> 5] as number) & (1 << (owner & (BITS - 1)))) !== 0
  }

  add(owner: number): void {
    const place = owner >>> 5
    this.#bits[place] = (this.#bits[place] as number) | (1 << (owner & (BITS - 1)))
  }

  addAll(others: Owners): void {
    const bits = this.#bits
    const more = others.#bits
    for (let place = 0; place < bits.length; place += 1) bits[place] = (bits[place] as number) | (more[place] as number)
  }
}
