/** The client library in Deno, Bun and Cloudflare's workerd, without their layers for Node.js, and in a page. The runtimes come from the npm registry. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { packageRoot } from '../../lib/package-root.js'
import { findChromium, HOW_TO_GET_ONE } from '../support/chromium-program.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startExample } from '../support/examples.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { lastingPort } from '../support/port.js'
import { png } from '../support/samples.js'

const run = promisify(execFile)
const ANA = '15550760001'
const BEN = '15550760002'
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const client = path.join(packageRoot, 'clients/typescript')

type Env = Readonly<Record<string, string>>
type Command = readonly [string, ...string[]]

interface Used extends Readonly<Record<string, unknown>> {
  readonly ids: readonly string[]
  readonly picture: string
}

interface Runtime {
  readonly name: string
  readonly npm: string
  /** Writes what the runtime needs besides `handler.js`, and returns the command that serves it. */
  command(folder: string, program: string, port: number, env: Env): Command
}

/** Serves requests by the standards that the three have in common; imports the client and nothing else. */
const HANDLER = `
import { createPosthorn, PosthornError, verifyWebhook } from 'posthorn-client'

const received = []

export async function handle(request, env) {
  const { pathname } = new URL(request.url)
  if (pathname === '/use') return Response.json(await use(env).catch((error) => ({ failed: String(error?.stack) })))
  if (pathname === '/received') return Response.json(received)
  if (pathname !== '/hook') return new Response('ready')
  try {
    const event = await verifyWebhook(await request.text(), request.headers, env.SECRET)
    received.push(event.message?.text ?? event.EventType)
    return new Response(null, { status: 204 })
  } catch (error) {
    return new Response(error.reason, { status: 400 })
  }
}

export async function use({ POSTHORN_URL: url, POSTHORN_TOKEN: token, CUSTOMER: number, PICTURE: file, MOVED, CLOSED, NAME }) {
  const posthorn = createPosthorn({ url, token })
  const { instance } = await posthorn.showStatus()
  const text = 'from ' + NAME
  const sent = [await posthorn.sendText({ number, text }, { idempotencyKey: NAME })]
  sent.push(await posthorn.sendText({ number, text }, { idempotencyKey: NAME }))
  const picture = await posthorn.sendMedia({ number, type: 'image', file, text: NAME })
  const found = await posthorn.downloadMessage({ id: picture.messageid })
  const bytes = (await (await fetch(found.fileURL)).arrayBuffer()).byteLength

  const followed = []
  const take = async (events, wanted) => {
    for await (const event of events) if (event.message.text?.startsWith(wanted)) return followed.push(event.message.text)
  }
  const opened = (word) => () => void posthorn.sendText({ number, text: word + NAME })
  const first = posthorn.events({ kinds: ['messages'], onOpen: opened('one ') })
  await take(first, 'one')
  await posthorn.sendText({ number, text: 'two ' + NAME })
  await take(posthorn.events({ kinds: ['messages'], from: first.lastEventId }), 'two')
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  for await (const _ of posthorn.events({ kinds: ['presence'], signal: controller.signal }));

  const createError = (work) => work.then(() => 'no error', (error) =>
    error instanceof PosthornError ? [error.code, error.status, error.retry] : String(error))
  const errors = {
    number: await createError(posthorn.sendText({ number: 'nobody', text })),
    token: await createError(take(createPosthorn({ url, token: 'wrong' }).events(), 'x')),
    ...(MOVED && {
      moved: await createError(createPosthorn({ url: MOVED, token }).showStatus()),
      movedStream: await createError(take(createPosthorn({ url: MOVED, token }).events(), 'x')),
    }),
    closed: await createError(createPosthorn({ url: CLOSED, token, retriesMax: 0 }).showStatus()),
  }
  const ended = await posthorn.showStatus({ signal: AbortSignal.abort(new Error('enough')) }).catch(String)
  return { status: instance.status, ids: sent.map(({ messageid }) => messageid), picture: picture.messageid, bytes, followed, errors, ended }
}
`

