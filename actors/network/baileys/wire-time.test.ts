import assert from 'node:assert/strict'
import { it } from 'node:test'
import { wireTimeMs } from './wire-time.js'

it('a time that a phone or server tells is one that PostgreSQL and a Date can hold', () => {
  assert.equal(wireTimeMs('1700000000', 1_000), 1_700_000_000_000)
  assert.equal(wireTimeMs(1_700_000_000_000n, 1), 1_700_000_000_000)
  for (const value of [
    null,
    undefined,
    '',
    'x',
    -1,
    Number.NaN,
    '1e300',
    '18446744073709551615',
    2 ** 63,
    Infinity,
    {},
  ])
    assert.equal(wireTimeMs(value, 1_000), 0, String(value))
})
