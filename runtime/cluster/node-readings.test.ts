import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createNodeReadings } from './node-readings.js'
import type { Incarnation, NodeId, NodeRow } from './ownership/protocol.js'

const makeNode = (name: string): NodeRow => ({
  incarnation: `${name}-1` as Incarnation,
  nodeId: name as NodeId,
  address: `${name}:1`,
  version: '1.0.0',
  isDraining: false,
  isDead: false,
  revision: 1,
})
const makeMinute = (atMs: number) => ({ atMs, lagMs: 1, memoryBytes: 2, commitMs: 3, waitingBytes: 4 })

it('reads this node and asks the others, by name, once for all callers; one that does not answer has none', async () => {
  const asked: string[] = []
  const readings = createNodeReadings({
    incarnation: 'b-1' as Incarnation,
    own: () => [makeMinute(2)],
    nodes: () => ['c', 'b', 'a'].map(makeNode),
    async ask(address) {
      asked.push(address)
      return address === 'a:1' ? [makeMinute(1)] : null
    },
  })
  const [first, second] = await Promise.all([readings.read(), readings.read()])
  assert.equal(first, second)
  assert.equal(await readings.read(), first)
  assert.deepEqual(asked, ['a:1', 'c:1'])
  assert.deepEqual(
    first.map(({ nodeId, minutes }) => [nodeId, minutes?.map(({ atMs }) => atMs) ?? null]),
    [
      ['a', [1]],
      ['b', [2]],
      ['c', null],
    ],
  )
})