const RUNTIMES: readonly Runtime[] = [
  {
    name: 'Deno',
    npm: 'deno@2.9.6',
    command(folder, program, port) {
      const options = `{ port: ${port}, hostname: '127.0.0.1' }`
      const code = `import { handle } from './handler.js'\nDeno.serve(${options}, (request) => handle(request, Deno.env.toObject()))`
      writeFileSync(path.join(folder, 'deno.js'), code)
      const rights = ['--allow-net', '--allow-env', '--no-remote', '--node-modules-dir=manual']
      return [program, 'run', ...rights, path.join(folder, 'deno.js')]
    },
  },
  {
    name: 'Bun',
    npm: 'bun@1.4.5',
    command(folder, program, port) {
      const options = `port: ${port}, hostname: '127.0.0.1', idleTimeout: 120`
      const code = `import { handle } from './handler.js'\nBun.serve({ ${options}, fetch: (request) => handle(request, process.env) })`
      writeFileSync(path.join(folder, 'bun.js'), code)
      return [program, path.join(folder, 'bun.js')]
    },
  },
  {
    name: 'workerd',
    npm: 'workerd@1.20261117.1',
    command(folder, program, port, env) {
      writeFileSync(
        path.join(folder, 'worker.js'),
        `import { handle } from './handler.js'\nexport default { fetch: handle }`,
      )
      writeFileSync(path.join(folder, 'worker.capnp'), writeWorker(folder, port, env))
      return [program, 'serve', path.join(folder, 'worker.capnp')]
    },
  },
]

/** Describes a worker of these files. Names of modules are addresses: a bare one is a package. */
function writeWorker(folder: string, port: number, env: Env): string {
  const dist = 'node_modules/posthorn-client/dist'
  const files = readdirSync(path.join(folder, dist)).filter((file) => file.endsWith('.js'))
  const modules = [
    ...['worker.js', 'handler.js'].map((file) => [file, file]),
    ...files.map((file) => [file === 'index.js' ? 'posthorn-client' : file, `${dist}/${file}`]),
  ]
  const listed = modules.map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`)
  const bindings = Object.entries(env).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${listed.join(', ')}], bindings = [${bindings.join(', ')}], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`
}

const pagePort = await lastingPort()

