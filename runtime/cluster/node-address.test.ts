import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseBinding, joinAddress, splitAddress } from './node-address.js'

describe('the address of a node', () => {
  it('is a host, with a port if one is given', () => {
    assert.deepEqual(splitAddress('node-1.cluster'), { host: 'node-1.cluster', port: undefined })
    assert.deepEqual(splitAddress('node-1.cluster:3001'), { host: 'node-1.cluster', port: 3_001 })
    assert.deepEqual(splitAddress('10.0.0.1:3001'), { host: '10.0.0.1', port: 3_001 })
  })

  it('may be an IPv6 address, in brackets when a port follows', () => {
    assert.deepEqual(splitAddress('fd00::1'), { host: 'fd00::1', port: undefined })
    assert.deepEqual(splitAddress('[fd00::1]'), { host: 'fd00::1', port: undefined })
    assert.deepEqual(splitAddress('[fd00::1]:3001'), { host: 'fd00::1', port: 3_001 })
    assert.equal(joinAddress('fd00::1', 3_001), '[fd00::1]:3001')
    assert.equal(joinAddress('10.0.0.1', 3_001), '10.0.0.1:3001')
  })

  it('is listened on if this machine has it, else all addresses are', () => {
    assert.equal(chooseBinding('127.0.0.1'), '127.0.0.1')
    assert.equal(chooseBinding('localhost'), '127.0.0.1')
    assert.equal(chooseBinding('a-name-behind-a-balancer'), '0.0.0.0')
  })
})
