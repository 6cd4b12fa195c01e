import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { testLog } from '../../test/support/store.js'
import { probePeers } from './member.js'
import type { NodeRow } from './ownership/protocol.js'
import { PeerLinks } from './peers/client.js'
import { HttpPeerServer } from './peers/server.js'

async function neighbour(t: TestContext, secret: string): Promise<NodeRow> {
  const server = new HttpPeerServer({
    secret,
    state: () => ({ incarnation: 'one', nodeId: 'n1', version: '1.0.0', isDraining: false, isGuardOpen: true }),
    serve: async () => ({ type: 'moved', owner: 'none', wasBegun: false }),
    pull: async () => ({ epoch: null }),
    readings: () => [],
    store: () => ({ incarnation: 'one', nodeId: 'n1', isHeeded: true, nodes: [] }),
    logger: testLog,
  })
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  const address = `127.0.0.1:${port}`
  return { incarnation: 'one', nodeId: 'n1', address, version: '1.0.0', isDraining: false, isDead: false, revision: 1 }
}

it('tells a node at its start that its secret differs from the others', async (t) => {
  const there = await neighbour(t, 'the secret of the cluster')
  const meet = async (secret: string, others: readonly NodeRow[]): Promise<void> => {
    const peers = new PeerLinks({ secret })
    t.after(() => peers.close())
    await probePeers(others, { address: '127.0.0.1:1', peers, timeoutMs: 2_000 }, testLog)
  }
  await meet('the secret of the cluster', [there])
  await meet('another secret', [])
  await assert.rejects(meet('another secret', [there]), /The other nodes have another CLUSTER_SECRET/)
  // One that does not listen, because it has just ended, proves nothing.
  await meet('another secret', [{ ...there, address: '127.0.0.1:9' }])
})
