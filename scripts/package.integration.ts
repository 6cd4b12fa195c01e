/** The npm package as it is published: packed, installed into an empty folder by npm, started by npx, paired, and a message sent. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { packageRoot, packageVersion } from '../lib/package-root.js'
import { startSandbox } from '../sandbox/index.js'
import { type Cleanup, lastFirst, suiteCleanup } from '../test/support/cleanup.js'
import { testFolder } from '../test/support/embedded.js'
import { caller } from '../test/support/gateway.js'
import { createWorld } from '../test/support/world.js'
import { packPackage } from './pack.js'

const run = promisify(execFile)
const FILES_MAX = 1_500
const BYTES_MAX = 6_000_000
/** From an empty folder to the first message, on a machine with nothing else to do: 60 s. This one runs other tests too. */
const FIRST_TIME_MAX_MS = 120_000

// Own process: it waits for npm for most of its time.
describe('the npm package', () => {
  const cleanup = suiteCleanup()
  let archive = ''
  let folder = ''
  let installedMs = 0

  before(async () => {
    const made = testFolder(cleanup)
    archive = await packPackage(path.join(made, 'packed'))
    folder = path.join(made, 'empty')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
    const begun = performance.now()
    // As a user types it.
    await run('npm', ['install', archive, '--no-audit', '--no-fund'], { cwd: folder, timeout: 300_000 })
    installedMs = performance.now() - begun
  })

  it('has no tests, no sources and no more than a reader would wait for', async () => {
    const { stdout } = await run('tar', ['-tzf', archive], { maxBuffer: 16 * 1024 * 1024 })
    const files = stdout.trim().split('\n')
    assert.ok(files.length <= FILES_MAX, `${files.length} files`)
    assert.ok(statSync(archive).size <= BYTES_MAX, `${statSync(archive).size} bytes`)
    assert.deepEqual(
      files.filter((file) => /\.(test|integration|faults|browser|long)\.|\.tsx?$|\/test\//.test(file)),
      [],
    )
    const manifest = JSON.parse(readFileSync(path.join(folder, 'node_modules/posthorn/package.json'), 'utf8')) as object
    assert.ok(!('private' in manifest) && !('devDependencies' in manifest))
  })

  it('installs the versions that were tested, also where our overrides say which', () => {
    const lock = JSON.parse(readFileSync(path.join(packageRoot, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string }>
    }
    const ours = path.join(folder, 'node_modules/posthorn')
    for (const name of ['bull', 'ioredis', '@ai-sdk/provider', '@whiskeysockets/baileys', 'pg']) {
      const file = [path.join(ours, 'node_modules', name), path.join(folder, 'node_modules', name)]
        .map((place) => path.join(place, 'package.json'))
        .find((place) => statSync(place, { throwIfNoEntry: false }) !== undefined)
      const { version } = JSON.parse(readFileSync(file ?? '', 'utf8')) as { version: string }
      assert.equal(version, lock.packages[`node_modules/${name}`]?.version, name)
    }
  })

  it('starts a gateway that pairs an account and sends a message, soon after it was not even installed', async (test) => {
    const t = lastFirst(test)
    const sandbox = await startSandbox()
    t.after(() => sandbox.close())
    const adminToken = 'a-token-of-this-test-a-token-of-this-test'
    const begun = performance.now()
    const { port } = await startCommand(t, folder, ['start'], {
      ...{ PORT: '0', DATA_DIR: path.join(folder, 'data'), ADMIN_TOKEN: adminToken },
      ...{ WA_WEBSOCKET_URL: sandbox.websocketUrl, WA_NOISE_ROOT_KEY: sandbox.noiseRootKeyHex },
      ...{
        WA_MEDIA_CA_FILE: sandbox.mediaCaFile,
        ALLOW_PRIVATE_ADDRESSES: 'true',
        SEND_DELAY_MIN_MS: '0',
        SEND_DELAY_MAX_MS: '0',
      },
      // Names of the command line in the same terminal.
      ...{ POSTHORN_URL: 'http://127.0.0.1:3000', POSTHORN_ADMIN_TOKEN: adminToken },
    })
    const url = `http://127.0.0.1:${port}`
    const world = createWorld(sandbox, { url, call: caller(() => url, adminToken) })
    const ana = await world.paired('15552130001', 'Ana')
    await world.phone('15552130002', 'Ben')
    const { messageid } = await ana.text('15552130002', 'from the package')
    await world.shownAt('15552130002', messageid)
    const firstTimeMs = installedMs + performance.now() - begun
    test.diagnostic(`First message ${(firstTimeMs / 1000).toFixed(1)} s after an empty folder.`)
    assert.ok(firstTimeMs < FIRST_TIME_MAX_MS, `${Math.round(firstTimeMs)} ms`)

    const linked = await npx(folder, ['link'], { POSTHORN_URL: url, POSTHORN_ADMIN_TOKEN: adminToken })
    assert.match(linked.stdout, /^http:\/\/127\.0\.0\.1:\d+\/dashboard\/#welcome=\S+\n$/)
    assert.match(linked.stderr, /within ten minutes/)
    assert.equal((await fetch(`${url}/dashboard/`)).status, 200)
    const openapi = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { 'x-posthorn-version'?: string } }
    assert.ok(openapi.info)
  })

  it('shows the demo', async () => {
    const { stdout } = await npx(folder, ['demo', '--exit'], {})
    assert.match(stdout, /Done: \d+ signed webhooks received/)
    assert.ok(packageVersion)
  })
})

function npx(folder: string, words: readonly string[], env: Readonly<Record<string, string>>) {
  return run('npx', ['--no-install', 'posthorn', ...words], {
    cwd: folder,
    env: { ...process.env, ...env },
    timeout: 300_000,
  })
}

/** Starts a command and waits until its gateway listens. */
async function startCommand(
  t: Cleanup,
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ port: number }> {
  const child = spawn('npx', ['--no-install', 'posthorn', ...words], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  t.after(async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    const ended = once(child, 'exit')
    process.kill(-child.pid, 'SIGTERM')
    await ended
  })
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  return await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said += `${line}\n`
      const [, port] = /"port":(\d+).*"msg":"The API listens\./.exec(line) ?? []
      if (port !== undefined) resolve({ port: Number(port) })
    })
    child.once('exit', () => reject(new Error(`The gateway ended:\n${said.slice(-4_000)}`)))
  })
}
