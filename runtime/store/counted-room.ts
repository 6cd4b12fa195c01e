import { LRUCache } from 'lru-cache'
import { entriesMax } from '../../lib/entries-max.js'

interface Held {
  rows: number
  bytes: number
}

interface CountedRoomOptions<Owner extends string> {
  /** Counts the rows of an owner, and their bytes, which may take milliseconds. */
  readonly count: (owner: Owner) => Promise<Readonly<Held>>
  readonly rowsMax: number
  readonly bytesMax: number
}

/** Time for which a count of rows is taken for true. Rows that are added here meanwhile are added to it. */
const COUNTED_MS = 2_000

/** Bounds the rows of each owner without a count of all of them for each new one. Several nodes may exceed it by what they add in two seconds. */
export class CountedRoom<Owner extends string> {
  readonly #options: CountedRoomOptions<Owner>
  readonly #counts = new LRUCache<Owner, Promise<Held>>({ ...entriesMax(10_000), ttl: COUNTED_MS })

  constructor(options: CountedRoomOptions<Owner>) {
    this.#options = options
  }

  async isFull(owner: Owner): Promise<boolean> {
    const { rows, bytes } = await (this.#counts.get(owner) ?? this.#count(owner))
    return rows >= this.#options.rowsMax || bytes >= this.#options.bytesMax
  }

  /** Adds what was stored to the count. */
  async note(owner: Owner, rows: number, bytes: number): Promise<void> {
    const held = await this.#counts.get(owner)
    if (held === undefined) return
    held.rows += rows
    held.bytes += bytes
  }

  #count(owner: Owner): Promise<Held> {
    const counted = this.#options.count(owner).then(({ rows, bytes }) => ({ rows, bytes }))
    this.#counts.set(owner, counted)
    counted.catch(() => this.#counts.delete(owner))
    return counted
  }
}
