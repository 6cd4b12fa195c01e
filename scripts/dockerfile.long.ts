/**
 * The Dockerfile itself, built by buildah on a base of Debian's packages and of Node.js from the npm registry, since no registry of images
 * need be there; then run, with an account that sends. Without root as well as with it: everything happens in a user namespace then.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { packageRoot, packageVersion } from '../lib/package-root.js'
import { startSandbox } from '../sandbox/index.js'
import { testFolder } from '../test/support/embedded.js'
import { eventually } from '../test/support/eventually.js'
import { caller } from '../test/support/gateway.js'
import { findNode } from '../test/support/node-binary.js'
import { lastingPort } from '../test/support/port.js'
import { withoutPublishing } from '../test/support/release-scripts.js'
import { createWorld } from '../test/support/world.js'

const run = promisify(execFile)
const BASE = 'localhost/posthorn-base'
const NAME = 'localhost/posthorn-built'
/** As `scripts/release/image.sh` names them. */
const IMAGE = `${NAME}:${packageVersion}-amd64`
const SLIM = `${NAME}:${packageVersion}-slim-amd64`
const MB = 1_000_000
/** Limit of the image without ffmpeg, beside its base. */
const ADDED_MAX_MB = 240
/** From the image to the first message. */
const FIRST_TIME_MAX_MS = 60_000
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
  const tools = await toolsIn(t)
  await tools.makeBase()
  const script = withoutPublishing(t, 'image.sh')
  for (const kind of ['slim', 'full']) await tools.release(script, kind)
  const [base, slim, full] = [await tools.sizeMb(BASE), await tools.sizeMb(SLIM), await tools.sizeMb(IMAGE)]
  t.diagnostic(`The base has ${base} MB, the slim image ${slim}, the one with ffmpeg ${full}.`)
  assert.ok(slim - base <= ADDED_MAX_MB, `${slim - base} MB beside those of the base`)
  const { Labels: labels, Healthcheck: health } = await tools.inspectConfig(IMAGE)
  assert.equal(labels['org.opencontainers.image.title'], 'Posthorn')

  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const port = await lastingPort()
  const adminToken = randomBytes(16).toString('hex')
  const healthPort = String(await lastingPort())
  const begun = performance.now()
  const container = await tools.buildah('from', IMAGE)
  await tools.buildah('copy', '--chmod', '644', container, sandbox.mediaCaFile, '/media-ca.pem')
  const program = await startContainer(t, tools, container, {
    HOST: '127.0.0.1',
    PORT: String(port),
    PEER_PORT: String(await lastingPort()),
    HEALTH_PORT: healthPort,
    ADMIN_TOKEN: adminToken,
    WA_WEBSOCKET_URL: sandbox.websocketUrl,
    WA_NOISE_ROOT_KEY: sandbox.noiseRootKeyHex,
    WA_MEDIA_CA_FILE: '/media-ca.pem',
    ALLOW_PRIVATE_ADDRESSES: 'true',
    SHUTDOWN_NOTICE_MS: '0',
  })
  const url = `http://127.0.0.1:${port}`
  const world = createWorld(sandbox, { url, call: caller(() => url, adminToken) })
  const ana = await world.paired('15550001111', 'Ana')
  await world.phone('15550002222', 'Ben')
  assert.equal((await ana.text('15550002222', 'from the container')).status, 'sent')
  const texts = await world.network<{ text: string }[]>('GET', '/phones/15550002222/messages')
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['from the container'],
  )
  const firstTimeMs = performance.now() - begun
  t.diagnostic(`First message ${(firstTimeMs / 1000).toFixed(1)} s after the image was there.`)
  assert.ok(firstTimeMs < FIRST_TIME_MAX_MS, `${Math.round(firstTimeMs)} ms`)

  const inside = (...words: readonly string[]) =>
    tools.buildah('run', '--env', `HEALTH_PORT=${healthPort}`, container, '--', ...words)
  const [kind, ...check] = health?.Test ?? []
  assert.equal(kind, 'CMD')
  await inside(...check)
  assert.match(await inside('ffmpeg', '-version'), /^ffmpeg version/)
  const sbom = JSON.parse(await inside('cat', 'sbom.cdx.json')) as { bomFormat: string; components: { name: string }[] }
  assert.equal(sbom.bomFormat, 'CycloneDX')
  assert.ok(sbom.components.some(({ name }) => name === 'koa'))
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

