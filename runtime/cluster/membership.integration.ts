import assert from 'node:assert/strict'
import { it } from 'node:test'
import { migratedDatabase } from '../../test/support/embedded.js'
import { eventually } from '../../test/support/eventually.js'
import { testLog } from '../../test/support/store.js'
import { openDatabase } from '../store/database.js'
import { endFormerLife } from './membership.js'

it('declares the former process of a name dead although PostgreSQL answers late at first', async (t) => {
  const { connectionString } = await migratedDatabase(t)
  const [own, other] = [{ sessionTimeoutMs: 200 }, {}].map((options) =>
    openDatabase({ connectionString, ...options }, testLog),
  )
  assert.ok(own && other)
  t.after(() => Promise.all([own.close(), other.close()]))
  const isDead = async () => (await other.pool.query("SELECT dead FROM node WHERE node_id = 'n'")).rows[0]?.dead
  await other.pool.query('INSERT INTO cluster_shards (shards) VALUES (256)')
  await other.pool.query(
    "INSERT INTO node (incarnation, node_id, address, version) VALUES ('a', 'n', '127.0.0.1:1', '1')",
  )
  const blocking = await other.pool.connect()
  await blocking.query('BEGIN')
  await blocking.query("SELECT FROM node WHERE node_id = 'n' FOR UPDATE")
  const waiting = async () =>
    (
      await other.pool.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE node%'",
      )
    ).rows[0]?.pid
  const ended = endFormerLife(own.session, 'n')
  ended.catch(() => {})
  const first = await eventually(waiting)
  // The first statement was given up, and another connection tries again.
  await eventually(waiting, (pid) => pid !== undefined && pid !== first)
  assert.equal(await isDead(), false)
  await blocking.query('COMMIT')
  blocking.release()
  await ended
  assert.equal(await isDead(), true)
})
