/** The steps of the image, run into a folder, and the program started from there as in a pod: its Node.js, another user, nothing writable. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { START_ENVIRONMENT, START_OPTIONS } from '../cli/start-options.js'
import { packageRoot } from '../lib/package-root.js'
import { findRedis } from '../runtime/embedded/redis-binary.js'
import { createLogger } from '../runtime/logging.js'
import { type Sandbox, startSandbox } from '../sandbox/index.js'
import { OperatorError } from '../schemas/operator-error.js'
import { eventually } from '../test/support/eventually.js'
import { caller } from '../test/support/gateway.js'
import { readEnvironment, rendered } from '../test/support/manifests.js'
import { findNode } from '../test/support/node-binary.js'
import { lastingPort } from '../test/support/port.js'
import { createWorld } from '../test/support/world.js'

const run = promisify(execFile)
/** Root gives the program to nobody, as the image does; anybody else runs it themselves, and may not write to it either. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

describe('the image', () => {
  it('has everything that a node needs, for both overlays, and for a user who may write only the data', async (t) => {
    const ends: (() => Promise<unknown>)[] = []
    // Before their folder is removed, and the one with the servers last.
    t.after(async () => {
      for (const end of ends.toReversed()) await end()
    })
    const folder = publicFolder(t)
    const interpreter = await nodeOfImage(t, folder)
    if (interpreter === null) return
    const sandbox = await startSandbox()
    t.after(() => sandbox.close())
    const image = path.join(folder, 'app')
    await run(path.join(packageRoot, 'scripts', 'image.sh'), [image])
    for (const absent of ['node_modules/typescript', 'dist/test', 'dist/sandbox', 'dist/main.ts', 'docs'])
      assert.equal(existsSync(path.join(image, absent)), false, absent)
    // Threads and programs that start only when they are needed.
    for (const program of ['media-worker', 'openapi-worker', 'search-worker', 'backup', 'doctor'])
      assert.ok(existsSync(path.join(image, `dist/${program}.js`)), program)
    await makeReadOnly(image)
    const before = readContents(image)

    const data = path.join(folder, 'data')
    mkdirSync(data)
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
    const cache = await redisFor(folder)
    const production = Object.fromEntries(
      Object.entries(readEnvironment(rendered('production'))).filter(([name]) => !/^(DATA_DIR|MEDIA_)/.test(name)),
    )
    const start = (environment: Readonly<Record<string, string>>) => startNode(ends, interpreter, image, environment)
    const single = await start({
      ...readEnvironment(rendered('single')),
      ...networkFor(folder, sandbox),
      // Two nodes, so that no files are on the disk of one.
      MEDIA_STORAGE: 'none',
      CLUSTER_SECRET: production.CLUSTER_SECRET ?? '',
      DATA_DIR: path.join(data, 'posthorn'),
      NODE_ID: 'first',
      XDG_CACHE_HOME: cache,
    })
    const isReady = await eventually(
      () => single.get('/ready'),
      ({ status }) => status === 200,
    )
    assert.deepEqual(isReady.body, { ready: true, reasons: [] })
    assert.equal(await single.health(), 200)
    if (user.uid !== undefined) assert.match(readStatus(single.pid), /^Uid:\s+65534\s+65534\s/m)

    // A node of production beside it: on given stores, and with no place to write at all.
    const sockets = path.join(data, 'posthorn', 'run')
    const secondEnvironment = {
      ...production,
      ...networkFor(folder, sandbox),
      MEDIA_STORAGE: 'none',
      DATABASE_URL: `postgresql://posthorn@/posthorn?host=${encodeURIComponent(path.join(sockets, 'postgresql'))}`,
      REDIS_URL: path.join(sockets, 'redis.sock'),
      NODE_ID: 'second',
      TMPDIR: '/nonexistent',
    }
    const second = await start(secondEnvironment)
    await eventually(
      () => second.get('/ready'),
      ({ status }) => status === 200,
    )
    // The doctor of the image, as in a pod: `kubectl exec` has the environment of the node.
    const { stdout } = await run(interpreter, ['dist/doctor.js', '--json'], {
      cwd: image,
      env: {
        ...secondEnvironment,
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        NODE_ADDRESS: '127.0.0.1',
        PORT: String(await lastingPort()),
        PEER_PORT: String(await lastingPort()),
        HEALTH_PORT: String(await lastingPort()),
      },
      ...user,
    })
    assert.equal((JSON.parse(stdout) as { ok: boolean }).ok, true, stdout)
    const nodes = await eventually(
      async () => (await second.get('/admin/nodes')).body as { nodes?: { state: string }[] },
      ({ nodes: seen }) => seen?.filter(({ state }) => state === 'active').length === 2,
    )
    assert.equal(nodes.nodes?.length, 2)

    // An account, through the node that may not own it.
    const world = createWorld(sandbox, { url: second.url, call: caller(() => second.url, second.adminToken) })
    const ana = await world.paired('15550001111', 'Ana')
    await world.phone('15550002222', 'Ben')
    assert.equal((await ana.text('15550002222', 'from the image')).status, 'sent')
    const texts = await world.network<{ text: string }[]>('GET', '/phones/15550002222/messages')
    assert.deepEqual(
      texts.map(({ text }) => text),
      ['from the image'],
    )

    assert.equal(await second.end(), 0, second.output())
    assert.equal(await single.end(), 0, single.output())
    assert.deepEqual(readContents(image), before)
  })
})

/** Not in the folder of the run, which other users cannot enter. */
function publicFolder(t: TestContext): string {
  const folder = mkdtempSync('/tmp/posthorn-image-')
  chmodSync(folder, 0o755)
  t.after(async () => {
    await run('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  return folder
}

/** The Node.js of the Dockerfile, where the user of the image reaches it; null, and the test is skipped, when none can be had. */
async function nodeOfImage(t: TestContext, folder: string): Promise<string | null> {
  const major = /^ARG NODE_VERSION=(\d+)$/m.exec(readFileSync(path.join(packageRoot, 'Dockerfile'), 'utf8'))?.[1]
  const program = await findNode(Number(major)).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error
    t.skip(error.message)
    return null
  })
  if (program === null) return null
  const copy = path.join(folder, 'node')
  cpSync(program, copy, { dereference: true })
  chmodSync(copy, 0o755)
  return copy
}

/** The settings of the simulated network, with its certificate where the user of the image reaches it. */
function networkFor(
  folder: string,
  { websocketUrl, noiseRootKeyHex, mediaCaFile }: Sandbox,
): Readonly<Record<string, string>> {
  const certificate = path.join(folder, 'media-ca.pem')
  cpSync(mediaCaFile, certificate)
  chmodSync(certificate, 0o644)
  return {
    WA_WEBSOCKET_URL: websocketUrl,
    WA_NOISE_ROOT_KEY: noiseRootKeyHex,
    WA_MEDIA_CA_FILE: certificate,
    ALLOW_PRIVATE_ADDRESSES: 'true',
  }
}

async function makeReadOnly(image: string): Promise<void> {
  await run('chmod', ['-R', 'a-w,a+rX', image])
}

/** As the image has one of its own: that of the machine, or a copy of the one that was fetched, for the other user. */
async function redisFor(folder: string): Promise<string> {
  const cache = path.join(folder, 'cache')
  const { program } = await findRedis(process.env.POSTHORN_TEST_CACHE ?? folder, createLogger({ level: 'error' }))
  const root = program.slice(0, -'/usr/bin/redis-server'.length)
  if (root !== '' && program.endsWith('/usr/bin/redis-server')) {
    cpSync(root, path.join(cache, 'posthorn', path.basename(root)), { recursive: true, verbatimSymlinks: true })
    await run('chmod', ['-R', 'a+rX', cache])
  }
  return cache
}

async function startNode(
  ends: (() => Promise<unknown>)[],
  interpreter: string,
  image: string,
  environment: Readonly<Record<string, string>>,
) {
  const port = await lastingPort()
  const healthPort = await lastingPort()
  const child = spawn(interpreter, [...START_OPTIONS, 'dist/main.js'], {
    cwd: image,
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      ...START_ENVIRONMENT,
      ...environment,
      PORT: String(port),
      PEER_PORT: String(await lastingPort()),
      HEALTH_PORT: String(healthPort),
      HOST: '127.0.0.1',
      NODE_ADDRESS: '127.0.0.1',
      SHUTDOWN_NOTICE_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const end = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    return code
  }
  ends.push(end)
  await eventually(() => /The API listens/.test(output) || child.exitCode !== null, Boolean, 60_000)
  assert.equal(child.exitCode, null, output)
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    adminToken: environment.ADMIN_TOKEN ?? '',
    output: () => output,
    end,
    health: async () => (await fetch(`http://127.0.0.1:${healthPort}/health`)).status,
    async get(route: string): Promise<{ status: number; body: unknown }> {
      const headers = { admintoken: environment.ADMIN_TOKEN ?? '' }
      const answer = await fetch(`http://127.0.0.1:${port}${route}`, { headers })
      return { status: answer.status, body: await answer.json() }
    },
  }
}

function readStatus(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8')
}

/** Every file with its size and time: whether anything was written. */
function readContents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true }).map((entry) => {
      const { size, mtimeMs } = lstatSync(path.join(folder, String(entry)))
      return [String(entry), `${size} ${mtimeMs}`]
    }),
  )
}
