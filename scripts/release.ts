/**
 * `node dist/scripts/release.js [commit]`: records a commit (the present one) as the last release, for the tests of upgrades. Builds its
 * program from git, lets it make a schema and rows on a simulated network, and writes both to test/upgrade/released.json.
 * How a release is cut: docs/operations/handbook.md.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { migrationsIn } from '../runtime/store/migrate.js'
import { startSandbox } from '../sandbox/index.js'
import { OperatorError } from '../schemas/operator-error.js'
import { testFolder } from '../test/support/embedded.js'
import { eventually } from '../test/support/eventually.js'
import { startGateway } from '../test/support/gateway.js'
import {
  buildCommit,
  chooseProgram,
  columnsIn,
  computeHashes,
  findCommit,
  RECORD_FILE,
  type Released,
} from '../test/support/released.js'
import { createWorld } from '../test/support/world.js'

/** Of the hundreds that each instance has. */
const PRE_KEYS_KEPT = 5

const works: (() => Promise<void> | void)[] = []
const cleanup = { after: (work: () => Promise<void> | void) => void works.push(work) }

async function record(commit: string): Promise<Released> {
  const built = await buildCommit(commit, testFolder(cleanup))
  const manifest = JSON.parse(readFileSync(path.join(built, 'package.json'), 'utf8')) as { version: string }
  const sandbox = await startSandbox()
  cleanup.after(() => sandbox.close())
  const encryptionKey = randomBytes(32).toString('base64')
  const gateway = await startGateway(cleanup, {
    sandbox,
    program: chooseProgram(built),
    env: { ENCRYPTION_KEY: encryptionKey, MEDIA_STORAGE: 'none' },
  })
  const world = createWorld(sandbox, gateway)
  const ana = await world.paired('15550000001', 'Ana')
  const ben = await world.paired('15550000002', 'Ben')
  // Nobody takes deliveries there: they stay.
  await ana.hook('http://127.0.0.1:9/hook')
  await ana.text(ben.number, 'to Ben')
  await ben.text(ana.number, 'to Ana')
  await ana.call('POST', '/chat/editLead', { id: `${ben.number}@s.whatsapp.net`, lead_name: 'Ben', lead_tags: ['a'] })
  await ana.call('POST', '/function/edit', {
    functionData: { name: 'look', endpoint: 'https://example.org', method: 'GET' },
  })
  await eventually(async () => {
    const { body } = await ana.call<{ messages: unknown[] }>('POST', '/message/find', { limit: 10 })
    return body.messages.length === 2
  })
  await gateway.kill('SIGTERM')

  const client = new pg.Client({ connectionString: gateway.databaseUrl })
  await client.connect()
  try {
    return {
      version: manifest.version,
      commit,
      migrations: computeHashes(migrationsIn(path.join(built, 'runtime/store/migrations'))),
      columns: await columnsIn(client),
      encryptionKey,
      rows: await rowsIn(client),
    }
  } finally {
    await client.end()
  }
}

async function rowsIn(client: pg.Client): Promise<Released['rows']> {
  const tables = [...new Set(Object.keys(await columnsIn(client)).map((name) => name.split('.')[0] ?? ''))]
  const rows: Record<string, Record<string, unknown>[]> = {}
  for (const table of tables) {
    const kept = table === 'signal_key' ? `WHERE kind <> 'pre-key' OR id::integer <= ${PRE_KEYS_KEPT}` : ''
    const found = await client.query<{ row: Record<string, unknown> }>(
      `SELECT row_to_json(t) AS row FROM ${table} AS t ${kept}`,
    )
    if (found.rows.length > 0) rows[table] = found.rows.map(({ row }) => row)
  }
  return rows
}

try {
  const commit = await findCommit(process.argv[2] ?? 'HEAD')
  if (commit === null) throw new OperatorError('There is no such commit.')
  const released = await record(commit)
  writeFileSync(RECORD_FILE, `${JSON.stringify(released, null, 2)}\n`)
  process.stdout.write(
    `${released.version} is recorded. Now: git tag -a v${released.version} ${commit}, and commit test/upgrade/released.json.\n`,
  )
} finally {
  for (const work of works.toReversed()) await work()
}
