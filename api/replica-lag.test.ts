import assert from 'node:assert/strict'
import { it } from 'node:test'
import { noteReplicaRead, noteReplicaReads } from '../schemas/replica-reads.js'
import { NO_MESSAGES, startFakeNode } from '../test/support/fake-node.js'

it('an answer that was read from a replica says how old it may be, and no other does', async (t) => {
  noteReplicaReads()
  let lags: number[] = []
  const messages = {
    ...NO_MESSAGES,
    async find() {
      for (const lag of lags) noteReplicaRead(lag)
      return { messages: [], hasMore: false, older: null, newer: null }
    },
  }
  const node = await startFakeNode(t, {}, { messages })
  const readLag = async () => (await node.call('/message/find', { json: {} })).headers.get('Replica-Lag-Ms')
  assert.equal(await readLag(), null)
  lags = [20, 1_200.4, 3]
  assert.equal(await readLag(), '1201')
  lags = []
  assert.equal(await readLag(), null)
})
