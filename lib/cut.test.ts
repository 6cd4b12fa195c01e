import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cut } from './cut.js'

it('a text is cut to its length, and never within a character', () => {
  for (const [text, unitsMax, wanted] of [
    ['abc', 5, 'abc'],
    ['abcdef', 3, 'abc'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀', 1, ''],
  ] as const)
    assert.equal(cut(text, unitsMax), wanted)
})
