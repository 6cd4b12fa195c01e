import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bytesArray, intArray, textArray } from './arrays.js'

it('an array stays what it was while others are made, small ones and ones larger than any piece', () => {
  const sizes = [0, 1, 100, 30_000, 70_000, 5, 64 * 1024, 200_000, 3]
  const made = sizes.map((size) => {
    const arrays = [textArray([null, 'é'.repeat(size)]), bytesArray([Buffer.alloc(size, 7)]), intArray([size])]
    return arrays.map((bytes) => ({ bytes, was: Buffer.from(bytes) }))
  })
  for (const { bytes, was } of made.flat()) assert.ok(bytes.equals(was))
  // Nothing is kept of the room for characters of three bytes.
  assert.equal(made[2]?.[0]?.bytes.length, 20 + 4 + 4 + 200)
})
