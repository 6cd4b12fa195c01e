import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TrafficReply } from '../../schemas/generated.js'
import { startCluster } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'

it('shows the messages and deliveries of each node on any node, once the node has written them', async (t) => {
  const cluster = await startCluster(t, { nodes: 2 })
  const ana = await cluster.paired('15550470001', 'Ana')
  await cluster.phone('15550470002')
  const receiver = await startReceiver(t)
  await ana.hook(receiver.url, { events: ['messages'] })
  await ana.text('15550470002', 'hello')
  const text = { to: ana.number, text: 'hello' }
  await cluster.network('POST', '/phones/15550470002/text', text)
  await eventually(async () => receiver.of('messages').length > 0)
  const read = async (query: string, node = cluster.nodes.find(({ pid }) => pid > 0)) =>
    (await node?.call<TrafficReply>('GET', `/admin/figures/traffic${query}`, { admin: true }))?.body
  assert.deepEqual((await read(''))?.rows, [])

  const placed = await cluster.gateway.call<{ node: string }>('GET', `/admin/instances/${ana.id}/placement`, {
    admin: true,
  })
  const owner = cluster.nodes.find(({ name }) => name === placed.body.node)
  await owner?.kill('SIGTERM')
  const told = await eventually(
    async () => await read('?hours=2'),
    (reply) => (reply?.nodes.length ?? 0) > 0,
  )
  assert.deepEqual(
    told?.nodes.map(({ id, sent, received }) => [id, sent, received]),
    [[owner?.name, 1, 1]],
  )
  assert.deepEqual([told?.stepMinutes, told?.rows.length], [5, 1])
  const [row] = told?.rows ?? []
  assert.ok(
    (row?.delivered ?? 0) >= 1 && (row?.p50Seconds ?? 0) > 0 && (row?.p99Seconds ?? 0) >= (row?.p50Seconds ?? 0),
  )
  assert.deepEqual((await read('?node=other'))?.rows, [])
})
