import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import { eventually } from '../../test/support/eventually.js'
import { findShard, openTestStore } from '../../test/support/store.js'
import { deleteUnpairedInstances } from './unpaired-instances.js'

const DAY_MS = 24 * 60 * 60_000

it('instances that were never paired are deleted after their time, and no others', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const make = async (columns = '') => {
    const id = await store.newInstance()
    const age = "clock_timestamp() - interval '31 days'"
    await store.rows(`UPDATE instance SET created = ${age}, updated = ${age} WHERE id = $1`, [id])
    if (columns !== '') await store.rows(`UPDATE instance SET ${columns} WHERE id = $1`, [id])
    return id
  }
  const abandoned = [await make(), await make("pairing = 3, pairing_ends = clock_timestamp() - interval '1 day'")]
  const kept = [
    await store.newInstance(),
    await make("updated = clock_timestamp() - interval '29 days'"),
    await make("owner_jid = '5511999990001@s.whatsapp.net'"),
    await make("owner_lid = '900000000000001@lid'"),
    await make("platform = 'android'"),
    await make('last_activity_at = now()'),
    await make('exported_at = now()'),
    await make("pairing_ends = clock_timestamp() + interval '10 seconds'"),
    await make("admitted_until = clock_timestamp() + interval '10 seconds'"),
  ]
  const withChat = await make()
  await store.rows(`INSERT INTO chat (instance_id, "wa_chatid") VALUES ($1, '1@s.whatsapp.net')`, [withChat])
  const told: InstanceId[] = []
  const run = () => deleteUnpairedInstances({ pool, afterMs: 30 * DAY_MS, onDeleted: (id) => told.push(id) })

  const both = await Promise.all([run(), run()])
  assert.deepEqual(both.flat().sort(), abandoned.toSorted(), 'each once, though two nodes do it')
  assert.deepEqual(told.toSorted(), abandoned.toSorted())
  const left = await store.rows<{ id: string }>('SELECT id FROM instance')
  assert.deepEqual(left.map(({ id }) => id).sort(), [...kept, withChat].sort())
  const gone = await store.rows<{ id: string }>('SELECT id FROM deleted_instance')
  assert.deepEqual(gone.map(({ id }) => id).sort(), abandoned.toSorted(), 'their rows are deleted by the next round')
  assert.deepEqual(await run(), [])
})

it('an instance whose pairing begins while it is about to be deleted stays', async (t) => {
  const store = await openTestStore(t)
  const { pool } = store.database
  const id = await store.newInstance()
  await store.rows("UPDATE instance SET created = '2020-01-01', updated = '2020-01-01' WHERE id = $1", [id])
  const other = await pool.connect()
  try {
    await other.query('BEGIN')
    await other.query('SELECT FROM shard_owner WHERE shard = $1 FOR UPDATE', [findShard(id)])
    const deleting = deleteUnpairedInstances({ pool, afterMs: DAY_MS, onDeleted() {} })
    await eventually(
      () => store.rows("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
      ({ length }) => length === 1,
    )
    await other.query("UPDATE instance SET pairing_ends = clock_timestamp() + interval '1 minute' WHERE id = $1", [id])
    await other.query('COMMIT')
    assert.deepEqual(await deleting, [])
  } finally {
    other.release()
  }
  assert.equal((await store.rows('SELECT FROM instance')).length, 1)
})
