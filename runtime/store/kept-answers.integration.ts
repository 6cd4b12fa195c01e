import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { openTestStore } from '../../test/support/store.js'
import { createKeptAnswers } from './kept-answers.js'

async function scene(t: TestContext) {
  const test = await openTestStore(t)
  const { pool } = test.database
  const counted: string[] = []
  const query = pool.query.bind(pool) as (...values: unknown[]) => unknown
  Object.assign(pool, {
    query(...values: unknown[]) {
      if (String(values[0]).includes('count(*)')) counted.push(String(values[0]))
      return query(...values)
    },
  })
  const answers = createKeptAnswers(pool, test.encryption)
  const instance = await test.newInstance()
  const call = (idempotencyKey: string) => ({ instance, idempotencyKey, requestHash: 'h' })
  return { answers, call, counted, instance, pool }
}

describe('kept answers', () => {
  it('are not counted for each call of their instance', async (t) => {
    const { answers, call, counted } = await scene(t)
    for (let index = 0; index < 50; index += 1) {
      assert.equal(await answers.begin(call(`key ${index}`)), null)
      await answers.keep(call(`key ${index}`), { status: 200, reply: { index } })
    }
    assert.ok(counted.length <= 3, `${counted.length} counts`)
    const again = await answers.begin(call('key 7'))
    assert.deepEqual(again?.answer, { status: 200, reply: { index: 7 } })
  })

  it('are bounded, and those that are there are given when there is no room', async (t) => {
    const { answers, call, instance, pool } = await scene(t)
    assert.equal(await answers.begin(call('first')), null)
    await answers.keep(call('first'), { status: 201, reply: 'made' })
    await pool.query(
      `INSERT INTO kept_answer (instance_id, idempotency_key, request_hash)
       SELECT $1, 'other ' || n, 'h' FROM generate_series(1, 20000) AS n`,
      [instance],
    )
    const full = createKeptAnswers(pool, {} as never)
    await assert.rejects(full.begin(call('one more')), { code: 'RATE_LIMITED' })
    assert.deepEqual((await answers.begin(call('first')))?.answer, { status: 201, reply: 'made' })
  })
})
