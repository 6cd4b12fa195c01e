import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { generateSource } from 'oazapfts'
import { packageRoot } from '../../schemas/package-root.js'
import { suiteCleanup } from '../support/cleanup.js'
import { testFolder } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startWorld, type World } from '../support/world.js'

const run = promisify(execFile)
const ANA = '15550650001'
const BEN = '15550650002'

/** What somebody writes who has nothing of us but the client. */
const program = `
import * as gateway from './client.js'

interface Options {
  readonly url: string
  readonly adminToken: string
  readonly phone: string
  /** Somebody types the code on the phone. */
  readonly type: (code: string) => Promise<void>
}

export async function pair({ url, adminToken, phone, type }: Options): Promise<string> {
  gateway.defaults.baseUrl = url
  const made = await gateway.initInstance({ name: 'of a client' }, { headers: { admintoken: adminToken } })
  if (made.status !== 200) throw new Error(made.data.error)
  gateway.defaults.headers = { token: made.data.token }
  const connecting = await gateway.connectInstance({ phone })
  if (connecting.status !== 200) throw new Error(connecting.data.code)
  await type(connecting.data.instance.paircode ?? '')
  return made.data.instance.id
}

export async function isConnected(): Promise<boolean> {
  const told = await gateway.showStatus()
  return told.status === 200 && told.data.status.connected && told.data.instance.status === 'connected'
}

export async function send(number: string, text: string): Promise<string> {
  const sent = await gateway.sendText({ number, text, track_id: 'order 7' }, { idempotencyKey: 'order-7' })
  if (sent.status !== 200) throw new Error(sent.data.error)
  return sent.data.messageid
}

export async function texts(): Promise<(string | undefined)[]> {
  const found = await gateway.findMessages({ track_id: 'order 7', limit: 10 })
  if (found.status !== 200) throw new Error(found.data.error)
  return found.data.messages.map((message) => message.text)
}

export async function refusal(): Promise<string> {
  const refused = await gateway.sendText({ number: 'nobody', text: 'x' })
  return refused.status === 400 ? refused.data.code : ''
}
`

/** Each line is a mistake, and would be run by nobody. */
const mistakes = [
  "await gateway.sendText({ number: '1' })",
  "await gateway.sendText({ number: 1, text: 'x' })",
  "await gateway.sendText({ number: '1', text: 'x', readchat: 'yes' })",
  "await gateway.sendMenu({ number: '1', text: 'x', type: 'wheel', choices: ['A'] })",
  'await gateway.updateAnnounce({ groupjid: "1@g.us" })',
  'const told = await gateway.showStatus(); told.data.status',
  'const told = await gateway.showStatus(); if (told.status === 418) throw told',
  'const all = await gateway.listLabels(); if (all.status === 200) all.data[0]!.colour',
]

describe('a client that a public generator makes from the OpenAPI document', () => {
  const cleanup = suiteCleanup()
  let world: World
  let folder: string
  before(async () => {
    world = await startWorld(cleanup)
    folder = testFolder(cleanup)
    const document = path.join(folder, 'openapi.json')
    writeFileSync(document, await (await fetch(`${world.gateway.url}/openapi.json`)).text())
    writeFileSync(path.join(folder, 'client.ts'), await generateSource(document))
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    symlinkSync(path.join(packageRoot, 'node_modules'), path.join(folder, 'node_modules'))
  })

  /** What the compiler says of the folder, one line for each mistake. */
  const compile = async (...options: string[]): Promise<string[]> => {
    const compiler = path.join(packageRoot, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false', ...options]).catch(
      (error: { stdout: string }) => error,
    )
    return stdout.split('\n').filter((line) => line.includes('error TS'))
  }

  it('creates, pairs and uses an instance, with typed answers', async () => {
    writeFileSync(path.join(folder, 'program.ts'), program)
    assert.deepEqual(await compile(), [])
    const client = (await import(pathToFileURL(path.join(folder, 'program.js')).href)) as Client
    await world.phone(ANA, 'Ana')
    await world.phone(BEN, 'Ben')
    const id = await client.pair({
      url: world.gateway.url,
      adminToken: world.gateway.adminToken,
      phone: ANA,
      type: async (code) => void (await world.network('POST', `/phones/${ANA}/code`, { code })),
    })
    assert.match(id, /^\w+$/)
    await eventually(() => client.isConnected())
    const messageid = await client.send(BEN, 'by a client')
    assert.equal(await client.send(BEN, 'by a client'), messageid, 'the key of the header is the same')
    assert.deepEqual(await client.texts(), ['by a client'])
    const shown = await eventually(
      () => world.network<{ id: string; text: string }[]>('GET', `/phones/${BEN}/messages`),
      (messages) => messages.length > 0,
    )
    assert.deepEqual(
      shown.map((message) => [message.id, message.text]),
      [[messageid, 'by a client']],
    )
    assert.equal(await client.refusal(), 'INVALID_NUMBER')
  })

  it('does not compile with a wrong call', async () => {
    const lines = mistakes.map((mistake) => `export async function x${mistakes.indexOf(mistake)}() { ${mistake} }`)
    writeFileSync(path.join(folder, 'mistakes.ts'), ["import * as gateway from './client.js'", ...lines].join('\n'))
    const told = (await compile('--noEmit')).map((line) => Number(/mistakes\.ts\((\d+),/.exec(line)?.[1]))
    assert.deepEqual(
      [...new Set(told)],
      lines.map((_, index) => index + 2),
    )
  })
})

interface Client {
  pair(options: {
    url: string
    adminToken: string
    phone: string
    type: (code: string) => Promise<void>
  }): Promise<string>
  isConnected(): Promise<boolean>
  send(number: string, text: string): Promise<string>
  texts(): Promise<(string | undefined)[]>
  refusal(): Promise<string>
}

const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  rootDir: '.',
  types: [],
}
