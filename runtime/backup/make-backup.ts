/** Makes a backup of what cannot be made again: PostgreSQL, files, and the keys that open what is stored. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { packageVersion } from '../../lib/package-root.js'
import { OperatorError } from '../../schemas/operator-error.js'
import { filesFolder } from '../config/media.js'
import { type KeptSecrets, readKeptSecrets } from '../config/secrets.js'
import type { Config } from '../config.js'
import { clientConfigAt, databasePlace } from '../connect/database-place.js'
import { lockFolder } from '../embedded/folder-lock.js'
import { runningServers } from '../embedded/server-places.js'
import { createEncryption } from '../store/encryption.js'
import { notReached } from '../store/migrate.js'
import { MARK } from '../store/shared-folder.js'
import { clientPlace, findClientPrograms } from './client-programs.js'
import { copyFolder } from './copy-files.js'
import { assertOnlyOurs, dumpDatabase, readDumpFacts } from './dump.js'
import { DUMP_NAME, KEYS_NAME, type Manifest, MEDIA_NAME, POSTGRES_NAME, writeManifest } from './manifest.js'

// Ours: names of PostgreSQL's files.

export interface MadeBackup {
  readonly folder: string
  readonly manifest: Manifest
  /** Files to send, and received ones that callers requested; null when they are not on this machine's disk. */
  readonly mediaFiles: number | null
}

type StoreFacts = Pick<Manifest, 'kind' | 'madeAt' | 'postgres' | 'dump'>

/**
 * Makes the backup beside its place, and moves it there when it is whole.
 * @throws OperatorError when there is nothing to back up, the folder is in use, or PostgreSQL refuses
 */
export async function makeBackup(config: Config, folder: string, options: { withKeys: boolean }): Promise<MadeBackup> {
  await assertFree(folder)
  const draft = `${folder}.unfinished-${process.pid}`
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    const media = filesFolder(config.media, config.data.dir) ?? ''
    const hasMedia = existsSync(media)
    // A file may be deleted during the backup, or come during it: the store may name either.
    if (hasMedia) await copyFolder(media, path.join(draft, MEDIA_NAME), { includes: isStored })
    const facts =
      config.database.url === undefined ? await copyEmbedded(config, draft) : await dumpExternal(config, draft)
    if (hasMedia) await copyFolder(media, path.join(draft, MEDIA_NAME), { includes: isStored, onlyMissing: true })
    const secrets = findSecrets(config)
    if (options.withKeys && secrets.encryptionKey !== undefined)
      await writeFile(path.join(draft, KEYS_NAME), `${JSON.stringify(secrets, undefined, 2)}\n`, {
        mode: 0o600,
        flush: true,
      })
    const manifest = await writeManifest(draft, {
      ...facts,
      version: packageVersion,
      keyId: findKeyId(secrets.encryptionKey),
      hasKeys: options.withKeys && secrets.encryptionKey !== undefined,
    })
    await rename(draft, folder)
    const mediaFiles = hasMedia ? await countFiles(path.join(folder, MEDIA_NAME)) : null
    return { folder, manifest, mediaFiles }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Leaves out files under way, which a shared folder has too, and the mark that tells folders apart. */
function isStored(entry: string): boolean {
  return entry !== 'tmp' && entry !== MARK
}

async function assertFree(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new OperatorError(`${folder} cannot be used for a backup: ${error.message}.`, { cause: error })
  })
  if (entries.length > 0) throw new OperatorError(`${folder} is not empty; name a new folder for the backup.`)
  if (!existsSync(path.dirname(folder)))
    throw new OperatorError(`There is no folder ${path.dirname(folder)} to put the backup into.`)
}

async function copyEmbedded(config: Config, draft: string): Promise<StoreFacts> {
  const { dir } = config.data
  const source = path.join(dir, POSTGRES_NAME)
  const version = await postgresVersion(source)
  const target = path.join(draft, POSTGRES_NAME)
  const madeAt = await copyPostgres(dir, source, target)
  return { kind: 'embedded', madeAt: madeAt.toISOString(), postgres: version }
}

async function copyPostgres(dataDir: string, source: string, target: string): Promise<Date> {
  const { database } = await runningServers(dataDir)
  if (database !== undefined) return await copyRunningPostgres(database.connectionString, source, target)
  // No gateway may start it amid the copy.
  const lock = lockFolder(dataDir)
  try {
    return await copyStoppedPostgres(source, target)
  } finally {
    lock.release()
  }
}

/** Returns the major version that made the folder. @throws OperatorError when there is no such folder */
export async function postgresVersion(folder: string): Promise<number> {
  const text = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new OperatorError(
      `There is no embedded PostgreSQL in ${folder}. Set DATA_DIR to the data folder of the gateway, or DATABASE_URL as the gateway has it.`,
    )
  return Number.parseInt(text, 10)
}

