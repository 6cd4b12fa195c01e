/** The package for n8n under the tools of n8n, which need a newer Node.js than ours: its linter, its types, and n8n itself. All come from the npm registry. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { packageRoot } from '../../lib/package-root.js'
import { testDatabase, testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { environmentWith, findNode } from '../support/node-binary.js'
import { lastingPort } from '../support/port.js'

const run = promisify(execFile)
const LINTER = ['@n8n/node-cli@0.48.3', 'eslint@9.29.0', 'typescript@5.9.3', 'prettier@3.6.2', 'n8n-workflow@2.41.0']
/** Installed from the registry, unless N8N_FOLDER names a folder with one. */
const N8N = process.env.N8N_VERSION ?? '2.41.0'
/** A dependency of n8n is named by an address outside of the registry. */
const OVERRIDES = { xlsx: '0.18.5' }
const MINUTES = 60_000
const source = path.join(packageRoot, 'clients/n8n')
const ANA = '15550740001'
const BEN = '15550740002'

/** Installs packages into a folder, without their native parts. Returns the reason if they cannot be installed. */
async function install(
  folder: string,
  program: string,
  packages: readonly string[],
  more: readonly string[] = [],
): Promise<string | null> {
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, overrides: OVERRIDES }))
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', ...more]
  return await run('npm', ['install', ...options, ...packages], {
    cwd: folder,
    env: environmentWith(program),
    timeout: 15 * MINUTES,
  }).then(
    () => null,
    (error: { stderr?: string }) =>
      `${packages[0]} does not install here: ${error.stderr?.trim().split('\n').slice(0, 3).join(' ')}`,
  )
}

it('the package passes the linter of n8n, and compiles with its types', async (t) => {
  const folder = testFolder(t)
  const program = await findNode(22)
  const missing = await install(folder, program, LINTER)
  if (missing !== null) {
    t.skip(missing)
    return
  }
  const target = path.join(folder, 'package')
  cpSync(source, target, { recursive: true, filter: (file) => !/(^|\/)(node_modules|dist|types)$/.test(file) })
  const { extends: _base, ...own } = JSON.parse(readFileSync(path.join(source, 'tsconfig.json'), 'utf8'))
  const { compilerOptions: base } = JSON.parse(readFileSync(path.join(packageRoot, 'tsconfig.json'), 'utf8'))
  const compilerOptions = { ...base, ...own.compilerOptions, noEmit: true }
  writeFileSync(path.join(target, 'tsconfig.json'), JSON.stringify({ ...own, compilerOptions }))
  const tool = async (file: string, args: string[]) => {
    const given = [path.join(folder, 'node_modules', file), ...args]
    await run(program, given, { cwd: target, timeout: 10 * MINUTES }).catch(
      (error: { stdout?: string; stderr?: string }) => assert.fail(`${file}: ${error.stdout}${error.stderr}`),
    )
  }
  await tool('eslint/bin/eslint.js', ['--max-warnings', '0', '.'])
  await tool('typescript/lib/tsc.js', ['-p', '.'])
})

