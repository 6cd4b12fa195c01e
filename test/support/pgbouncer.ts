/** PgBouncer in transaction mode before the PostgreSQL of a test. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { namespaceArguments } from '../../runtime/embedded/postgres-user.js'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { eventually } from './eventually.js'
import { findPgbouncer } from './pgbouncer-program.js'
import { lastingPort } from './port.js'
import { databasePlace } from './proxy.js'

export interface Pgbouncer {
  readonly connectionString: string
  pid(): number
  /** Runs a command of its console, such as PAUSE. */
  command(text: string): Promise<readonly Record<string, unknown>[]>
  kill(): Promise<void>
  start(): Promise<void>
}

export interface PgbouncerOptions {
  /** Connections to PostgreSQL. */
  readonly poolSize: number
  readonly mode?: 'transaction' | 'session'
}

/** @throws what apt says when there is none on this machine and none can be fetched */
export async function startPgbouncer(
  t: Cleanup,
  databaseUrl: string,
  { poolSize, mode = 'transaction' }: PgbouncerOptions,
): Promise<Pgbouncer> {
  const { program, environment } = await findPgbouncer()
  const folder = testFolder(t)
  const file = path.join(folder, 'pgbouncer.ini')
  const port = await lastingPort()
  const { target, through } = databasePlace(databaseUrl)
  const { username, pathname } = new URL(databaseUrl.replace('@/', '@localhost/'))
  writeFileSync(path.join(folder, 'users.txt'), `"${username}" ""\n`)
  const server =
    'path' in target
      ? `host=${path.dirname(target.path)} port=${path.extname(target.path).slice(1)}`
      : `host=${target.host} port=${target.port}`
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = ${server} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = ${username}
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  )
  const [command = program, ...before] =
    process.getuid?.() === 0 ? ['unshare', ...namespaceArguments, program] : [program]
  let child: ChildProcess | undefined
  let output = ''

  async function start(): Promise<void> {
    const started = spawn(command, [...before, file], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (data: Buffer) => {
        output += data.toString()
      })
    await eventually(
      () =>
        ask('SHOW VERSION').then(
          () => true,
          () => started.exitCode !== null,
        ),
      Boolean,
    )
    assert.equal(started.exitCode, null, output)
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  async function ask(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: `postgresql://${username}@127.0.0.1:${port}/pgbouncer` })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  t.after(kill)
  await start()
  return { connectionString: through(port), pid: () => child?.pid ?? 0, command: ask, kill, start }
}
