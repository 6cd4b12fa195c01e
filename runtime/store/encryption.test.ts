import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createEncryption } from './encryption.js'

const first = Buffer.alloc(32, 1)
const second = Buffer.alloc(32, 2)
const data = Buffer.from('a Signal session')

describe('encryption at rest', () => {
  it('opens what it sealed, in the same place only', () => {
    const encryption = createEncryption(first)
    const sealed = encryption.seal(data, 'i1', 'session', '7')
    assert.deepEqual(encryption.open(sealed, 'i1', 'session', '7'), data)
    assert.throws(() => encryption.open(sealed, 'i2', 'session', '7'))
    assert.throws(() => encryption.open(sealed, 'i1', 'session', '8'))
    assert.equal(sealed.includes(data), false)
  })

  it('refuses what was changed, anywhere', () => {
    const encryption = createEncryption(first)
    const sealed = encryption.seal(data, 'i1')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      assert.throws(() => encryption.open(changed, 'i1'), `byte ${index}`)
    }
  })

  it('seals the same data differently each time', () => {
    const encryption = createEncryption(first)
    const sealed = new Set(Array.from({ length: 1_200 }, () => encryption.seal(data, 'i1').toString('hex')))
    assert.equal(sealed.size, 1_200)
  })

  it('reads under an old key and writes under the new one', () => {
    const sealed = createEncryption(first).seal(data, 'i1')
    const rotated = createEncryption(second, [first])
    assert.deepEqual(rotated.open(sealed, 'i1'), data)
    assert.equal(rotated.isCurrent(sealed), false)
    assert.equal(rotated.isCurrent(rotated.seal(data, 'i1')), true)
    assert.throws(() => createEncryption(second).open(sealed, 'i1'), /No key opens this value/)
  })

  it('refuses a key of another length', () => {
    assert.throws(() => createEncryption(Buffer.alloc(16)), /exactly 32 bytes/)
  })
})
