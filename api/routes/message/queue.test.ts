import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startFakeNode } from '../../../test/support/fake-node.js'

it('returns the queue for GET, empties it for DELETE, and refuses other methods', async (t) => {
  const node = await startFakeNode(t)
  const told = await node.call('/message/async')
  assert.deepEqual([told.status, told.body.response], [200, 'Nothing is queued'])
  const cleared = await node.call('/message/async', { method: 'DELETE' })
  assert.deepEqual([cleared.status, cleared.body.stats], [200, { canceled: 0 }])
  assert.deepEqual(node.commands, [{ type: 'queueStatus' }, { type: 'queueClear' }])
  const posted = await node.call('/message/async', { json: {} })
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'HEAD, GET, DELETE'])
})

it('the queue is nothing for others: without the token of the instance nothing is asked of it', async (t) => {
  const node = await startFakeNode(t)
  for (const method of ['GET', 'DELETE'])
    assert.equal((await node.call('/message/async', { method, headers: { token: 'wrong' } })).status, 401)
  assert.deepEqual(node.commands, [])
})