interface ImageConfig {
  readonly Labels: Readonly<Record<string, string>>
  readonly Healthcheck?: { readonly Test: readonly string[] }
}

type Tools = Awaited<ReturnType<typeof toolsIn>>

/** Programs that keep all they make in one folder. */
async function toolsIn(t: TestContext) {
  // Its files belong to other users of the namespace, which alone can remove them.
  const folder = testFolder({
    after: (work) =>
      t.after(async () => {
        await asRoot('rm', ['-rf', path.join(folder, 'store'), path.join(folder, 'root')])
        await work()
      }),
  })
  const environment = {
    ...process.env,
    BUILDAH_ISOLATION: 'chroot',
    // The second image has the first steps of the first one.
    BUILDAH_LAYERS: 'true',
    PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`,
  }

  async function asRoot(command: string, given: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
    const [program = command, ...before] = isRoot ? [command] : ['buildah', 'unshare', '--', command]
    const { stdout } = await run(program, [...before, ...given], {
      env: { ...environment, ...more },
      maxBuffer: 64 * 2 ** 20,
    })
    return stdout.trim()
  }
  const store = await storeIn(folder, asRoot)
  const buildah = (...given: readonly string[]): Promise<string> => asRoot('buildah', [...store, ...given])

  return {
    environment,
    buildah,
    store,
    /** Builds an image as a release does. */
    async release(script: string, kind: string): Promise<void> {
      const builder = path.join(folder, 'builder')
      writeFileSync(builder, `#!/bin/sh\nexec buildah ${store.join(' ')} "$@"\n`, { mode: 0o755 })
      await asRoot('sh', [script, kind], { BASE, IMAGE: NAME, PROCESSOR: 'amd64', BUILDER: builder })
    },
    /** Of all its files. */
    async sizeMb(image: string): Promise<number> {
      const container = await buildah('from', image)
      const counted = await buildah(
        'run',
        '--user',
        '0:0',
        container,
        '--',
        'du',
        '--summarize',
        '--bytes',
        '--one-file-system',
        '/',
      )
      const [bytes] = counted.split(/\s/)
      await buildah('rm', container)
      return Math.round(Number(bytes) / MB)
    },
    async inspectConfig(image: string): Promise<ImageConfig> {
      return (JSON.parse(await buildah('inspect', '--type', 'image', image)) as { Docker: { config: ImageConfig } })
        .Docker.config
    },
    makeBase: () => makeBase({ folder, asRoot, buildah }),
  }
}

/** Returns the options of buildah for its files. */
async function storeIn(folder: string, asRoot: Tool): Promise<readonly string[]> {
  const by = (driver: string) => [
    ...['--storage-driver', driver, '--root', path.join(folder, 'store'), '--runroot', path.join(folder, 'run')],
  ]
  // The other one copies each layer whole, and works everywhere.
  const hasOverlay = await asRoot('buildah', [...by('overlay'), 'images']).then(
    () => true,
    () => false,
  )
  return by(hasOverlay ? 'overlay' : 'vfs')
}

type Tool = (command: string, given: readonly string[], more?: NodeJS.ProcessEnv) => Promise<string>

interface Making {
  readonly folder: string
  readonly asRoot: Tool
  buildah(...given: readonly string[]): Promise<string>
}

/** Makes an image that has what `node:…-slim` of the registry of images has for the Dockerfile: Debian, Node.js and npm. */
async function makeBase({ folder, asRoot, buildah }: Making): Promise<void> {
  const major = /^ARG NODE_VERSION=(\d+)$/m.exec(readFileSync(path.join(packageRoot, 'Dockerfile'), 'utf8'))?.[1]
  const node = await findNode(Number(major))
  const root = path.join(folder, 'root')
  // In a user namespace no device can be made; as in a container of LXC those of the machine are bound then.
  const container: NodeJS.ProcessEnv = isRoot ? {} : { container: 'lxc' }
  await asRoot('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root], container)
  // The official one has none of what apt has fetched.
  await asRoot('sh', ['-c', `rm -rf '${root}'/var/cache/apt/archives/*.deb '${root}'/var/lib/apt/lists/*`])
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
    const trust = ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile'].flatMap((name) => ['--env', `${name}=${AUTHORITIES}`])
    await buildah('config', ...trust, base)
  }
  await buildah('commit', '--rm', base, BASE)
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
