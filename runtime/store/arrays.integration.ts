import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testDatabase } from '../../test/support/embedded.js'
import { testLog } from '../../test/support/store.js'
import { bigintArray, boolArray, bytesArray, intArray, textArray } from './arrays.js'
import { openDatabase } from './database.js'

it('values reach PostgreSQL as they are, and NUL characters, which it refuses, are left out', async (t) => {
  const database = openDatabase({ ...(await testDatabase(t)), poolMax: 1 }, testLog)
  t.after(() => database.close())
  const texts = ['', 'a,"b"\\{}', null, 'é 日本 👩‍👧', 'x\0y', 'NULL', undefined]
  const bytes = [Buffer.from([0, 1, 255]), null, Buffer.alloc(0), Buffer.from('z'), null, null, null]
  const bigs = [0, -1, 2 ** 32, -(2 ** 40) - 7, Number.MAX_SAFE_INTEGER, null, 1.9]
  const ints = [0, -1, 2 ** 31 - 1, -(2 ** 31), null, undefined, 1]
  const bools = [true, false, null, undefined, true, false, true]
  const { rows } = await database.pool.query(
    'SELECT * FROM unnest($1::text[], $2::bytea[], $3::bigint[], $4::int[], $5::bool[]) AS u(text, bytes, big, int, bool)',
    [textArray(texts), bytesArray(bytes), bigintArray(bigs), intArray(ints), boolArray(bools)],
  )
  assert.deepEqual(
    rows.map((row) => row.text),
    ['', 'a,"b"\\{}', null, 'é 日本 👩‍👧', 'xy', 'NULL', null],
  )
  assert.deepEqual(
    rows.map((row) => row.bytes),
    bytes,
  )
  assert.deepEqual(
    rows.map((row) => row.big),
    [0, -1, 2 ** 32, -(2 ** 40) - 7, Number.MAX_SAFE_INTEGER, null, 1],
  )
  assert.deepEqual(
    rows.map((row) => row.int),
    ints.map((one) => one ?? null),
  )
  assert.deepEqual(
    rows.map((row) => row.bool),
    bools.map((one) => one ?? null),
  )
  const empty = await database.pool.query('SELECT * FROM unnest($1::text[])', [textArray([])])
  assert.equal(empty.rowCount, 0)
})

it('a number for which PostgreSQL has no room becomes the nearest that it has, instead of an error at each attempt', async (t) => {
  const database = openDatabase({ ...(await testDatabase(t)), poolMax: 1 }, testLog)
  t.after(() => database.close())
  const { rows } = await database.pool.query('SELECT * FROM unnest($1::bigint[]) AS u(big)', [
    bigintArray([1e300, 2 ** 63, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, -0.5]),
  ])
  const { MAX_SAFE_INTEGER: max } = Number
  assert.deepEqual(
    rows.map((row) => row.big),
    [max, max, max, -max, 0, 0],
  )
})
