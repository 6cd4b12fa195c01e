import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findMoves } from './moves.js'

const makeShard = (shard: number, node: string | null, instances = 1) => ({ shard, node, instances })

it('groups shards that went the same way, those of most shards first', () => {
  const former = [makeShard(0, 'a'), makeShard(1, 'a'), makeShard(2, 'b'), makeShard(3, null)]
  const next = [makeShard(0, 'b', 2), makeShard(1, 'b', 3), makeShard(2, 'b'), makeShard(3, 'a', 0), makeShard(4, 'a')]
  assert.deepEqual(findMoves(former, next), [
    { from: 'a', to: 'b', shards: 2, instances: 5 },
    { from: null, to: 'a', shards: 1, instances: 0 },
  ])
  assert.deepEqual(findMoves(next, next), [])
})
