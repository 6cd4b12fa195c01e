/**
 * The Dockerfile itself, built by buildah on a base of Debian's packages and of Node.js from the npm registry, since no registry of images
 * need be there; then run, with an account that sends. Without root as well as with it: everything happens in a user namespace then.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { packageRoot } from '../lib/package-root.js'
import { startSandbox } from '../sandbox/index.js'
import { testFolder } from '../test/support/embedded.js'
import { eventually } from '../test/support/eventually.js'
import { caller } from '../test/support/gateway.js'
import { findNode } from '../test/support/node-binary.js'
import { lastingPort } from '../test/support/port.js'
import { worldOf } from '../test/support/world.js'

const run = promisify(execFile)
const BASE = 'localhost/posthorn-base'
const IMAGE = 'localhost/posthorn-built'
const AUTHORITIES = '/usr/local/share/authorities.pem'
/** The user of the Dockerfile. */
const UID = 10_001
const isRoot = process.getuid?.() === 0

it('the Dockerfile builds an image whose gateway pairs an account and sends, and which ends when it is asked to', async (t) => {
  const missing = await missingTool()
  if (missing !== null) {
    t.skip(missing)
    return
  }
  const tools = toolsIn(t)
  await tools.makeBase()
  await tools.buildah('bud', '--build-arg', `BASE=${BASE}`, '--tag', IMAGE, packageRoot)

  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const port = await lastingPort()
  const adminToken = randomBytes(16).toString('hex')
  const begun = performance.now()
  const container = await tools.buildah('from', IMAGE)
  await tools.buildah('copy', '--chmod', '644', container, sandbox.mediaCaFile, '/media-ca.pem')
  const program = await startContainer(t, tools, container, {
    HOST: '127.0.0.1',
    PORT: String(port),
    PEER_PORT: String(await lastingPort()),
    ADMIN_TOKEN: adminToken,
    WA_WEBSOCKET_URL: sandbox.websocketUrl,
    WA_NOISE_ROOT_KEY: sandbox.noiseRootKeyHex,
    WA_MEDIA_CA_FILE: '/media-ca.pem',
    ALLOW_PRIVATE_ADDRESSES: 'true',
    SHUTDOWN_NOTICE_MS: '0',
  })
  const url = `http://127.0.0.1:${port}`
  const world = worldOf(sandbox, { url, call: caller(() => url, adminToken) })
  const ana = await world.paired('15550001111', 'Ana')
  await world.phone('15550002222', 'Ben')
  assert.equal((await ana.text('15550002222', 'from the container')).status, 'sent')
  const texts = await world.network<{ text: string }[]>('GET', '/phones/15550002222/messages')
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['from the container'],
  )
  // Without the build. 60 s on a machine with nothing else to do.
  const firstTimeMs = performance.now() - begun
  t.diagnostic(`First message ${(firstTimeMs / 1000).toFixed(1)} s after the image was there.`)
  assert.ok(firstTimeMs < 120_000, `${Math.round(firstTimeMs)} ms`)
  assert.equal(await program.end(), 0, program.output())
})

/** Why the test cannot run here; null when it can. */
async function missingTool(): Promise<string | null> {
  const environment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }
  for (const tool of ['buildah', 'debootstrap']) {
    const isThere = await run('which', [tool], { env: environment }).then(
      () => true,
      () => false,
    )
    if (!isThere) return `There is no ${tool} on this machine (apt-get install buildah debootstrap).`
  }
  if (isRoot) return null
  return await run('buildah', ['unshare', 'true']).then(
    () => null,
    ({ message }: Error) => `This user has no user namespaces: ${message.split('\n')[1] ?? message}`,
  )
}

type Tools = ReturnType<typeof toolsIn>

