import assert from 'node:assert/strict'
import path from 'node:path'
import { it } from 'node:test'
import { findPostgresWithClients, isReported, PEER, startScene, storedTexts, talks, typed } from '../support/backups.js'
import { testFolder, testPostgres } from '../support/embedded.js'
import { ownProgram } from '../support/gateway.js'
import { buildCommit, chooseProgram, findCommit, readReleased } from '../support/released.js'

it('restores a dump of PostgreSQL 15 under a gateway that runs: it heals and reports, without a restart', async (t) => {
  const binaries = await findPostgresWithClients()
  const postgres = await testPostgres(t, () => ({}), binaries)
  const backup = path.join(testFolder(t), 'backup')
  const scene = await startScene(t, { postgres })
  const { world, ana, sent } = scene
  const environment = { ...world.gateway.environment, PATH: `${binaries}:${process.env.PATH ?? ''}` }
  const traffic = scene.traffic('meanwhile')
  await traffic.goesOn(20)
  const before = [...sent]
  const made = await typed(environment, 'backup', backup)
  assert.equal(made.status, 0, made.stderr)
  await traffic.goesOn(20)
  const { messageid } = await ana.text(PEER, 'lost')
  await world.shownAt(PEER, messageid)

  const asked = await typed(environment, 'restore', backup)
  assert.deepEqual([asked.status, /--replace/.test(asked.stderr)], [1, true], asked.stderr)
  const restored = await typed(environment, 'restore', backup, '--replace')
  assert.equal(restored.status, 0, restored.stderr)
  await isReported(world, backup)
  await ana.connected()
  await traffic.goesOn(10)
  await traffic.stop()
  const stored = await storedTexts(ana)
  for (const text of before) assert.ok(stored.includes(text), text)
  assert.ok(!stored.includes('lost'), 'what is newer than the backup is not in it')
  await talks(scene, 'after')
  assert.ok(world.gateway.isRunning)
})

it('backs up stores of the last release, and restores them under this one', async (t) => {
  const { commit: recorded, version } = readReleased()
  const commit = await findCommit(recorded)
  if (commit === null)
    return t.skip(`The program of ${version} is built from git, and this tree has no commit ${recorded}.`)
  const folder = testFolder(t)
  const program = chooseProgram(await buildCommit(commit, folder))
  const binaries = await findPostgresWithClients()
  for (const kind of ['embedded', 'external'] as const) {
    const backup = path.join(folder, `backup-${kind}`)
    const stores =
      kind === 'embedded'
        ? { embeddedIn: path.join(folder, 'data') }
        : { postgres: await testPostgres(t, () => ({}), binaries) }
    const former = await startScene(t, stores, { program })
    const { world, ana } = former
    const environment = { ...world.gateway.environment, PATH: `${binaries}:${process.env.PATH ?? ''}` }
    const traffic = former.traffic('of the former release')
    await traffic.goesOn(5)
    const before = [...former.sent]
    assert.equal((await typed(environment, 'backup', backup)).status, 0)
    await traffic.stop()
    await world.gateway.kill('SIGTERM')
    const restored = await typed(environment, 'restore', backup, '--replace')
    assert.equal(restored.status, 0, restored.stderr)
    await world.gateway.start({}, ownProgram)
    await ana.connected()
    await isReported(world, backup)
    const stored = await storedTexts(ana)
    for (const text of before) assert.ok(stored.includes(text), text)
  }
})
