/** Tells which shards changed their node between two readings. */
import type { ShardsReply } from '../../../../schemas/generated.js'

type Shard = Pick<ShardsReply['shards'][number], 'shard' | 'node' | 'instances'>

/** Shards that went the same way. Null: no node. */
export interface Move {
  readonly from: string | null
  readonly to: string | null
  readonly shards: number
  readonly instances: number
}

/** Returns the moves between two readings, those of most shards first. */
export function findMoves(former: readonly Shard[], next: readonly Shard[]): readonly Move[] {
  const owners = new Map(former.map(({ shard, node }) => [shard, node]))
  const moves = new Map<string, Move>()
  for (const { shard, node: to, instances } of next) {
    const from = owners.get(shard)
    if (from === undefined || from === to) continue
    const key = JSON.stringify([from, to])
    const known = moves.get(key) ?? { from, to, shards: 0, instances: 0 }
    moves.set(key, { ...known, shards: known.shards + 1, instances: known.instances + instances })
  }
  return [...moves.values()].toSorted((one, other) => other.shards - one.shards)
}
