import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PeerClient } from './peers/client.js'
import type { NodePlace, StoreNewsAnswer } from './peers/protocol.js'
import { tellNeighbours } from './store-neighbours.js'

const NEWS = { system: '7', timeline: 2, era: 2 }

function place(nodeId: string, incarnation = nodeId): NodePlace {
  return { incarnation, nodeId, address: `${nodeId}:1` }
}

/** Nodes by their address; `refused`: nobody listens there, `silent`: no answer. */
function scene(nodes: Readonly<Record<string, Partial<StoreNewsAnswer> | 'refused' | 'silent'>>) {
  const told: string[] = []
  const peers: Pick<PeerClient, 'tellStore' | 'probe'> = {
    async tellStore(address, news) {
      assert.deepEqual(news, NEWS)
      told.push(address)
      const answer = nodes[address] ?? 'silent'
      if (typeof answer === 'string') return null
      const nodeId = address.split(':')[0] as string
      return { incarnation: nodeId, nodeId, isHeeded: true, nodes: [], ...answer }
    },
    async probe(address) {
      const answer = nodes[address] ?? 'silent'
      return { type: 'lost', why: answer === 'refused' ? 'refused' : 'silent', wasSent: false }
    },
  }
  const options = { incarnation: 'me', peers, timeoutMs: 30_000 }
  return { told, tell: (...all: NodePlace[]) => tellNeighbours(NEWS, all, options) }
}

describe('the news of the newest store', () => {
  it('reach all nodes, and those that they know, once', async () => {
    const { tell, told } = scene({
      'a:1': { nodes: [place('me'), place('b'), place('c')] },
      'b:1': { nodes: [place('a'), place('c')] },
      'c:1': {},
    })
    assert.equal(await tell(place('a'), place('b')), true)
    assert.deepEqual(told, ['a:1', 'b:1', 'c:1'])
  })

  it('count as heard where a process has ended, or where a later life of the node listens', async () => {
    const { tell } = scene({ 'a:1': 'refused', 'b:1': { incarnation: 'b2' } })
    assert.equal(await tell(place('a'), place('b')), true)
    assert.equal(await scene({}).tell(), true)
  })

  it('are not known to all while a node is silent, uses another database, or another one listens at its address', async () => {
    assert.equal(await scene({ 'a:1': {}, 'b:1': 'silent' }).tell(place('a'), place('b')), false)
    assert.equal(await scene({ 'a:1': { isHeeded: false } }).tell(place('a')), false)
    assert.equal(await scene({ 'a:1': { incarnation: 'x', nodeId: 'x' } }).tell(place('a')), false)
    assert.equal(await scene({ 'a:1': { nodes: [place('c')] } }).tell(place('a')), false)
  })
})
