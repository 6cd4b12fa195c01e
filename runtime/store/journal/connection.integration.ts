import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { openTestStore } from '../../../test/support/store.js'
import { connectJournal } from './connection.js'

const CODE = (code: string) => (error: unknown) => error instanceof pg.DatabaseError && error.code === code

/** With a table `thing` of its own: an id, which cannot be there twice, a time and a name. */
async function connect(t: TestContext, statementTimeoutMs = 5_000) {
  const store = await openTestStore(t)
  const connection = await connectJournal(store.database.clientConfig, {
    statementMs: statementTimeoutMs,
    lockMs: 1_000,
  })
  t.after(() => connection.close())
  await connection.query('CREATE TABLE thing (id bigint PRIMARY KEY, at timestamptz, name text)')
  return connection
}

const ADD = 'INSERT INTO thing VALUES ($1::bigint, to_timestamp($2::bigint), $3::text) RETURNING id'
const READ = 'SELECT id, at, name FROM thing WHERE id >= $1::bigint ORDER BY id'

describe('statements of one turn', () => {
  it('are each answered with rows and command, the first time as later', async (t) => {
    const connection = await connect(t)
    for (const id of [1, 2]) {
      const answers = await Promise.all([
        connection.query('BEGIN'),
        connection.query(ADD, [id, 86_400, null]),
        connection.query(ADD, [id + 10, 86_400, 'Ana']),
        connection.query(READ, [id + 10]),
        connection.query('DELETE FROM thing WHERE id > $1::bigint', [10]),
        connection.query('COMMIT'),
      ])
      assert.deepEqual(
        answers.map(({ command }) => command),
        ['BEGIN', 'INSERT', 'INSERT', 'SELECT', 'DELETE', 'COMMIT'],
      )
      assert.deepEqual(
        answers.map(({ rows }) => rows),
        [[], [{ id }], [{ id: id + 10 }], [{ id: id + 10, at: new Date(86_400_000), name: 'Ana' }], [], []],
      )
    }
    const { rows } = await connection.query(READ, [0])
    assert.deepEqual(
      rows,
      [1, 2].map((id) => ({ id, at: new Date(86_400_000), name: null })),
    )
  })

  it('fail from the failing one on, and all of them can be repeated', async (t) => {
    const connection = await connect(t)
    await connection.query('INSERT INTO thing VALUES ($1::bigint)', [1])
    const [before, failed, ...after] = await Promise.allSettled([
      connection.query('BEGIN'),
      connection.query(ADD, [1, 0, 'again']),
      connection.query(READ, [0]),
      connection.query('COMMIT'),
    ])
    assert.equal(before?.status, 'fulfilled')
    assert.ok(failed?.status === 'rejected' && CODE('23505')(failed.reason))
    for (const one of after) assert.ok(one.status === 'rejected' && CODE('25P02')(one.reason))

    assert.equal((await connection.query('ROLLBACK')).command, 'ROLLBACK')
    const [, added, read, committed] = await Promise.all([
      connection.query('BEGIN'),
      connection.query(ADD, [2, 0, 'other']),
      connection.query<{ id: number }>(READ, [0]),
      connection.query('COMMIT'),
    ])
    assert.deepEqual(added?.rows, [{ id: 2 }])
    assert.deepEqual(
      read?.rows.map(({ id }) => id),
      [1, 2],
    )
    assert.equal(committed?.command, 'COMMIT')
  })

  it('fail without ending the transaction that is requested after them', async (t) => {
    const connection = await connect(t)
    const [, failed, ended, next] = await Promise.allSettled([
      connection.query('BEGIN'),
      connection.query('INSERT INTO thing VALUES (NULL)'),
      connection.query('ROLLBACK'),
      connection.query<{ one: number }>('SELECT 1 AS one'),
    ])
    assert.equal(failed?.status, 'rejected')
    assert.ok(ended?.status === 'fulfilled' && ended.value.command === 'ROLLBACK')
    assert.ok(next?.status === 'fulfilled' && next.value.rows[0]?.one === 1)
  })

  it('are prepared when repeated if an earlier failure kept them from being prepared', async (t) => {
    const connection = await connect(t)
    const wrong = connection.query('SELECT * FROM nothing_of_this_name')
    const behind = connection.query<{ two: number }>('SELECT 2 AS two')
    await assert.rejects(wrong, CODE('42P01'))
    await assert.rejects(behind, CODE('25P02'))
    await connection.query('CREATE TABLE nothing_of_this_name (id int)')
    assert.deepEqual((await connection.query('SELECT * FROM nothing_of_this_name')).rows, [])
    assert.deepEqual((await connection.query('SELECT 2 AS two')).rows, [{ two: 2 }])
  })

  it('fail when the connection has ended', async (t) => {
    const connection = await connect(t)
    const endings = [connection.query('SELECT pg_terminate_backend(pg_backend_pid())'), connection.query('SELECT 1')]
    for (const ending of endings) await assert.rejects(ending)
    await assert.rejects(connection.query('SELECT 1'))
    assert.equal(connection.isAlive, false)
  })
})

it('a statement that takes too long is ended, and the connection continues', async (t) => {
  const connection = await connect(t, 200)
  await assert.rejects(connection.query('SELECT pg_sleep($1::float8)', [10]), CODE('57014'))
  assert.deepEqual((await connection.query('SELECT 1 AS one')).rows, [{ one: 1 }])
})
