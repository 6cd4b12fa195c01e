/** n8n itself, from the npm registry, on a PostgreSQL of the test and with nodes of the community. It needs a newer Node.js than ours. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { Cleanup } from './cleanup.js'
import { testDatabase, testFolder } from './embedded.js'
import { environmentWith, findNode } from './node-binary.js'
import { lastingPort } from './port.js'

const run = promisify(execFile)
/** Installed from the registry, unless N8N_FOLDER names a folder with one. */
const N8N = process.env.N8N_VERSION ?? '2.41.0'
/** A dependency of n8n is named by an address outside of the registry. */
const OVERRIDES = { xlsx: '0.18.5' }
const MINUTES = 60_000

export interface N8n {
  /** Folder with the package.json of the nodes of the community. */
  readonly nodesFolder: string
  /** Runs a command of n8n. */
  command(...words: readonly string[]): Promise<unknown>
  /** Imports credentials or workflows. */
  load(kind: 'credentials' | 'workflow', list: readonly object[]): Promise<void>
  /** Starts n8n. Resolves with its address, where it answers a little later. */
  start(): Promise<string>
  /** Calls the interface of its page as its owner, who is made by the first call: GET without a body. Resolves with `data`. */
  call<T>(place: string, body?: object): Promise<T>
}

/** Installs packages into a folder, without their native parts. Returns the reason if they cannot be installed. */
export async function installPackages(
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

/** Installs n8n. Resolves with the reason if it cannot be installed. */
export async function installN8n(t: Cleanup): Promise<N8n | string> {
  const folder = testFolder(t)
  const program = await findNode(24)
  const installedIn = process.env.N8N_FOLDER ?? folder
  if (installedIn === folder) {
    const reason = await installPackages(folder, program, [`n8n@${N8N}`], ['--omit=optional'])
    if (reason !== null) return reason
  }
  const nodesFolder = path.join(folder, 'user/.n8n/nodes')
  mkdirSync(nodesFolder, { recursive: true })
  const port = await lastingPort()
  const address = `http://127.0.0.1:${port}`
  const env = {
    ...environmentWith(program),
    ...createSettings(folder, port, await lastingPort(), await testDatabase(t)),
  }
  const entry = path.join(installedIn, 'node_modules/n8n/bin/n8n')
  const command = (...words: readonly string[]) =>
    run(program, [entry, ...words], { env, cwd: folder, timeout: 5 * MINUTES })
  return {
    nodesFolder,
    command,
    async load(kind, list) {
      const file = path.join(folder, `${kind}.json`)
      writeFileSync(file, JSON.stringify(list))
      await command(`import:${kind}`, `--input=${file}`)
    },
    async start() {
      const server = spawn(program, [entry, 'start'], { env, cwd: folder, stdio: 'ignore' })
      t.after(() => void server.kill('SIGKILL'))
      return address
    },
    call: createPage(address),
  }
}

/** Returns a function that calls n8n as its page does. */
function createPage(address: string): N8n['call'] {
  let cookie = ''
  async function ask<T>(place: string, body?: object): Promise<{ cookies: readonly string[]; data: T }> {
    const headers = { 'content-type': 'application/json', 'browser-id': 'a-browser', cookie }
    const more = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(address + place, { headers, ...more })
    const text = await answer.text()
    assert.ok(answer.ok, `${place}: ${answer.status} ${text}`)
    return { cookies: answer.headers.getSetCookie(), data: (JSON.parse(text) as { data: T }).data }
  }
  return async (place, body) => {
    if (cookie === '') {
      const owner = { email: 'owner@example.com', firstName: 'An', lastName: 'Owner', password: 'Password-1' }
      const { cookies } = await ask('/rest/owner/setup', owner)
      cookie = cookies.map((one) => one.split(';')[0]).join('; ')
    }
    return (await ask<never>(place, body)).data
  }
}

/** Settings of n8n without its native parts: no SQLite, no isolate for expressions. */
function createSettings(
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
