import type { Owner } from './peers/protocol.js'
import type { RoutingTable } from './router-types.js'

export type ShardPlace = Owner | 'moving' | 'none'

/** The owners of shards as the table gives them, or as a peer gave them when that is newer. */
export class OwnerView {
  readonly #table: Pick<RoutingTable, 'ownerOf'>
  readonly #self: string
  /** Owners that peers named and that the table does not know yet, by shard. */
  readonly #learnt = new Map<number, Owner>()
  /** The newest epoch that the table gave, by shard. */
  readonly #newestEpochs = new Map<number, number>()

  constructor(table: Pick<RoutingTable, 'ownerOf'>, self: string) {
    this.#table = table
    this.#self = self
  }

  ownerOf(shard: number): ShardPlace {
    const place = this.#table.ownerOf(shard)
    if (typeof place === 'object' && place.epoch > (this.#newestEpochs.get(shard) ?? 0))
      this.#newestEpochs.set(shard, place.epoch)
    const learnt = this.#learnt.get(shard)
    if (learnt === undefined) return place
    if (learnt.epoch <= (this.#newestEpochs.get(shard) ?? 0)) {
      this.#learnt.delete(shard)
      return place
    }
    // This node is the owner, and its own table says so once its actors take commands.
    return learnt.incarnation === this.#self ? 'moving' : learnt
  }

  /** Returns the newest epoch of a shard that is known here; 0 when none is. */
  epochKnown(shard: number): number {
    return Math.max(this.#newestEpochs.get(shard) ?? 0, this.#learnt.get(shard)?.epoch ?? 0)
  }

  /** Keeps an owner that a peer named, when it is newer than all that is known. */
  learn(shard: number, place: ShardPlace): void {
    if (typeof place === 'object' && place.epoch > this.epochKnown(shard)) this.#learnt.set(shard, place)
  }

  /** Drops an owner that a peer named and that cannot be reached: the table decides then. */
  distrust(shard: number, incarnation: string): void {
    if (this.#learnt.get(shard)?.incarnation === incarnation) this.#learnt.delete(shard)
  }
}
