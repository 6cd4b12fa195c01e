import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startReplicatedPostgres } from '../support/replicated-postgres.js'

const COUNT = 'SELECT count(*)::int AS count FROM note'

it('a promoted standby has what it got, and not what was held back', async (t) => {
  const servers = await startReplicatedPostgres(t)
  await servers.rows('CREATE TABLE note (text text)')
  await servers.rows("INSERT INTO note VALUES ('kept')")
  await servers.follow()
  servers.holdBack()
  await servers.rows("INSERT INTO note VALUES ('lost')")
  assert.deepEqual(await servers.rows(COUNT), [{ count: 2 }])
  await servers.promote({ oldLivesOn: true })
  assert.deepEqual(await servers.rows('SELECT text FROM note'), [{ text: 'kept' }])
  await servers.rows("INSERT INTO note VALUES ('after')")
  assert.deepEqual(await servers.rows(COUNT, [], servers.first), [{ count: 2 }])
  assert.deepEqual(await servers.rows(COUNT, [], servers.second), [{ count: 2 }])
})
