import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PoolClient } from 'pg'
import { openTestStore } from '../../test/support/store.js'
import { assertOnlyOurs } from './dump.js'

it('a backup and a restore refuse a schema that has tables of another program, and know all tables of ours', async (t) => {
  const { database } = await openTestStore(t)
  const client: PoolClient = await database.pool.connect()
  try {
    await assertOnlyOurs(client)
    await client.query('CREATE TABLE workflow_entity (id int)')
    await client.query('CREATE VIEW workflow_list AS SELECT id FROM workflow_entity')
    await assert.rejects(
      assertOnlyOurs(client),
      /\(workflow_entity, workflow_list\)\. .*a schema or a database of its own/,
    )
  } finally {
    client.release()
  }
})
