/** Fixed when a cluster is created. */
export const SHARDS = 256

/** The virtual shard of an instance: FNV-1a over the id's characters. */
export function shardOf(instanceId: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < instanceId.length; index++) {
    hash = Math.imul(hash ^ instanceId.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) % SHARDS
}
