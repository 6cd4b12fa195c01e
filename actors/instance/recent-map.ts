/**
 * Remembers the entries that were used last, up to a maximum. Each instance has several, most of them empty, and an `LRUCache` allocates
 * for its maximum at once: 24 KiB for 1,000 entries. An entry here costs a little more instead.
 */
export class RecentMap<K, V> {
  readonly #max: number
  #entries: Map<K, V> | undefined

  constructor(max: number) {
    this.#max = max
  }

  has(key: K): boolean {
    return this.#entries?.has(key) ?? false
  }

  get(key: K): V | undefined {
    const value = this.#entries?.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  /** Stores an entry, and forgets the one that was not used for the longest time if there are too many. */
  set(key: K, value: V): void {
    this.#entries ??= new Map()
    const entries = this.#entries
    entries.delete(key)
    entries.set(key, value)
    for (const oldest of entries.keys()) {
      if (entries.size <= this.#max) return
      entries.delete(oldest)
    }
  }

  delete(key: K): void {
    this.#entries?.delete(key)
    if (this.#entries?.size === 0) this.#entries = undefined
  }

  /** Returns the values, the one that was used last at the end. */
  values(): Iterable<V> {
    return this.#entries?.values() ?? []
  }
}
