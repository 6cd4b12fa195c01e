/** A cluster whose number of shards is chosen at its creation, refused when another is named, and changed while no node runs. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startScene, typed } from '../support/backups.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import type { World } from '../support/world.js'

interface Shards {
  readonly shards: readonly { readonly shard: number; readonly isFree: boolean; readonly epoch: number }[]
}

it('changes the number of shards between two lives of a node, whose accounts send and receive as before', async (t) => {
  const { world, ana } = await startScene(t, {})
  const { gateway } = world
  const before = await readShards(world)
  assert.equal(before.length, 256)
  await ana.text('15552120009', 'before')

  assert.equal((await typed(gateway.environment, 'shards')).stdout, '256\n')
  const other = await gateway.startSecond({ CLUSTER_SHARDS: '512' })
  assert.notEqual(other.code, 0)
  assert.match(other.output, /CLUSTER_SHARDS is 512, and this cluster has 256 shards/)
  const early = await typed(gateway.environment, 'shards', '1024')
  assert.equal(early.status, 1, early.stderr)
  assert.match(early.stderr, /Nodes of this cluster run, or were killed/)
  assert.equal((await typed(gateway.environment, 'shards', '300')).status, 2)

  await gateway.kill('SIGTERM')
  const changed = await typed(gateway.environment, 'shards', '1024')
  assert.equal(changed.status, 0, changed.stderr)
  assert.match(changed.stdout, /had 256 shards and has 1024 now/)
  assert.equal((await typed(gateway.environment, 'shards')).stdout, '1024\n')

  await gateway.start({ CLUSTER_SHARDS: '1024' })
  await ana.connected()
  const after = await readShards(world)
  assert.equal(after.length, 1_024)
  for (const { shard, epoch } of after) assert.ok(epoch > (before[shard % 256]?.epoch ?? 0), `shard ${shard}`)
  await ana.text('15552120009', 'after')
  await world.network('POST', '/phones/15552120009/text', { to: ana.number, text: 'an answer' })
  const texts = await eventually(
    async () => (await ana.messages({ limit: 10 })).map(({ text }) => text),
    (all) => all.includes('an answer'),
  )
  for (const text of ['before', 'after']) assert.ok(texts.includes(text), text)
})

it('creates a cluster of 1,024 shards with embedded stores, and changes it once the gateway has stopped', async (t) => {
  const { world, ana } = await startScene(t, { embeddedIn: testFolder(t) }, { env: { CLUSTER_SHARDS: '1024' } })
  const { gateway } = world
  assert.equal((await readShards(world)).length, 1_024)
  const early = await typed(gateway.environment, 'shards', '2048')
  assert.match(early.stderr, /is in use by another gateway/)
  await gateway.kill('SIGTERM')
  const changed = await typed(gateway.environment, 'shards', '2048')
  assert.equal(changed.status, 0, changed.stderr)
  await gateway.start({ CLUSTER_SHARDS: '' })
  await ana.connected()
  assert.equal((await readShards(world)).length, 2_048)
})

/** Reads the shards once all have an owner. */
async function readShards({ gateway }: World): Promise<Shards['shards']> {
  return await eventually(
    async () => (await gateway.call<Shards>('GET', '/admin/shards', { admin: true })).body.shards,
    (shards) => shards.every(({ isFree }) => !isFree),
  )
}
