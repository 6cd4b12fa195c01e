/** The package for n8n under the tools of n8n, which need a newer Node.js than ours: its linter, its types, and n8n itself. All come from the npm registry. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { packageRoot } from '../../schemas/package-root.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { environmentWith, findNode } from '../support/node-binary.js'
import { lastingPort } from '../support/port.js'

const run = promisify(execFile)
const LINTER = ['@n8n/node-cli@0.48.3', 'eslint@9.29.0', 'typescript@5.9.3', 'prettier@3.6.2', 'n8n-workflow@2.41.0']
const N8N = process.env.N8N_VERSION ?? '2.41.1'
const MINUTES = 60_000
const source = path.join(packageRoot, 'clients/n8n')
const ANA = '15550740001'
const BEN = '15550740002'

/** Installs packages into a folder, or returns the reason why they cannot be. */
async function install(
  folder: string,
  program: string,
  packages: readonly string[],
  scripts: boolean,
): Promise<string | null> {
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
  const options = ['--no-audit', '--no-fund', '--loglevel=error', ...(scripts ? [] : ['--ignore-scripts'])]
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
  const missing = await install(folder, program, LINTER, false)
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
    reason = await install(folder, program, [`n8n@${N8N}`], true)
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
    writeFileSync(path.join(target, 'package.json'), '{ "dependencies": { "n8n-nodes-posthorn": "0.2.0" } }')
  }

  it('receives a message by the trigger, and answers it by the action', async (t: TestContext) => {
    if (reason !== null) {
      t.skip(reason)
      return
    }
    const port = await lastingPort()
    const env = {
      ...environmentWith(program),
      ...{ N8N_USER_FOLDER: path.join(folder, 'user'), N8N_PORT: String(port), N8N_DIAGNOSTICS_ENABLED: 'false' },
      ...{
        N8N_LISTEN_ADDRESS: '127.0.0.1',
        WEBHOOK_URL: `http://127.0.0.1:${port}/`,
        N8N_ENCRYPTION_KEY: 'x'.repeat(32),
      },
      ...{ N8N_RUNNERS_BROKER_PORT: String(await lastingPort()), N8N_VERSION_NOTIFICATIONS_ENABLED: 'false' },
    }
    const n8n = (...given: string[]) =>
      run(program, [path.join(folder, 'node_modules/n8n/bin/n8n'), ...given], {
        env,
        cwd: folder,
        timeout: 5 * MINUTES,
      })
    const file = (name: string, value: unknown) => {
      writeFileSync(path.join(folder, name), JSON.stringify(value))
      return `--input=${path.join(folder, name)}`
    }
    const data = { url: world.gateway.url, token: ana.token }
    await n8n('import:credentials', file('credentials.json', [{ id: 'c1', name: 'Ana', type: 'posthornApi', data }]))
    await n8n('import:workflow', file('workflow.json', [workflow()]))
    // The order changed its name in version 2.
    await n8n('publish:workflow', '--id=w1').catch(() => n8n('update:workflow', '--id=w1', '--active=true'))
    const server = spawn(program, [path.join(folder, 'node_modules/n8n/bin/n8n'), 'start'], {
      env,
      cwd: folder,
      stdio: 'ignore',
    })
    cleanup.after(() => void server.kill('SIGKILL'))
    const hooks = async () => (await ana.call<{ url: string }[]>('GET', '/webhook')).body
    await eventually(async () => (await hooks()).length === 1, undefined, 3 * MINUTES)
    await world.write(BEN, ANA, 'good morning')
    const shown = async () => await world.network<{ text: string }[]>('GET', `/phones/${BEN}/messages`)
    await eventually(
      async () => (await shown()).some(({ text }) => text === 'You said: good morning'),
      undefined,
      MINUTES,
    )
    rmSync(path.join(folder, 'workflow.json'))
  })
})

/** A workflow that answers each message with its text. */
function workflow(): object {
  const credentials = { posthornApi: { id: 'c1', name: 'Ana' } }
  const answer = {
    ...{ resource: 'Send', operation: 'sendText', number: '={{ $json.message.chatid }}' },
    ...{ text: '=You said: {{ $json.message.text }}', additionalFields: {} },
  }
  const place = { typeVersion: 1, position: [0, 0], credentials }
  return {
    ...{ id: 'w1', name: 'Echo', active: false, settings: {} },
    nodes: [
      {
        ...{
          id: 'n1',
          name: 'In',
          type: 'n8n-nodes-posthorn.posthornTrigger',
          webhookId: '6f2c1f0e-8f64-4f0b-9f43-2b1c8e1f0a01',
        },
        ...{ parameters: { events: ['messages'], excludeMessages: ['wasSentByApi', 'fromMeYes'] }, ...place },
      },
      { id: 'n2', name: 'Out', type: 'n8n-nodes-posthorn.posthorn', parameters: answer, ...place },
    ],
    connections: { In: { main: [[{ node: 'Out', type: 'main', index: 0 }]] } },
  }
}
