import assert from 'node:assert/strict'
import { it } from 'node:test'
import type pg from 'pg'
import { meterWork } from '../../schemas/work.js'
import { openTestStore } from '../../test/support/store.js'
import { writeOnce } from './in-transaction.js'
import { countPlaces, laneFor } from './shared-pool.js'
import { createSearch } from './timed-search.js'

const [GREEDY, MODEST] = ['igreedygreedygre', 'imodestmodestmod']

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

it('begins a search once that takes longer than a second, and again only where too many long ones run', async (t) => {
  const { database, rows } = await openTestStore(t)
  await rows(`CREATE FUNCTION slow_search(owner text) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN RAISE NOTICE 'begun by %', owner; PERFORM pg_sleep(1.3); RETURN 1; END $$`)
  const begun: string[] = []
  const heard = new WeakSet<pg.PoolClient>()
  for (const work of ['searches', 'long'] as const)
    laneFor(database.pool, work).on('acquire', (client) => {
      if (heard.has(client)) return
      heard.add(client)
      client.on('notice', ({ message }) => begun.push(message ?? ''))
    })
  const search = createSearch(database.pool, 30_000)
  const find = (owner: string) => search<{ one: number }>('SELECT slow_search($1) AS one', [owner])
  assert.deepEqual(await find('alone'), [{ one: 1 }])
  assert.deepEqual(begun, ['begun by alone'])

  const others = countPlaces(laneFor(database.pool, 'long'))
  const answers = await Promise.all([
    ...Array.from({ length: others }, (_, index) => find(`other ${index}`)),
    find('late'),
  ])
  assert.equal(answers.flat().length, others + 1)
  assert.equal(begun.filter((one) => one === 'begun by late').length, 2)
  assert.equal(begun.length, 1 + others + 2)
  assert.ok(database.figures().every(({ held }) => held === 0))
})

it('lets a statement of one instance begin while another one has many, also in transactions', async (t) => {
  const { database } = await openTestStore(t)
  const { pool } = database
  for (const run of [
    (text: string, values: string[]) => pool.query(text, values),
    (text: string, values: string[]) => writeOnce(pool, text, values),
  ]) {
    let ended = 0
    const hostile = Array.from({ length: 40 }, async () => {
      await run('SELECT $1::text, pg_sleep(0.1)', [GREEDY])
      ended += 1
    })
    await run('SELECT $1::text', [MODEST])
    assert.ok(ended <= 3, `${ended} of the others ended before`)
    await Promise.all(hostile)
  }
  assert.ok(database.figures().every(({ held, waiting }) => held === 0 && waiting === 0))
})

it('counts the time in which the rows of an instance are read as time of that instance', async (t) => {
  const { database } = await openTestStore(t)
  const times = new Map<string, number>()
  t.after(meterWork(({ instance }, ms) => void times.set(instance, (times.get(instance) ?? 0) + ms)))
  await database.pool.query("SELECT $1::text, repeat('á', 100000) FROM generate_series(1, 50)", [GREEDY])
  await database.pool.query('SELECT 1')
  assert.ok((times.get(GREEDY) ?? 0) > 1, `${times.get(GREEDY)} ms`)
  assert.deepEqual([...times.keys()], [GREEDY])
})
