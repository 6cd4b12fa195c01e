import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPublicAddress } from './guard.js'

describe('an address', () => {
  for (const address of [
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '198.18.0.1',
    '192.0.0.192',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'not an address',
    '',
  ]) {
    it(`${address || '(empty)'} is not one of the public internet`, () => assert.equal(isPublicAddress(address), false))
  }
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::8a']) {
    it(`${address} is one of the public internet`, () => assert.equal(isPublicAddress(address), true))
  }
})
