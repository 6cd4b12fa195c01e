/** The commands `posthorn backup` and `posthorn restore` as an operator types them, and a PostgreSQL with its own client programs. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../lib/package-root.js'
import { fetchProgram } from '../../runtime/embedded/debian-program.js'
import { startSandbox } from '../../sandbox/index.js'
import { testCacheFolder } from './cache-folder.js'
import type { Cleanup } from './cleanup.js'
import { eventually } from './eventually.js'
import { type Stores, startGateway } from './gateway.js'
import { createWorld, type TestInstance, type World } from './world.js'

const run = promisify(execFile)

export interface Typed {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line with the settings of a gateway. */
export async function typed(
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Typed> {
  const program = path.join(packageRoot, 'dist/cli/main.js')
  return await run(process.execPath, [program, ...words], { env: environment, timeout: 240_000 }).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ ...error, status: error.code }),
  )
}

const DEBIAN_FOLDER = '/usr/lib/postgresql'

/**
 * Returns a folder with `postgres`, `pg_dump` and `psql` of one version, 15 or newer: that of the machine, or Debian's 15, which is fetched without root.
 * @throws what apt says when there is none
 */
export async function findPostgresWithClients(): Promise<string> {
  const versions = existsSync(DEBIAN_FOLDER)
    ? readdirSync(DEBIAN_FOLDER)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  for (const version of versions.sort((one, other) => one - other)) {
    const folder = path.join(DEBIAN_FOLDER, String(version), 'bin')
    if (['postgres', 'initdb', 'pg_dump', 'psql'].every((name) => existsSync(path.join(folder, name)))) return folder
  }
  const { program } = await fetchProgram(
    {
      name: 'postgresql-15',
      packages: ['postgresql-15', 'postgresql-client-15'],
      file: 'usr/lib/postgresql/15/bin/postgres',
      showVersion: '--version',
    },
    testCacheFolder(),
  )
  return path.dirname(program)
}

/** The most that `/message/find` gives at once. */
const PAGE = 1000

export const PEER = '15552120009'

export interface BackupScene {
  readonly world: World
  readonly ana: TestInstance
  /** Texts that were sent with 200. */
  readonly sent: string[]
  /** Sends and receives until it is stopped; resolves when a number of texts went each way. */
  traffic(label: string): { goesOn(more: number): Promise<void>; stop(): Promise<void> }
}

/** A paired account that texts with a phone, on a gateway of this version or of another. */
export async function startScene(
  t: Cleanup,
  stores: Stores,
  { env = {}, program }: { env?: Record<string, string>; program?: string } = {},
): Promise<BackupScene> {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const gateway = await startGateway(t, { sandbox, stores, env, ...(program === undefined ? {} : { program }) })
  const world = createWorld(sandbox, gateway)
  const ana = await world.paired('15552120001', 'Ana')
  await world.phone(PEER, 'Zoe')
  const sent: string[] = []
  return {
    world,
    ana,
    sent,
    traffic(label) {
      let isOver = false
      let count = 0
      const going = (async () => {
        for (; !isOver; count += 1) {
          const text = `${label} ${count}`
          const answer = await ana.call('POST', '/send/text', { number: PEER, text }).catch(() => null)
          if (answer?.status === 200) sent.push(text)
          await world.network('POST', `/phones/${PEER}/text`, { to: ana.number, text: `to Ana: ${text}` })
        }
      })()
      return {
        async goesOn(more) {
          const from = sent.length
          await eventually(() => sent.length >= from + more)
        },
        async stop() {
          isOver = true
          await going
        },
      }
    },
  }
}

/** Returns the texts of all its messages, however many the traffic left. */
export async function storedTexts(ana: TestInstance): Promise<readonly unknown[]> {
  const texts: unknown[] = []
  for (;;) {
    const page = await ana.messages({ limit: PAGE, offset: texts.length })
    if (page.length === 0) return texts
    texts.push(...page.map(({ text }) => text))
  }
}

/** Sends and receives a text, each of which must arrive. */
export async function talks({ world, ana }: Pick<BackupScene, 'world' | 'ana'>, text: string): Promise<void> {
  const { messageid } = await ana.text(PEER, text)
  await world.shownAt(PEER, messageid)
  await world.write(PEER, ana.number, `answer to ${text}`)
  await eventually(async () => (await ana.messages({ text: `answer to ${text}` })).length > 0)
}

interface WentBack {
  readonly cause: string
  readonly noticedBy: string
  readonly lostFrom: string
  readonly lostUntil: string
}

async function wentBack(world: World): Promise<WentBack | null> {
  const { body } = await world.gateway.call<{ store?: { wentBack: WentBack | null } }>('GET', '/admin/nodes', {
    admin: true,
  })
  return body.store?.wentBack ?? null
}

/** Fails unless the restore has been reported, with the time of the backup as the beginning of what is missing. */
export async function isReported(world: World, backup: string): Promise<void> {
  const loss = await eventually(
    () => wentBack(world).catch(() => null),
    (found) => found !== null,
  )
  const { madeAt } = JSON.parse(readFileSync(path.join(backup, 'posthorn-backup.json'), 'utf8')) as { madeAt: string }
  assert.deepEqual([loss?.cause, loss?.noticedBy, loss?.lostFrom], ['restore', 'posthorn restore', madeAt])
  assert.ok(Date.parse(loss?.lostUntil ?? '') > Date.parse(madeAt), JSON.stringify(loss))
}
