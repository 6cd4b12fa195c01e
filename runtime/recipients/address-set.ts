const FIRST_SIZE = 1_024

/**
 * Set of addresses of people in 16 bytes each: a million of them takes 16 to 32 MiB. Keeps two hashes of 32 bits of each address, so that
 * two addresses are taken for one about once in twenty million lists of a million people.
 */
export class AddressSet {
  #table = new Uint32Array(2 * FIRST_SIZE)
  #count = 0

  /** Adds an address. Returns false if it is in the set already. */
  add(address: string): boolean {
    const [first, second] = hashOf(address)
    if (!insert(this.#table, first, second)) return false
    this.#count += 1
    if (this.#count * 4 > this.#table.length) this.#grow()
    return true
  }

  #grow(): void {
    const former = this.#table
    this.#table = new Uint32Array(2 * former.length)
    for (let at = 0; at < former.length; at += 2) {
      const [first, second] = [former[at] as number, former[at + 1] as number]
      if (first !== 0) insert(this.#table, first, second)
    }
  }
}

/** Returns two independent hashes. The first one is never 0, which marks free places. */
function hashOf(text: string): [number, number] {
  let first = 0x811c9dc5
  let second = 0x9e3779b9
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul((second << 5) ^ (second >>> 27) ^ code, 0x85ebca6b)
  }
  return [mixed(first) || 1, mixed(second)]
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}

function insert(table: Uint32Array, first: number, second: number): boolean {
  const mask = table.length / 2 - 1
  for (let place = first & mask; ; place = (place + 1) & mask) {
    const at = 2 * place
    if (table[at] === 0) {
      table[at] = first
      table[at + 1] = second
      return true
    }
    if (table[at] === first && table[at + 1] === second) return false
  }
}