/** Answers with the files of the folder, and a page that finds the package in them. */
function answerPage(folder: string, url: string, response: ServerResponse): void {
  const script = /^\/([\w./-]+\.js)$/.exec(url)?.[1]
  if (script === undefined) {
    const imports = { 'posthorn-client': '/node_modules/posthorn-client/dist/index.js' }
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`)
    return
  }
  response.setHeader('Content-Type', 'text/javascript')
  response.end(readFileSync(path.join(folder, script)))
}

describe('the client library elsewhere than in Node.js', () => {
  let folder = ''
  let moved = ''
  const follow: (string | undefined)[] = []
  const { world, account, cleanup } = gatewaySuite({
    env: {
      ...{ NEW_CHATS_PER_DAY: '0', NEW_CHATS_WARM_UP: 'none', SEND_RATE_PER_MINUTE: '0' },
      CORS_ORIGINS: `http://127.0.0.1:${pagePort}`,
    },
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
    complete: async () => {
      folder = testFolder(cleanup)
      const target = path.join(folder, 'node_modules/posthorn-client')
      mkdirSync(target, { recursive: true })
      cpSync(path.join(client, 'package.json'), path.join(target, 'package.json'))
      writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
      writeFileSync(path.join(folder, 'handler.js'), HANDLER)
      const compiler = path.join(packageRoot, 'node_modules/typescript/bin/tsc')
      await run(process.execPath, [compiler, '-p', client, '--outDir', path.join(target, 'dist')])
      const server = createServer((request, response) => {
        if (request.url?.startsWith('/followed')) follow.push(String(request.headers.token))
        response.writeHead(301, { location: '/followed' }).end()
      }).listen(0, '127.0.0.1')
      const page = createServer((request, response) => answerPage(folder, request.url ?? '', response))
      page.listen(pagePort, '127.0.0.1')
      await Promise.all([once(server, 'listening'), once(page, 'listening')])
      cleanup.after(() => {
        server.close()
        page.close()
      })
      moved = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
  })

  /** Installs a runtime into a folder of its own. Returns its program, or the reason why there is none. */
  async function install({ npm }: Runtime): Promise<{ program: string } | { reason: string }> {
    const place = testFolder(cleanup)
    const name = npm.split('@')[0] ?? ''
    const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', place]
    const program = path.join(place, 'node_modules/.bin', name)
    return await run('npm', ['install', ...options, npm], { timeout: 600_000 })
      .then(() => run(program, ['--version'], { timeout: 60_000 }))
      .then(
        () => ({ program }),
        (error: Error) => ({ reason: `${npm} does not run here: ${error.message.split('\n')[0]}` }),
      )
  }

  /** Compares what a program saw, and sees its messages arrive. */
  async function check(name: string, { ids, picture, ...rest }: Used, bytes: number, errors: object): Promise<void> {
    assert.equal(rest.failed, undefined)
    assert.equal(ids[0], ids[1])
    await world.shownAt(BEN, ids[0])
    await world.shownAt(BEN, picture)
    assert.deepEqual(rest, {
      status: 'connected',
      bytes,
      followed: [`one ${name}`, `two ${name}`],
      errors: {
        number: ['INVALID_NUMBER', 400, 'never'],
        token: ['INVALID_TOKEN', 401, 'never'],
        ...errors,
        closed: ['NO_ANSWER', 0, 'check'],
      },
      ended: 'Error: enough',
    })
  }

  it('signs in, sends, uploads, follows events and throws its errors in a page of an origin that the gateway allows', async (t: TestContext) => {
    const found = await findChromium()
    if (found === undefined) {
      t.skip(HOW_TO_GET_ONE)
      return
    }
    const env = Object.fromEntries(Object.entries(found.environment).map(([name, value]) => [name, String(value)]))
    const isRoot = process.getuid?.() === 0
    const browser = await chromium.launch({ executablePath: found.program, env, chromiumSandbox: !isRoot })
    cleanup.after(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${pagePort}/`)
    const picture = await png()
    const given = {
      ...{ POSTHORN_URL: world.gateway.url, POSTHORN_TOKEN: account.token, CUSTOMER: BEN, NAME: 'Chromium' },
      ...{ PICTURE: picture.toString('base64'), CLOSED: `http://127.0.0.1:${await lastingPort()}` },
    }
    const used = await page.evaluate(`import('/handler.js').then(({ use }) => use(${JSON.stringify(given)}))`)
    await check('Chromium', used as Used, picture.length, {})
  })

  for (const runtime of RUNTIMES)
    it(`signs in, sends, uploads, follows events, throws its errors and checks webhooks in ${runtime.name}`, async (t: TestContext) => {
      const installed = await install(runtime)
      if ('reason' in installed) {
        t.skip(installed.reason)
        return
      }
      const port = await lastingPort()
      const picture = await png()
      const env = {
        ...{
          POSTHORN_URL: world.gateway.url,
          POSTHORN_TOKEN: account.token,
          CUSTOMER: BEN,
          NAME: runtime.name,
          SECRET,
        },
        ...{ PICTURE: picture.toString('base64'), MOVED: moved, CLOSED: `http://127.0.0.1:${await lastingPort()}` },
      }
      const server = startExample(cleanup, runtime.command(folder, installed.program, port, env), env)
      const address = `http://127.0.0.1:${port}`
      const up = () =>
        fetch(address).then(
          ({ ok }) => ok,
          () => false,
        )
      await eventually(up, undefined, 60_000)

      const answer = await fetch(`${address}/use`, { signal: AbortSignal.timeout(120_000) })
      const moves = ['NOT_POSTHORN', 301, 'never']
      await check(runtime.name, (await answer.json()) as Used, picture.length, { moved: moves, movedStream: moves })
      assert.deepEqual(follow, [], 'a token was sent on to another address')

      const hook = `${address}/hook`
      const forged = await fetch(hook, { method: 'POST', body: '{}' })
      assert.deepEqual([forged.status, await forged.text()], [400, 'missing_header'])
      await account.hook(hook, { secret: SECRET })
      const text = `ação ${runtime.name}`
      await world.write(BEN, ANA, text)
      const received = async () => (await (await fetch(`${address}/received`)).json()) as string[]
      await eventually(async () => (await received()).includes(text), undefined, 30_000)
      await account.unhook()
      server.stop()
    })
})
