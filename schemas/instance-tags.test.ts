import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changedTags, INSTANCE_TAGS_MAX } from './instance-tags.js'

describe('tags of an instance', () => {
  it('are replaced, added and removed, each kept once and in order', () => {
    assert.deepEqual(changedTags(['b'], { tags: ['c', ' a ', 'a'] }), ['a', 'c'])
    assert.deepEqual(changedTags(['b'], { add: ['a', 'b'] }), ['a', 'b'])
    assert.deepEqual(changedTags(['a', 'b'], { remove: ['b', 'x'] }), ['a'])
    assert.deepEqual(changedTags(['a'], { add: ['b'], remove: ['a'] }), ['b'])
    assert.deepEqual(changedTags(['a'], { tags: [] }), [])
  })

  it('are one tag when they look alike', () => {
    assert.deepEqual(changedTags([], { tags: ['caf\u00e9', 'cafe\u0301'] }), ['caf\u00e9'])
  })

  it('are refused above their maximum, by the field that adds them', () => {
    const many = Array.from({ length: INSTANCE_TAGS_MAX }, (_, index) => `tag ${index}`)
    assert.equal(changedTags([], { tags: many }).length, INSTANCE_TAGS_MAX)
    assert.throws(
      () => changedTags(many, { add: ['one more'] }),
      (error: { code?: string; details?: { field: string }[] }) =>
        error.code === 'INVALID_REQUEST' && error.details?.[0]?.field === 'add',
    )
    assert.equal(changedTags(many, { add: ['one more'], remove: ['tag 0'] }).length, INSTANCE_TAGS_MAX)
  })
})
