import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { eventually } from '../../test/support/eventually.js'
import { openTestStore, type TestStore } from '../../test/support/store.js'
import { SessionLocks } from './session-locks.js'

const ONE = { key: '71, hashtext($1)', values: ['one'] }
const TWO = { key: '71, hashtext($1)', values: ['two'] }
const SHARED = { key: '72', isShared: true }

/** The locks of a process. */
function startProcess(t: TestContext, { database: { direct } }: TestStore) {
  const session = new pg.Pool({ ...direct, max: 1, idleTimeoutMillis: 0, application_name: 'a session' })
  session.on('error', () => {})
  session.on('connect', (client) => client.on('error', () => {}))
  t.after(() => session.end())
  return { session, locks: new SessionLocks(session) }
}

it('gives a lock to one holder, within a process too, and to the next when it is free', async (t) => {
  const store = await openTestStore(t)
  const [here, there] = [startProcess(t, store), startProcess(t, store)]
  const [one, two] = [await here.locks.tryLock(ONE), await here.locks.tryLock(TWO)]
  assert.ok(one && two)
  for (const { locks } of [here, there]) assert.equal(await locks.tryLock(ONE), null)
  await one.release()
  await one.release()
  const next = await there.locks.tryLock(ONE)
  assert.ok(next)
  assert.equal(await here.locks.tryLock(ONE), null)
  assert.equal(await there.locks.tryLock(TWO), null, 'the other lock of the session is still held')
  await next.release()
  assert.ok(await here.locks.tryLock(ONE))
  for (const { locks } of [here, there]) assert.ok(await locks.tryLock(SHARED))
  assert.equal(await there.locks.tryLock({ ...SHARED, isShared: false }), null)
})

it('tells every holder when the session ended, and gives the locks again', async (t) => {
  const store = await openTestStore(t)
  const [here, there] = [startProcess(t, store), startProcess(t, store)]
  const held = [await here.locks.tryLock(ONE), await here.locks.tryLock(TWO)]
  await store.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE application_name = 'a session' AND locktype = 'advisory'`,
  )
  await eventually(() => held.every((lock) => lock?.lost.aborted))
  const theirs = await there.locks.tryLock(ONE)
  assert.ok(theirs)
  // A lost lock needs no release, and takes nothing from others.
  for (const lock of held) await lock?.release()
  assert.equal(await here.locks.tryLock(ONE), null)
  assert.ok(await here.locks.tryLock(TWO))
  assert.equal(theirs.lost.aborted, false)
})

it('holds no lock of which the answer did not come', async (t) => {
  const store = await openTestStore(t)
  const { session, locks } = startProcess(t, store)
  const other = startProcess(t, store).locks
  const refused = assert.rejects(locks.tryLock({ key: '71, hashtext($1) + pg_sleep(30)::text::int', values: ['one'] }))
  await eventually(
    () => store.rows(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name = 'a session'`),
    (rows) => rows.length === 1,
  )
  await store.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)
  await refused
  assert.ok(await other.tryLock(ONE))
  assert.equal(await locks.tryLock(ONE), null)
  assert.ok(await locks.tryLock(TWO))
  assert.equal(session.totalCount, 1)
})
