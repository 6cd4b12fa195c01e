import assert from 'node:assert/strict'
import { it } from 'node:test'
import { RecentMap } from './recent-map.js'

it('the entries that were used last are remembered, and the others forgotten', () => {
  const recent = new RecentMap<string, number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  assert.equal(recent.get('a'), 1)
  recent.set('c', 3)
  assert.deepEqual([recent.has('a'), recent.has('b'), recent.has('c')], [true, false, true])
  recent.set('a', 4)
  recent.set('d', 5)
  assert.deepEqual([...recent.values()], [4, 5])
  recent.delete('a')
  recent.delete('d')
  assert.deepEqual([[...recent.values()], recent.get('a'), recent.has('d')], [[], undefined, false])
})
