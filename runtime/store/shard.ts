/** Number of shards of a cluster that was created without CLUSTER_SHARDS, and of every cluster before release 0.5. */
export const DEFAULT_SHARDS = 256

/** Returns the virtual shard of an instance. */
export type ShardOf = (instanceId: string) => number

/**
 * FNV-1a over the id's characters. `shard_of` in SQL returns the same.
 * @param shards of the cluster, as its store records them (`shard-count.ts`)
 */
export function createShardFinder(shards: number): ShardOf {
  return (instanceId) => {
    let hash = 0x811c9dc5
    for (let index = 0; index < instanceId.length; index++) {
      hash = Math.imul(hash ^ instanceId.charCodeAt(index), 0x01000193)
    }
    return (hash >>> 0) % shards
  }
}
