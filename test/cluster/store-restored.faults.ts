/** A backup that is restored under a cluster with traffic. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { findPostgresWithClients, typed } from '../support/backups.js'
import { testFolder, testPostgres } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { databasePlace } from '../support/proxy.js'
import { hadOneOwner, startScene } from './scene.js'

/** The nodes notice a loss, and all accounts are connected again, within this time. */
const HEALED_MS = 30_000

interface StoreState {
  readonly state: string
  readonly wentBack: { readonly cause: string; readonly lostFrom: string } | null
}

it('a backup is restored under two nodes with traffic: both report the span, all accounts connect again, and nobody has two owners', async (t) => {
  const binaries = await findPostgresWithClients()
  const { connectionString } = await testPostgres(t, () => ({}), binaries)
  const database = { connectionString, at: () => databasePlace(connectionString).target }
  const scene = await startScene(t, { nodes: 2, instances: 3, everyMs: 700, database })
  const [node] = scene.cluster.nodes
  assert.ok(node)
  const environment = { ...node.environment, PATH: `${binaries}:${process.env.PATH ?? ''}` }
  const backup = path.join(testFolder(t), 'backup')
  await scene.goesOn(5)
  const made = await typed(environment, 'backup', backup)
  assert.equal(made.status, 0, made.stderr)
  await scene.goesOn(8)
  const restored = await typed(environment, 'restore', backup, '--replace')
  assert.equal(restored.status, 0, restored.stderr)

  const startedMs = performance.now()
  const leftMs = () => Math.max(0, HEALED_MS - (performance.now() - startedMs))
  const { madeAt } = JSON.parse(readFileSync(path.join(backup, 'posthorn-backup.json'), 'utf8')) as { madeAt: string }
  for (const one of scene.cluster.nodes)
    await eventually(
      () => one.call<{ store: StoreState }>('GET', '/admin/nodes', { admin: true }).then(({ body }) => body.store),
      ({ state, wentBack }) => state === 'current' && wentBack?.cause === 'restore' && wentBack.lostFrom === madeAt,
      leftMs(),
    )
  await Promise.all(scene.instances.map((instance) => instance.connected(leftMs())))
  t.diagnostic(`healed after ${Math.round(performance.now() - startedMs)} ms`)
  await scene.goesOn(3)
  for (const traffic of scene.traffics) {
    await traffic.stop()
    await traffic.isOnce()
  }
  for (const one of scene.cluster.nodes) assert.ok(one.isRunning)
  hadOneOwner(await scene.logins())
})
