/** The package for n8n under the tools of n8n, which need a newer Node.js than ours: its linter, its types, and n8n itself. All come from the npm registry. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { packageRoot, packageVersion } from '../../lib/package-root.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { installN8n, installPackages, type N8n } from '../support/n8n-program.js'
import { findNode } from '../support/node-binary.js'

const run = promisify(execFile)
const LINTER = ['@n8n/node-cli@0.48.3', 'eslint@9.29.0', 'typescript@5.9.3', 'prettier@3.6.2', 'n8n-workflow@2.41.0']
const MINUTES = 60_000
const source = path.join(packageRoot, 'clients/n8n')
const ANA = '15550740001'
const BEN = '15550740002'

it('the package passes the linter of n8n, and compiles with its types', async (t) => {
  const folder = testFolder(t)
  const program = await findNode(22)
  const missing = await installPackages(folder, program, LINTER)
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
  let n8n: N8n | string = ''
  before(async () => {
    n8n = await installN8n(cleanup)
    if (typeof n8n !== 'string') await packNodes(n8n.nodesFolder)
  })

  /** Puts the package where n8n looks for community nodes. */
  async function packNodes(target: string): Promise<void> {
    const place = path.join(target, 'node_modules/n8n-nodes-posthorn')
    mkdirSync(place, { recursive: true })
    const compiler = path.join(packageRoot, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, '-p', source, '--outDir', path.join(place, 'dist')])
    await run(process.execPath, [path.join(source, 'copy-icons.mjs'), path.join(place, 'dist')])
    cpSync(path.join(source, 'package.json'), path.join(place, 'package.json'))
    const dependencies = { 'n8n-nodes-posthorn': packageVersion }
    writeFileSync(path.join(target, 'package.json'), JSON.stringify({ dependencies }))
  }

  /** Imports the workflows, active, and starts n8n. Returns its address. */
  async function startN8n(installed: N8n): Promise<string> {
    await installed.load('credentials', [credentialsWith(ana.token)])
    await installed.load('workflow', [echo, question])
    // The order changed its name in version 2.
    for (const { id } of [echo, question])
      await installed
        .command('publish:workflow', `--id=${id}`)
        .catch(() => installed.command('update:workflow', `--id=${id}`, '--active=true'))
    return await installed.start()
  }

  const credentialsWith = (token: string) => {
    return { id: 'c1', name: 'Ana', type: 'posthornApi', data: { url: world.gateway.url, token } }
  }
  const hooks = async () => (await ana.call<{ url: string }[]>('GET', '/webhook')).body.map(({ url }) => url)
  const isShown = async (text: string) =>
    (await world.network<{ text: string }[]>('GET', `/phones/${BEN}/messages`)).some((one) => one.text === text)

  it('receives messages by the trigger, answers by the action, and asks and waits', async (t: TestContext) => {
    if (typeof n8n === 'string') {
      t.skip(n8n)
      return
    }
    const address = await startN8n(n8n)
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
    assert.deepEqual([await tested(n8n, ana.token), await tested(n8n, 'wrong')], ['OK', 'Error'])
  })

  /** Lets n8n test credentials as its page does. Returns what it says. */
  async function tested(installed: N8n, token: string): Promise<string> {
    const credentials = credentialsWith(token)
    return (await installed.call<{ status: string }>('/rest/credentials/test', { credentials })).status
  }
})

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
