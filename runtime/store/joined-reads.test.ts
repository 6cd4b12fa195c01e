import assert from 'node:assert/strict'
import { it } from 'node:test'
import { joinReads } from './delivery-views.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('reads with one statement what is asked for at the same time, and answers each caller', async () => {
  const statements: number[][] = []
  const read = joinReads(
    async (keys: readonly number[]) => {
      statements.push([...keys])
      return keys.map((key) => key * 10)
    },
    3,
    1,
  )
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map(read)), [10, 20, 30, 40])
  assert.equal(await read(5), 50)
  assert.deepEqual(statements, [[1, 2, 3], [4], [5]])
})

it('has at most so many statements under way, and joins what is asked for meanwhile', async () => {
  const statements: { keys: readonly string[]; end: () => void }[] = []
  const read = joinReads(
    (keys: readonly string[]) =>
      new Promise<readonly string[]>((resolve) => statements.push({ keys, end: () => resolve(keys) })),
    10,
    2,
  )
  const reads: Promise<string>[] = []
  for (const key of ['a', 'b', 'c', 'd']) {
    reads.push(read(key))
    await turn()
    await turn()
  }
  assert.deepEqual(
    statements.map(({ keys }) => keys),
    [['a'], ['b']],
  )
  for (const { end } of statements.splice(0)) end()
  await turn()
  assert.deepEqual(
    statements.map(({ keys }) => keys),
    [['c', 'd']],
  )
  statements[0]?.end()
  assert.deepEqual(await Promise.all(reads), ['a', 'b', 'c', 'd'])
})

it('gives the error of a statement to all of its callers, and continues', async () => {
  let isAway = true
  const read = joinReads(
    async (keys: readonly number[]) => {
      if (isAway) throw new Error('away')
      return keys
    },
    10,
    1,
  )
  for (const outcome of await Promise.allSettled([read(1), read(2)])) assert.equal(outcome.status, 'rejected')
  isAway = false
  assert.equal(await read(3), 3)
})
