import assert from 'node:assert/strict'
import { it } from 'node:test'
import { movesBetween } from './moves.js'

const shardOf = (shard: number, node: string | null, instances = 1) => ({ shard, node, instances })

it('groups shards that went the same way, those of most shards first', () => {
  const former = [shardOf(0, 'a'), shardOf(1, 'a'), shardOf(2, 'b'), shardOf(3, null)]
  const next = [shardOf(0, 'b', 2), shardOf(1, 'b', 3), shardOf(2, 'b'), shardOf(3, 'a', 0), shardOf(4, 'a')]
  assert.deepEqual(movesBetween(former, next), [
    { from: 'a', to: 'b', shards: 2, instances: 5 },
    { from: null, to: 'a', shards: 1, instances: 0 },
  ])
  assert.deepEqual(movesBetween(next, next), [])
})
