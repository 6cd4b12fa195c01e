/** The doctor: against a gateway that is well, and against each fault that it names. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { readConfig } from '../../runtime/config.js'
import { examine } from '../../runtime/doctor/examine.js'
import type { Finding } from '../../runtime/doctor/finding.js'
import { startProxyServer } from '../../sandbox/proxies/proxy-server.js'
import { type Cleanup, suiteCleanup } from '../support/cleanup.js'
import { testDatabase, testFolder, testRedis } from '../support/embedded.js'
import { lastingPort } from '../support/port.js'
import { startReceiver } from '../support/receiver.js'
import { startS3 } from '../support/s3-server.js'
import { startWorld, type World } from '../support/world.js'

const doctor = fileURLToPath(new URL('../../doctor.js', import.meta.url))
const ANSWER_MAX_MS = 1_000

describe('the doctor', () => {
  const t = suiteCleanup()
  let world: World

  before(async () => {
    world = await startWorld(t)
  })

  it('finds a gateway well whose settings it is given, and its receivers', async (t) => {
    const [receiver, instance] = [await startReceiver(t), await world.instance('with webhooks')]
    await instance.hook(receiver.url)
    const { code, output } = await run(['--json'])
    const { ok, findings } = JSON.parse(output) as { ok: boolean; findings: Finding[] }
    // The PostgreSQL of the tests forgets: it runs without fsync.
    const wrong = findings.filter(({ state }) => state === 'failed' || state === 'warning')
    assert.deepEqual(
      wrong.map(({ text }) => text),
      ['A crash of PostgreSQL may lose what it confirmed.'],
    )
    assert.equal(ok, true)
    assert.equal(code, 0)
    const texts = findings.map(({ check, text }) => `${check}: ${text}`).join('\n')
    for (const expected of [
      /Node\.js: \d+\./,
      /PostgreSQL: Version 1[5-9]/,
      /PostgreSQL: Schema \d+\./,
      /PostgreSQL: The encryption key opens the stored credentials\./,
      /Redis: Version \d/,
      /Clock: As the one of PostgreSQL\.\nClock: As the one of Redis\./,
      /Ports: PORT \d+ of 127\.0\.0\.1 is taken; Posthorn [\d.]+ runs here\./,
      /Ports: PEER_PORT \d+ of .* is taken/,
      /Disk: [\d.]+ GiB are free/,
      /Network: 127\.0\.0\.1:\d+ answers in \d+ ms\./,
      /Webhooks: 1 of 1 receivers were reached\./,
    ])
      assert.match(texts, expected)
  })

  it('tests the proxy of each instance, and shows no password', async (t) => {
    const proxy = await startProxyServer({ scheme: 'http', username: 'ana', password: 'secret-word' })
    t.after(() => proxy.close())
    const instance = await world.instance('with a proxy')
    const proxy_url = `http://ana:secret-word@127.0.0.1:${proxy.port}`
    const set = await instance.call('POST', '/instance/proxy', { mode: 'custom', proxy_url })
    assert.equal(set.status, 200, JSON.stringify(set.body))
    const ofProxies = async (changed = {}) => (await findings(changed)).filter(({ check }) => check === 'Proxies')
    assert.deepEqual(
      (await ofProxies()).map(({ text }) => text),
      ['1 of 1 proxies reach WhatsApp.'],
    )
    const [, unread] = await ofProxies({ ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') })
    assert.match(unread?.text ?? '', /cannot be read/)
    await proxy.die()
    const [, lost] = await ofProxies()
    assert.equal(lost?.state, 'warning')
    assert.match(
      lost.text,
      new RegExp(`http://ana:\\*\\*\\*@127.0.0.1:${proxy.port} of ${instance.id} failed: .*ECONNREFUSED`),
    )
    await instance.call('DELETE', '/instance/proxy')
  })

  it('writes a line for each finding, the way out below, and no secret', async () => {
    const { environment, encryptionKey, adminToken } = world.gateway
    const wrong = { ...environment, REDIS_URL: `redis://:secret-word@127.0.0.1:${await lastingPort()}` }
    const { code, output } = await run([], wrong)
    assert.equal(code, 1)
    assert.match(output, /^✓ Node\.js +\d+/m)
    assert.match(
      output,
      /^✗ Redis +The server was not reached: .*\n +→ Nothing listens there\. Start the server, or correct REDIS_URL/m,
    )
    assert.match(output, /\n1 failed, \d to look at\. /)
    for (const secret of ['secret-word', encryptionKey, adminToken]) assert.equal(output.includes(secret), false)
    assert.equal(output.includes('\u001b'), false, 'no colours where nobody sees them')
  })

  it('names every mistake in the settings, and refuses an option that it does not know', async () => {
    const { code, output } = await run(['--json'], { ...world.gateway.environment, PORT: 'x', LOG_LEVEL: 'loud' })
    const { findings } = JSON.parse(output) as { findings: Finding[] }
    assert.deepEqual(
      findings.map(({ check, state }) => `${check} ${state}`),
      ['Settings failed', 'Settings failed'],
    )
    assert.equal(code, 1)
    assert.equal((await run(['--fix'])).code, 2)
  })

  it('tells a database that is not there, a user who may not enter, and a server that does not answer', async (t) => {
    const url = world.gateway.databaseUrl
    const elsewhere = url.replace(/\/test_\w+/, '/nowhere')
    await expectFailure({ DATABASE_URL: elsewhere }, 'PostgreSQL', /no such database/)
    const stranger = url.replace(/\/\/[^@/]+@/, '//stranger@')
    await expectFailure({ DATABASE_URL: stranger }, 'PostgreSQL', /refuses the user/)
    const silent = await silentServer(t)
    const startedMs = performance.now()
    await expectFailure({ DATABASE_URL: `postgres://a@127.0.0.1:${silent}/b` }, 'PostgreSQL', /was not reached/)
    assert.ok(performance.now() - startedMs < 60_000)
  })

  it('tells an encryption key of another installation, and a schema that is too new', async () => {
    const otherKey = Buffer.alloc(32, 9).toString('base64')
    await expectFailure({ ENCRYPTION_KEY: otherKey }, 'PostgreSQL', /ENCRYPTION_KEY is not the key/)
    await onDatabase('INSERT INTO migration (version, name, oldest) VALUES (9999, $1, 9999)', ['9999_later.sql'])
    try {
      await expectFailure({}, 'PostgreSQL', /schema 9999 is for newer versions/)
    } finally {
      await onDatabase('DELETE FROM migration WHERE version = 9999')
    }
  })

  it('tells a password that Redis refuses, and a Redis that removes keys', async (t) => {
    const { url } = await testRedis(t)
    const admin = new Redis(url)
    await admin.config('SET', 'maxmemory', '64mb')
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    await admin.config('SET', 'requirepass', 'right')
    admin.disconnect()
    await expectFailure({ REDIS_URL: url }, 'Redis', /refuses the user: NOAUTH/)
    await expectFailure({ REDIS_URL: url, REDIS_PASSWORD: 'wrong' }, 'Redis', /refuses the user: WRONGPASS/)
    const found = await findings({ REDIS_URL: url, REDIS_PASSWORD: 'right' })
    const warnings = found.filter(({ check, state }) => check === 'Redis' && state === 'warning')
    assert.match(warnings[0]?.text ?? '', /removes keys \(allkeys-lru\)/)
  })

  it('compares the clock of this machine with those of the stores', async () => {
    const config = readConfig(world.gateway.environment)
    const late = await examine(config, { nowMs: () => Date.now() - 90_000 })
    const clocks = late.filter(({ check }) => check === 'Clock')
    assert.deepEqual(
      clocks.map(({ state }) => state),
      ['failed', 'failed'],
    )
    assert.match(clocks[0]?.text ?? '', /^The clock of this machine is (89|90)\.\d s behind the one of PostgreSQL\.$/)
    const early = await examine(config, { nowMs: () => Date.now() + 10_000 })
    assert.deepEqual(
      early.filter(({ check }) => check === 'Clock').map(({ state }) => state),
      ['warning', 'warning'],
    )
  })

  it('tells a port that another program has, and a folder that cannot be written', async (t) => {
    const taken = await silentServer(t)
    await expectFailure({ PORT: String(taken) }, 'Ports', new RegExp(`PORT ${taken} of 127.0.0.1 cannot be used`))
    await expectFailure(
      { DATA_DIR: path.join(doctor, 'data'), MEDIA_STORAGE: 'disk' },
      'Disk',
      /is not writable \(ENOTDIR\)/,
    )
  })

  it('tells a network that does not resolve, refuses, hangs up, or is something else', async (t) => {
    const network = (url: string) => ({ WA_WEBSOCKET_URL: url, WA_NOISE_ROOT_KEY: '' })
    const unknown = await findings(network('wss://network.invalid/ws'))
    assert.deepEqual(readState(unknown, 'DNS'), ['failed'])
    assert.deepEqual(readState(unknown, 'Network'), ['failed'])
    await expectFailure(network(`ws://127.0.0.1:${await lastingPort()}/ws`), 'Network', /ECONNREFUSED/)
    await expectFailure(network(`ws://127.0.0.1:${await silentServer(t)}/ws`), 'Network', /timed out/)
    const portal = await listening(
      t,
      createServer((_request, response) => response.writeHead(302).end()),
    )
    await expectFailure(network(`ws://127.0.0.1:${portal}/ws`), 'Network', /answers with status 302/)
    const media = { WA_MEDIA_HOST: `127.0.0.1:${await lastingPort()}` }
    await expectFailure(media, 'Media host', /ECONNREFUSED/)
  })

  it('warns of receivers that are away, or that the guard refuses, and shows no path', async (t) => {
    const instance = await world.instance('with a receiver that is away')
    t.after(() => instance.unhook())
    const port = await lastingPort()
    await instance.hook(`http://127.0.0.1:${port}/path-with-secret`)
    const away = (await findings({})).filter(({ check }) => check === 'Webhooks')
    const line = away.find(({ state }) => state === 'warning')
    assert.match(line?.text ?? '', new RegExp(`^http://127\\.0\\.0\\.1:${port} was not reached: .*ECONNREFUSED`))
    assert.equal(JSON.stringify(away).includes('path-with-secret'), false)
    const refused = await findings({ ALLOW_PRIVATE_ADDRESSES: 'false' })
    assert.ok(refused.some(({ remedy }) => remedy?.includes('ALLOW_PRIVATE_ADDRESSES=true')))
  })

  it('finds the bucket of an S3 service, and tells when it is not there', async (t) => {
    const s3 = await startS3(t)
    const files = (found: readonly Finding[]) => found.find(({ check }) => check === 'Files')
    assert.equal(files(await findings(s3.env))?.text, 'The bucket files is there.')
    await expectFailure({ ...s3.env, MEDIA_S3_BUCKET: 'elsewhere' }, 'Files', /There is no bucket elsewhere/)
    await s3.stop()
    await expectFailure(s3.env, 'Files', /was not reached/)
  })

  it('changes nothing: an empty database stays empty, and no folder is made', async (t) => {
    const { connectionString } = await testDatabase(t)
    const folder = path.join(testFolder(t), 'never', 'made')
    const found = await findings({ DATABASE_URL: connectionString, DATA_DIR: folder })
    assert.ok(found.some(({ text }) => text.startsWith('The database is empty')))
    const client = new Client({ connectionString })
    await client.connect()
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    await client.end()
    assert.deepEqual(rows, [])
    assert.equal(existsSync(path.dirname(folder)), false)
  })

  it('does not look for embedded servers that do not run', async (t) => {
    const own = { DATABASE_URL: '', REDIS_URL: '', DATA_DIR: path.join(testFolder(t), 'data') }
    const found = await findings(own)
    assert.deepEqual([...readState(found, 'PostgreSQL'), ...readState(found, 'Redis')], ['skipped', 'skipped'])
  })

  async function findings(changed: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
    const config = readConfig({ ...world.gateway.environment, ...changed })
    return await examine(config, { answerMaxMs: ANSWER_MAX_MS, checkMaxMs: 5_000 })
  }

  async function expectFailure(changed: Readonly<Record<string, string>>, check: string, text: RegExp): Promise<void> {
    const failures = (await findings(changed)).filter(
      (finding) => finding.check === check && finding.state === 'failed',
    )
    assert.ok(
      failures.some((finding) => text.test(finding.text)),
      JSON.stringify(failures),
    )
    assert.ok(failures.every(({ remedy }) => remedy !== undefined && remedy !== ''))
  }

  function run(options: string[], env: NodeJS.ProcessEnv = world.gateway.environment) {
    return new Promise<{ code: number; output: string }>((resolve) => {
      execFile(process.execPath, [doctor, ...options], { env }, (error, stdout) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout })
      })
    })
  }

  async function onDatabase(text: string, values: unknown[] = []): Promise<void> {
    const client = new Client({ connectionString: world.gateway.databaseUrl })
    await client.connect()
    await client.query(text, values)
    await client.end()
  }
})

function readState(found: readonly Finding[], check: string): readonly string[] {
  return found.filter((finding) => finding.check === check).map(({ state }) => state)
}

/** Returns the port of a server that takes connections and says nothing. */
function silentServer(t: Cleanup): Promise<number> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createTcpServer((socket) => void sockets.add(socket.on('error', () => {})))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return listening(t, server)
}

async function listening(t: Cleanup, server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  return (server.address() as AddressInfo).port
}