describe('n8n itself', () => {
  const {
    world,
    account: ana,
    cleanup,
  } = gatewaySuite({
    phones: { [ANA]: 'Ana', [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
  })
  let reason: string | null = null
  let folder = ''
  let program = ''
  before(async () => {
    folder = testFolder(cleanup)
    program = await findNode(24)
    if (process.env.N8N_FOLDER === undefined)
      reason = await install(folder, program, [`n8n@${N8N}`], ['--omit=optional'])
    if (reason === null) await packNodes(path.join(folder, 'user/.n8n/nodes'))
  })

  /** Puts the package where n8n looks for community nodes. */
  async function packNodes(target: string): Promise<void> {
    const place = path.join(target, 'node_modules/n8n-nodes-posthorn')
    mkdirSync(place, { recursive: true })
    const compiler = path.join(packageRoot, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, '-p', source, '--outDir', path.join(place, 'dist')])
    await run(process.execPath, [path.join(source, 'copy-icons.mjs'), path.join(place, 'dist')])
    cpSync(path.join(source, 'package.json'), path.join(place, 'package.json'))
    writeFileSync(path.join(target, 'package.json'), '{ "dependencies": { "n8n-nodes-posthorn": "0.4.1" } }')
  }

  /** Imports the workflows, active, and starts n8n. Returns its address. */
  async function startN8n(): Promise<string> {
    const port = await lastingPort()
    const env = {
      ...environmentWith(program),
      ...settingsOf(folder, port, await lastingPort(), await testDatabase(cleanup)),
    }
    const command = path.join(process.env.N8N_FOLDER ?? folder, 'node_modules/n8n/bin/n8n')
    const n8n = (...given: string[]) => run(program, [command, ...given], { env, cwd: folder, timeout: 5 * MINUTES })
    const file = (name: string, value: unknown) => {
      writeFileSync(path.join(folder, name), JSON.stringify(value))
      return `--input=${path.join(folder, name)}`
    }
    const data = { url: world.gateway.url, token: ana.token }
    await n8n('import:credentials', file('credentials.json', [{ id: 'c1', name: 'Ana', type: 'posthornApi', data }]))
    await n8n('import:workflow', file('workflows.json', [echo, question]))
    // The order changed its name in version 2.
    for (const { id } of [echo, question])
      await n8n('publish:workflow', `--id=${id}`).catch(() => n8n('update:workflow', `--id=${id}`, '--active=true'))
    const server = spawn(program, [command, 'start'], { env, cwd: folder, stdio: 'ignore' })
    cleanup.after(() => void server.kill('SIGKILL'))
    return `http://127.0.0.1:${port}`
  }

  const hooks = async () => (await ana.call<{ url: string }[]>('GET', '/webhook')).body.map(({ url }) => url)
  const isShown = async (text: string) =>
    (await world.network<{ text: string }[]>('GET', `/phones/${BEN}/messages`)).some((one) => one.text === text)

  it('receives messages by the trigger, answers by the action, and asks and waits', async (t: TestContext) => {
    if (reason !== null) {
      t.skip(reason)
      return
    }
    const address = await startN8n()
    const [hook = ''] = await eventually(hooks, ({ length }) => length === 1, 3 * MINUTES)
    const forged = await fetch(hook, { method: 'POST', body: '{"EventType":"messages"}' })
    assert.equal(forged.status, 401)
    await world.write(BEN, ANA, 'good morning')
    await eventually(() => isShown('You said: good morning'), undefined, MINUTES)

    const begin = async () => (await fetch(`${address}/webhook/begin`)).ok
    await eventually(begin, undefined, MINUTES)
    await eventually(() => isShown('Shall we deliver today?'), undefined, MINUTES)
    await world.write(BEN, ANA, 'Yes')
    await eventually(() => isShown('The answer is: Yes'), undefined, MINUTES)
    assert.deepEqual(await hooks(), [hook], 'the webhook of the question is gone')
    assert.equal(await isShown('You said: undefined'), false)
    assert.deepEqual([await tested(address, ana.token), await tested(address, 'wrong')], ['OK', 'Error'])
  })

  let cookie = ''
  /** Lets n8n test credentials as its page does. Returns what it says. */
  async function tested(address: string, token: string): Promise<string> {
    const post = async (place: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'browser-id': 'a-browser', cookie }
      const answer = await fetch(address + place, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = await answer.text()
      assert.ok(answer.ok, `${place}: ${answer.status} ${text}`)
      return { cookies: answer.headers.getSetCookie(), data: (JSON.parse(text) as { data: { status: string } }).data }
    }
    if (cookie === '') {
      const owner = { email: 'owner@example.com', firstName: 'An', lastName: 'Owner', password: 'Password-1' }
      const { cookies } = await post('/rest/owner/setup', owner)
      cookie = cookies.map((one) => one.split(';')[0]).join('; ')
    }
    const credentials = { id: 'c1', name: 'Ana', type: 'posthornApi', data: { url: world.gateway.url, token } }
    return (await post('/rest/credentials/test', { credentials })).data.status
  }
})

/** Settings of n8n without its native parts: no SQLite, no isolate for expressions. */
function settingsOf(
  folder: string,
  port: number,
  brokerPort: number,
  { connectionString }: { connectionString: string },
) {
  const { host, user = '', database = '', port: databasePort, password } = new Client({ connectionString })
  return {
    ...{ N8N_USER_FOLDER: path.join(folder, 'user'), N8N_PORT: String(port), N8N_LISTEN_ADDRESS: '127.0.0.1' },
    ...{
      WEBHOOK_URL: `http://127.0.0.1:${port}/`,
      N8N_ENCRYPTION_KEY: 'x'.repeat(32),
      N8N_EXPRESSION_ENGINE: 'legacy',
    },
    ...{ N8N_RUNNERS_BROKER_PORT: String(brokerPort), N8N_RUNNERS_ENABLED: 'false' },
    ...{ N8N_DIAGNOSTICS_ENABLED: 'false', N8N_VERSION_NOTIFICATIONS_ENABLED: 'false' },
    ...{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: host, DB_POSTGRESDB_PORT: String(databasePort) },
    ...{ DB_POSTGRESDB_USER: user, DB_POSTGRESDB_PASSWORD: password ?? 'x', DB_POSTGRESDB_DATABASE: database },
  }
}

const place = { typeVersion: 1, position: [0, 0], credentials: { posthornApi: { id: 'c1', name: 'Ana' } } }
const send = (id: string, number: string, text: string) => {
  const parameters = { resource: 'Send', operation: 'sendText', number, text, additionalFields: {} }
  return { id, name: 'Out', type: 'n8n-nodes-posthorn.posthorn', parameters, ...place }
}
const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] })

/** Answers each message with its text. */
const echo = {
  ...{ id: 'w1', name: 'Echo', active: false, settings: {} },
  nodes: [
    {
      ...{ id: 'n1', name: 'In', type: 'n8n-nodes-posthorn.posthornTrigger' },
      ...{ webhookId: '6f2c1f0e-8f64-4f0b-9f43-2b1c8e1f0a01', ...place },
      parameters: { events: ['messages'], excludeMessages: ['wasSentByApi', 'fromMeYes'] },
    },
    send('n2', '={{ $json.message.chatid }}', '=You said: {{ $json.message.text }}'),
  ],
  connections: { In: to('Out') },
}

/** Asks a question when its address is called, and sends the answer back. */
const question = {
  ...{ id: 'w2', name: 'Question', active: false, settings: {} },
  nodes: [
    {
      ...{ id: 'n1', name: 'Begin', type: 'n8n-nodes-base.webhook', typeVersion: 1, position: [0, 0] },
      webhookId: '6f2c1f0e-8f64-4f0b-9f43-2b1c8e1f0a02',
      parameters: { path: 'begin', httpMethod: 'GET', responseMode: 'onReceived' },
    },
    {
      ...{ id: 'n2', name: 'Ask', type: 'n8n-nodes-posthorn.posthornSendAndWait', ...place },
      webhookId: '6f2c1f0e-8f64-4f0b-9f43-2b1c8e1f0a03',
      parameters: { number: BEN, text: 'Shall we deliver today?', choices: ['Yes', 'No'], minutes: 5 },
    },
    send('n3', BEN, '=The answer is: {{ $json.message.text }}'),
  ],
  connections: { Begin: to('Ask'), Ask: to('Out') },
}
