import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openTestStore } from '../../test/support/store.js'
import { createSearch } from './timed-search.js'

it('ends a search that takes too long in PostgreSQL itself, and leaves its connection as it was', async (t) => {
  const { database, rows } = await openTestStore(t)
  const search = createSearch(database.pool, 100)
  assert.deepEqual(await search('SELECT $1::int AS one', [1]), [{ one: 1 }])
  await assert.rejects(search('SELECT pg_sleep(60) AS slow_search', []), {
    code: 'RATE_LIMITED',
    message: /stopped after 100 ms/,
  })
  const running =
    "SELECT count(*) AS count FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%slow_search%' AND pid <> pg_backend_pid()"
  assert.deepEqual(await rows(running), [{ count: 0 }])
  await assert.rejects(search('SELECT 1 / 0', []), /division by zero/)
  assert.ok(database.figures().every(({ held }) => held === 0))
  assert.deepEqual(await rows('SHOW statement_timeout'), [{ statement_timeout: '0' }])
})

it('lets a search of one instance begin while another one has many slow ones', async (t) => {
  const { database } = await openTestStore(t)
  const search = createSearch(database.pool, 10_000)
  let ended = 0
  const hostile = Array.from({ length: 8 }, async () => {
    await search('SELECT $1::text, pg_sleep(0.8)', ['hostile'])
    ended += 1
  })
  await search('SELECT $1::text', ['modest'])
  assert.equal(ended, 0)
  await Promise.all(hostile)
  assert.ok(database.figures().every(({ held }) => held === 0))
})
