import assert from 'node:assert/strict'
import { appendFileSync, cpSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { isReported, PEER, startScene, storedTexts, talks, typed } from '../support/backups.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { png } from '../support/samples.js'

it('backs up embedded stores under traffic; a restore continues from then, says what is missing, and keeps the former data', async (t) => {
  const folder = testFolder(t)
  const [data, backup] = [path.join(folder, 'data'), path.join(folder, 'backup')]
  // Its keys are those that it has made itself.
  const scene = await startScene(t, { embeddedIn: data }, { env: { ENCRYPTION_KEY: '', CLUSTER_SECRET: '' } })
  const { world, ana, sent } = scene
  const picture = await png(40, 30)
  const { id } = await world.network<{ id: string }>('POST', `/phones/${PEER}/media`, {
    to: ana.number,
    kind: 'image',
    base64: picture.toString('base64'),
  })
  await eventually(async () => (await ana.messages({ id })).length === 1)
  const { fileURL } = await ana.done<{ fileURL: string }>('/message/download', { id })

  const traffic = scene.traffic('meanwhile')
  await traffic.goesOn(20)
  const before = [...sent]
  const made = await typed(world.gateway.environment, 'backup', backup)
  assert.equal(made.status, 0, made.stderr)
  assert.equal(made.stdout, `${backup}\n`)
  await traffic.goesOn(10)
  await traffic.stop()
  await ana.text(PEER, 'lost')

  const refused = await typed(world.gateway.environment, 'restore', backup, '--replace')
  assert.match(refused.stderr, /is in use by another gateway \(process \d+\)/)
  // A gateway that was killed leaves its servers running.
  await world.gateway.kill('SIGKILL')
  const asked = await typed(world.gateway.environment, 'restore', backup)
  assert.deepEqual([asked.status, /--replace/.test(asked.stderr)], [1, true], asked.stderr)
  const restored = await typed(world.gateway.environment, 'restore', backup, '--replace')
  assert.equal(restored.status, 0, restored.stderr)
  const kept = /kept in (\S+)\. Delete/.exec(restored.stderr)?.[1] ?? ''
  assert.ok(existsSync(path.join(kept, 'PG_VERSION')), restored.stderr)

  await world.gateway.start()
  await ana.connected()
  await isReported(world, backup)
  const stored = await storedTexts(ana)
  for (const text of before) assert.ok(stored.includes(text), text)
  assert.ok(!stored.includes('lost'))
  await talks(scene, 'after')

  // On another machine the backup alone is enough, keys and files with it.
  await world.gateway.kill('SIGTERM')
  const elsewhere = path.join(folder, 'elsewhere')
  const moved = await typed({ ...world.gateway.environment, DATA_DIR: elsewhere }, 'restore', backup)
  assert.equal(moved.status, 0, moved.stderr)
  await world.gateway.start({ DATA_DIR: elsewhere })
  await ana.connected()
  await talks(scene, 'elsewhere')
  const file = await fetch(`${world.gateway.url}${new URL(fileURL).pathname}${new URL(fileURL).search}`)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), picture)
})

it('keeps the newest backups of a folder, and refuses options that do not fit together', async (t) => {
  const [data, kept] = [path.join(testFolder(t), 'data'), testFolder(t)]
  const { environment } = (await startScene(t, { embeddedIn: data })).world.gateway
  const made: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const { status, stdout, stderr } = await typed(environment, 'backup', '--in', kept, '--keep', '2')
    assert.equal(status, 0, stderr)
    made.push(path.basename(stdout.trim()))
  }
  assert.deepEqual(readdirSync(kept).toSorted(), made.slice(1))
  for (const [words, reason] of [
    [['--keep', '2'], /need --in/],
    [['--in', kept, '--keep', '0'], /--keep must be a whole number from 1 to 1000/],
    [['--in', kept, '--every', 'day'], /--every must be a whole number/],
    [['--in', kept, kept], /Name the folder of the backup, or/],
  ] as const) {
    const { status, stderr } = await typed(environment, 'backup', ...words)
    assert.deepEqual([status, reason.test(stderr)], [2, true], stderr)
  }
  const { status, stderr } = await typed(environment, 'backup', '--in', path.join(kept, 'none'))
  assert.deepEqual([status, /There is no folder/.test(stderr)], [1, true], stderr)
})

it('refuses a backup that is not whole, of the other kind, or without its key, and changes nothing', async (t) => {
  const folder = testFolder(t)
  const backup = path.join(folder, 'backup')
  const scene = await startScene(t, { embeddedIn: path.join(folder, 'data') })
  const { environment } = scene.world.gateway
  await scene.ana.text(PEER, 'before')
  assert.equal((await typed(environment, 'backup', backup, '--without-keys')).status, 0)
  assert.ok(!existsSync(path.join(backup, 'secrets.json')))
  assert.match((await typed(environment, 'backup', backup)).stderr, /is not empty/)
  await scene.world.gateway.kill('SIGTERM')

  const elsewhere = { ...environment, DATA_DIR: path.join(folder, 'elsewhere') }
  const keyless = await typed({ ...elsewhere, ENCRYPTION_KEY: '' }, 'restore', backup)
  assert.match(keyless.stderr, /made without its keys.*ENCRYPTION_KEY/)
  const other = await typed({ ...elsewhere, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'restore', backup)
  assert.match(other.stderr, /DATABASE_URL is set/)
  const cut = path.join(folder, 'cut')
  cpSync(backup, cut, { recursive: true })
  appendFileSync(path.join(cut, 'postgresql/PG_VERSION'), ' ')
  assert.match((await typed(elsewhere, 'restore', cut)).stderr, /is not whole/)
  assert.match((await typed(elsewhere, 'restore', folder)).stderr, /is not a backup/)
  assert.ok(!existsSync(path.join(folder, 'elsewhere', 'postgresql')))

  assert.equal((await typed(elsewhere, 'restore', backup)).status, 0)
  await scene.world.gateway.start({ DATA_DIR: elsewhere.DATA_DIR })
  await scene.ana.connected()
})