/** Programs that keep all they make in one folder. */
function toolsIn(t: TestContext) {
  // Its files belong to other users of the namespace, which alone can remove them.
  const folder = testFolder({
    after: (work) =>
      t.after(async () => {
        await asRoot('rm', ['-rf', path.join(folder, 'store'), path.join(folder, 'root')])
        await work()
      }),
  })
  const store = ['--storage-driver', 'vfs', '--root', path.join(folder, 'store'), '--runroot', path.join(folder, 'run')]
  const environment = { ...process.env, BUILDAH_ISOLATION: 'chroot', PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

  async function asRoot(command: string, given: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
    const [program = command, ...before] = isRoot ? [command] : ['buildah', 'unshare', '--', command]
    const { stdout } = await run(program, [...before, ...given], {
      env: { ...environment, ...more },
      maxBuffer: 64 * 2 ** 20,
    })
    return stdout.trim()
  }
  const buildah = (...given: readonly string[]): Promise<string> => asRoot('buildah', [...store, ...given])

  return {
    environment,
    buildah,
    store,
    /** Has what `node:…-slim` of the registry of images has for the Dockerfile: Debian, Node.js and npm. */
    async makeBase(): Promise<void> {
      const major = /^ARG NODE_VERSION=(\d+)$/m.exec(readFileSync(path.join(packageRoot, 'Dockerfile'), 'utf8'))?.[1]
      const node = await findNode(Number(major))
      const root = path.join(folder, 'root')
      // In a user namespace no device can be made; as in a container of LXC those of the machine are bound then.
      const container: NodeJS.ProcessEnv = isRoot ? {} : { container: 'lxc' }
      await asRoot('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root], container)
      const npm = path.join(folder, 'npm')
      const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
      await run('npm', ['install', '--prefix', npm, ...options, 'npm@11'])
      const base = await buildah('from', 'scratch')
      await buildah('copy', base, root, '/')
      await buildah('copy', base, node, '/usr/local/bin/node')
      await buildah('copy', base, path.join(npm, 'node_modules/npm'), '/usr/local/lib/node_modules/npm')
      await buildah('run', base, '--', 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm')
      // Where the registry is reached through a proxy, this machine trusts its authority; so must the build.
      const authorities = process.env.NODE_EXTRA_CA_CERTS
      if (authorities !== undefined && existsSync(authorities)) {
        await buildah('copy', '--chmod', '644', base, authorities, AUTHORITIES)
        const trust = ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile'].flatMap((name) => [
          '--env',
          `${name}=${AUTHORITIES}`,
        ])
        await buildah('config', ...trust, base)
      }
      await buildah('commit', '--rm', base, BASE)
    },
  }
}

/** Runs the entry point of the image as its user, as a container engine does; resolves when the gateway listens. */
async function startContainer(
  t: TestContext,
  { buildah, environment, store }: Tools,
  container: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ output(): string; end(): Promise<number | null> }> {
  const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'container', container)) as {
    OCIv1: { config: { User: string; Entrypoint: readonly string[] } }
  }
  const { User: user, Entrypoint: entrypoint } = OCIv1.config
  assert.equal(user, `${UID}:${UID}`)
  const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const child = spawn('buildah', [...store, 'run', ...env, container, '--', ...entrypoint], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = once(child, 'exit')
  const end = async (): Promise<number | null> => {
    if (child.exitCode === null) signalProgram(child, 'SIGTERM')
    const [code] = (await ended) as [number | null]
    return code
  }
  t.after(end)
  await eventually(() => /The API listens/.test(output) || child.exitCode !== null, Boolean, 120_000)
  assert.equal(child.exitCode, null, output)
  return { output: () => output, end }
}

/** To the gateway inside, as a container engine does: buildah passes no signal on. */
function signalProgram(child: ChildProcess, signal: NodeJS.Signals): void {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // After the name of the program, which may hold anything, stand its state and its parent.
      const [, parent] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      parents.set(Number(entry), Number(parent))
    } catch {
      // It has ended meanwhile.
    }
  }
  const isWithin = (pid: number): boolean => pid === child.pid || (pid > 1 && isWithin(parents.get(pid) ?? 0))
  for (const pid of parents.keys()) {
    const words = isWithin(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') : []
    if (path.basename(words[0] ?? '') === 'node' && words.includes('dist/main.js')) process.kill(pid, signal)
  }
}