async function dumpExternal(config: Config, draft: string): Promise<StoreFacts> {
  const client = await connectExternal(config)
  try {
    const dump = await readDumpFacts(client)
    if (dump === null)
      throw new OperatorError('No gateway has used the database of DATABASE_URL yet; there is nothing to back up.')
    await assertOnlyOurs(client)
    const { major, at } = await readServer(client)
    const programs = await findClientPrograms(major)
    await dumpDatabase(programs, clientPlace(config.database), dump, path.join(draft, DUMP_NAME))
    return { kind: 'external', madeAt: at.toISOString(), postgres: major, dump }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @throws OperatorError when PostgreSQL is not reached */
export async function connectExternal({ database }: Config): Promise<Client> {
  const place = databasePlace(database)
  if (place === undefined) throw new Error('DATABASE_URL is set where this is called.')
  const client = new Client({ ...clientConfigAt(place.direct ?? place), application_name: 'posthorn backup' })
  client.on('error', () => undefined)
  await client.connect().catch((error: Error) => {
    throw notReached(error)
  })
  return client
}

export async function readServer(client: Client): Promise<{ readonly major: number; readonly at: Date }> {
  const { rows } = await client.query<{ number: number; at: Date }>(
    "SELECT current_setting('server_version_num')::int AS number, clock_timestamp() AS at",
  )
  const [{ number, at } = { number: 0, at: new Date() }] = rows
  return { major: Math.trunc(number / 10_000), at }
}

/** Returns the secrets of the environment, and for the others those of the data folder. Makes none. */
function findSecrets({ data, secrets: given }: Config): Partial<KeptSecrets> {
  const kept = readKeptSecrets(data.dir)
  const encryptionKey = given.encryptionKey ?? kept?.encryptionKey
  const old = [...given.encryptionKeysOld, kept?.encryptionKey ?? '', ...(kept?.encryptionKeysOld ?? [])]
  const encryptionKeysOld = [...new Set(old)].filter((key) => key !== '' && key !== encryptionKey)
  const [adminToken, clusterSecret] = [given.adminToken ?? kept?.adminToken, given.clusterSecret ?? kept?.clusterSecret]
  return {
    ...(adminToken === undefined ? {} : { adminToken }),
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
    ...(clusterSecret === undefined ? {} : { clusterSecret }),
    ...(encryptionKeysOld.length === 0 ? {} : { encryptionKeysOld }),
  }
}

/** Returns the name of a key in base64; null without one. */
export function findKeyId(key: string | undefined): string | null {
  return key === undefined ? null : createEncryption(Buffer.from(key, 'base64')).keyId
}

async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length
}

// Copies the folder of the embedded PostgreSQL while it runs, as PostgreSQL describes in "Making a Base Backup Using the Low-Level API":
// the files as they are, the log from the start of the copy to its end, and a label that says where to begin in it. The embedded PostgreSQL
// brings no pg_dump.

/** Folders whose contents PostgreSQL makes again at its start. */
const EMPTY_FOLDERS = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
const SKIPPED =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|current_logfiles)$|(^|\/)(pg_internal\.init|pgsql_tmp[^/]*)$/
const LOG_FILE = /^[0-9A-F]{24}$/

/** Returns the time of the copy: everything committed before is in it. */
async function copyRunningPostgres(connectionString: string, folder: string, target: string): Promise<Date> {
  const client = new Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Ends with this connection. Until then PostgreSQL keeps all of its log.
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [`posthorn_backup_${process.pid}`])
    const { rows: started } = await client.query<{ log: string }>(
      "SELECT pg_walfile_name(pg_backup_start('posthorn backup', fast => true)) AS log",
    )
    await copyFolder(folder, target, { includes: isCopied })
    const { rows: stopped } = await client.query<{ label: string; spaces: string; log: string; at: Date }>(
      `SELECT labelfile AS label, spcmapfile AS spaces, pg_walfile_name(lsn) AS log, clock_timestamp() AS at
       FROM pg_backup_stop(wait_for_archive => false)`,
    )
    const [from, end] = [started[0]?.log, stopped[0]]
    if (from === undefined || end === undefined)
      throw new Error('PostgreSQL did not say where its backup begins and ends.')
    await writeFile(path.join(target, 'backup_label'), end.label, { mode: 0o600, flush: true })
    if (end.spaces !== '')
      await writeFile(path.join(target, 'tablespace_map'), end.spaces, { mode: 0o600, flush: true })
    await copyLog(path.join(folder, 'pg_wal'), path.join(target, 'pg_wal'), from, end.log)
    return end.at
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Copies the folder of a PostgreSQL that does not run. */
async function copyStoppedPostgres(folder: string, target: string): Promise<Date> {
  await copyFolder(folder, target, { includes: (entry) => !/^postmaster\.(pid|opts)$/.test(entry) })
  return new Date()
}

function isCopied(entry: string): boolean {
  const [top = '', ...below] = entry.split(path.sep)
  if (below.length > 0 && (top === 'pg_wal' || EMPTY_FOLDERS.includes(top))) return false
  return !SKIPPED.test(entry.split(path.sep).join('/'))
}

async function copyLog(from: string, to: string, first: string, last: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  // `includes` is asked for names only, and a file of the log has the name of its timeline and place.
  await copyFolder(from, to, {
    includes: (name) => name.endsWith('.history') || (LOG_FILE.test(name) && name >= first && name <= last),
  })
  const has = new Set(await readdir(to))
  if (!has.has(first) || !has.has(last)) throw new Error(`PostgreSQL's log from ${first} to ${last} is not whole.`)
}
