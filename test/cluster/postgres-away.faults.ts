import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { awayMs, startScene } from './scene.js'

/** Longer than a lease, and than a call waits. */
const AWAY_MS = awayMs(20_000)

it('PostgreSQL away from all nodes: calls get an error, connections and owners stay, and all continues without help', async (t) => {
  const scene = await startScene(t)
  const shards = await scene.cluster.shards()
  for (const { links } of scene.cluster.nodes) links.database.silence()
  const [instance] = scene.instances
  assert.ok(instance)
  await pause(AWAY_MS)
  // Of a node: no balancer sends a call to any, since none is ready.
  const [node] = scene.cluster.nodes
  const body = { number: '15552000000', text: 'while it is away' }
  assert.ok(node)
  const refused = await node.call<Record<string, unknown>>('POST', '/send/text', { token: instance.token, body })
  assert.equal(refused.status, 503, JSON.stringify(refused.body))
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  for (const { links } of scene.cluster.nodes) links.database.mend()
  await scene.goesOn(3)
  assert.deepEqual(await scene.cluster.shards(), shards)
  await scene.ends()
})
