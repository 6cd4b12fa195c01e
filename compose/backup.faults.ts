/** The service `backup` of compose.yaml, by its own command and with its settings, beside a gateway whose files are in the shared volume. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { packageRoot } from '../lib/package-root.js'
import { findPostgresWithClients, isReported, PEER, startScene, storedTexts, talks } from '../test/support/backups.js'
import { testFolder, testPostgres } from '../test/support/embedded.js'
import { eventually } from '../test/support/eventually.js'
import { png } from '../test/support/samples.js'

interface Service {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const { services } = parse(readFileSync(path.join(packageRoot, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: { readonly backup: Service }
}

it('makes a backup at once, another one when it is told to, ends by SIGTERM, and restores as the page says', async (t) => {
  const binaries = await findPostgresWithClients()
  const postgres = await testPostgres(t, () => ({}), binaries)
  const folder = testFolder(t)
  const [files, backups] = [path.join(folder, 'files'), path.join(folder, 'backups')]
  for (const made of [files, backups]) mkdirSync(made)
  const scene = await startScene(t, { postgres }, { env: { MEDIA_STORAGE: 'shared', MEDIA_FOLDER: files } })
  const { world, ana, sent } = scene
  const picture = await png(40, 30)
  const { id } = await world.network<{ id: string }>('POST', `/phones/${PEER}/media`, {
    ...{ to: ana.number, kind: 'image', base64: picture.toString('base64') },
  })
  await eventually(async () => (await ana.messages({ id })).length === 1)
  const { fileURL } = await ana.done<{ fileURL: string }>('/message/download', { id })

  // Values that compose takes from .env are in the environment of the gateway; the folder of the container is another one here.
  const environment = {
    ...Object.fromEntries(
      Object.keys(services.backup.environment).map((name) => [name, world.gateway.environment[name]]),
    ),
    ...{
      PATH: `${binaries}:${process.env.PATH ?? ''}`,
      DATA_DIR: path.join(folder, 'scratch'),
      NODE_ENV: 'production',
    },
  }
  const inFolder = (word: string) => word.replace('/backups', backups).replace(/^\$\{BACKUPS_KEPT:-(\d+)\}$/, '$1')
  const [, ...words] = services.backup.command.map(inFolder)
  const at = { cwd: packageRoot, env: environment }
  const inContainer = async (...more: readonly string[]) =>
    (
      await promisify(execFile)(process.execPath, ['dist/backup.js', ...more], { ...at, timeout: 240_000 })
    ).stdout.trim()

  const traffic = scene.traffic('meanwhile')
  await traffic.goesOn(10)
  const before = [...sent]
  const service = spawn(process.execPath, words, { ...at, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  service.stderr.on('data', (data: Buffer) => (said += data.toString()))
  t.after(() => void service.kill('SIGKILL'))
  await eventually(() => /Backed up the external PostgreSQL .* and 1 file /.test(said) || service.exitCode !== null)
  assert.equal(service.exitCode, null, said)
  await inContainer('backup', '--in', backups)
  const made = readdirSync(backups)
    .map((name) => path.join(backups, name))
    .sort()
  assert.equal(made.length, 2)
  await traffic.stop()
  assert.equal(service.exitCode, null, 'it waits for the next day')
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  await ended

  await ana.text(PEER, 'lost')
  await inContainer('restore', made[0] ?? '', '--replace')
  await isReported(world, made[0] ?? '')
  await ana.connected()
  const stored = await storedTexts(ana)
  for (const text of before) assert.ok(stored.includes(text), text)
  assert.ok(!stored.includes('lost'))
  await talks(scene, 'after')
  const file = await fetch(`${world.gateway.url}${new URL(fileURL).pathname}${new URL(fileURL).search}`)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), picture)
})
