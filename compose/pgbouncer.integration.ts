import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { parse } from 'yaml'
import { packageRoot } from '../lib/package-root.js'
import { namespaceArguments } from '../runtime/embedded/postgres-user.js'
import { migratedDatabase, testFolder } from '../test/support/embedded.js'
import { eventually } from '../test/support/eventually.js'
import { findPgbouncer } from '../test/support/pgbouncer-program.js'
import { lastingPort } from '../test/support/port.js'
import { databasePlace } from '../test/support/proxy.js'

const PASSWORD = '0123456789abcdef'

it('PgBouncer takes the settings of compose.yaml, and lets in who knows the password only', async (t) => {
  const found = await findPgbouncer().catch((error: Error) => error)
  if (found instanceof Error) return t.skip(`There is no PgBouncer: ${found.message.split('\n')[0]}`)
  const port = await startAsCompose(t, found)
  const { rows } = await eventually(
    () => ask(port, PASSWORD).catch(() => ({ rows: [] })),
    ({ rows }) => rows.length > 0,
  )
  assert.deepEqual(rows, [{ migrated: true }])
  await assert.rejects(ask(port, 'another'), /SASL|password|auth/i)
})

/** Only places are changed: those of PostgreSQL, of the file of users, and the port. */
async function startAsCompose(t: TestContext, found: Awaited<ReturnType<typeof findPgbouncer>>): Promise<number> {
  const { connectionString } = await migratedDatabase(t)
  const { target } = databasePlace(connectionString)
  const { username, pathname } = new URL(connectionString.replace('@/', '@localhost/'))
  const server =
    'path' in target
      ? `host=${path.dirname(target.path)} port=${path.extname(target.path).slice(1)}`
      : `host=${target.host} port=${target.port}`
  const [port, folder] = [await lastingPort(), testFolder(t)]
  const ini = readContent('pgbouncer')
    .replace(
      'host=postgres port=5432 dbname=posthorn user=posthorn',
      `${server} dbname=${pathname.slice(1)} user=${username}`,
    )
    .replace('/etc/posthorn', folder)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
  writeFileSync(path.join(folder, 'pgbouncer.ini'), ini)
  writeFileSync(path.join(folder, 'users.txt'), readContent('pgbouncer-users'))
  const [command = found.program, ...before] =
    process.getuid?.() === 0 ? ['unshare', ...namespaceArguments, found.program] : [found.program]
  const child = spawn(command, [...before, path.join(folder, 'pgbouncer.ini')], {
    env: found.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  child.once('exit', (code) => code !== null && code !== 0 && process.stderr.write(output))
  t.after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  return port
}

function readContent(name: string): string {
  const { configs } = parse(readFileSync(path.join(packageRoot, 'compose.yaml'), 'utf8'), { merge: true }) as {
    configs: Readonly<Record<string, { readonly content: string }>>
  }
  return (configs[name]?.content ?? '').replace(/\$\{POSTGRES_PASSWORD[^}]*\}/, PASSWORD)
}

async function ask(port: number, password: string): Promise<{ rows: unknown[] }> {
  const client = new pg.Client({ connectionString: `postgresql://posthorn:${password}@127.0.0.1:${port}/posthorn` })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query('SELECT count(*) > 0 AS migrated FROM shard_owner')
  } finally {
    await client.end().catch(() => {})
  }
}
