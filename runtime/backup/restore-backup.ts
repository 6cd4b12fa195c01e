/** Puts a backup in the place of what is stored, and begins an era in the store, so that every node notices and heals. */
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Client, type ClientBase, Pool } from 'pg'
import { OperatorError } from '../../schemas/operator-error.js'
import { filesFolder } from '../config/media.js'
import { type KeptSecrets, loadSecrets, readKeptSecrets, replaceKeptSecrets } from '../config/secrets.js'
import type { Config } from '../config.js'
import { clientConfigAt, databasePlace } from '../connect/database-place.js'
import { prepareDataFolder } from '../embedded/data-folder.js'
import { lockFolder } from '../embedded/folder-lock.js'
import { preparePostgres, startPostgres } from '../embedded/postgres.js'
import { FORMER_MARK } from '../embedded/postgres-cluster.js'
import { embeddedDatabase } from '../embedded/server-places.js'
import { socketFolder } from '../embedded/socket-folder.js'
import { findPostgresPlace } from '../embedded/start.js'
import { createEncryption } from '../store/encryption.js'
import { migrate, readMigrations } from '../store/migrate.js'
import { clientPlace, findClientPrograms } from './client-programs.js'
import { copyFolder } from './copy-files.js'
import { assertOnlyOurs, readDumpFacts, restoreDump } from './dump.js'
import { connectExternal, findKeyId, postgresVersion, readServer } from './make-backup.js'
import { DUMP_NAME, KEYS_NAME, type Manifest, MEDIA_NAME, POSTGRES_NAME, readManifest } from './manifest.js'

// Ours: the keys of our own backup.

export interface Restored {
  readonly manifest: Manifest
  readonly instances: number
  /** The former PostgreSQL, kept; undefined when there was none, or it was a dump that was put back. */
  readonly formerFolder: string | undefined
  /** The former file of secrets, kept. */
  readonly formerSecrets: string | undefined
}

/**
 * Restores into the stores of the settings.
 * @param mayReplace what is stored there now may be lost
 * @throws OperatorError. Until the restored data are in place, everything is as it was before
 */
export async function restoreBackup(
  config: Config,
  folder: string,
  options: { mayReplace: boolean },
): Promise<Restored> {
  const manifest = await readManifest(folder)
  const wanted = config.database.url === undefined ? 'embedded' : 'external'
  if (manifest.kind !== wanted) throw new OperatorError(otherKind(manifest.kind))
  const keys = readKeys(folder, manifest)
  assertKey(config, manifest, keys)
  return wanted === 'embedded'
    ? await restoreEmbedded(config, folder, manifest, keys, options)
    : await restoreExternal(config, folder, manifest, keys, options)
}

function otherKind(kind: Manifest['kind']): string {
  return kind === 'embedded'
    ? 'The backup is of an embedded PostgreSQL, and DATABASE_URL is set. Unset it to restore into DATA_DIR.'
    : 'The backup is a dump of an external PostgreSQL. Set DATABASE_URL to the database that it is restored into.'
}

function readKeys(folder: string, { hasKeys }: Manifest): Partial<KeptSecrets> | undefined {
  if (!hasKeys) return undefined
  return JSON.parse(readFileSync(path.join(folder, KEYS_NAME), 'utf8')) as Partial<KeptSecrets>
}

/** Returns the keys that a gateway with these settings has, without those of the backup. */
function knownKeys({ data, secrets }: Config): string[] {
  const kept = readKeptSecrets(data.dir)
  const all = [
    secrets.encryptionKey,
    ...secrets.encryptionKeysOld,
    kept?.encryptionKey,
    ...(kept?.encryptionKeysOld ?? []),
  ]
  return all.filter((key) => key !== undefined)
}

function hasKey(config: Config, { keyId }: Manifest): boolean {
  return keyId === null || knownKeys(config).some((key) => findKeyId(key) === keyId)
}

function assertKey(config: Config, manifest: Manifest, keys: Partial<KeptSecrets> | undefined): void {
  if (keys !== undefined || hasKey(config, manifest)) return
  throw new OperatorError(
    `The backup was made without its keys, and neither ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD nor ${path.join(config.data.dir, KEYS_NAME)} has the key ${manifest.keyId} under which its values are sealed. Set it in ENCRYPTION_KEY.`,
  )
}

/** Puts the keys of the backup into the data folder, unless the settings have its key already. */
function takeKeys(config: Config, manifest: Manifest, keys: Partial<KeptSecrets> | undefined): string | undefined {
  if (keys === undefined || hasKey(config, manifest)) return undefined
  prepareDataFolder(config.data.dir)
  return replaceKeptSecrets(config.data.dir, keys)
}

async function restoreEmbedded(
  config: Config,
  folder: string,
  manifest: Manifest,
  keys: Partial<KeptSecrets> | undefined,
  { mayReplace }: { mayReplace: boolean },
): Promise<Restored> {
  const { dir } = config.data
  prepareDataFolder(dir)
  const lock = lockFolder(dir)
  try {
    const sockets = socketFolder(dir)
    const place = await findPostgresPlace({ dataDir: dir }, sockets)
    const version = await postgresVersion(path.join(folder, POSTGRES_NAME))
    if (version !== place.binaries.major)
      throw new OperatorError(
        `The backup is of PostgreSQL ${version}, and this gateway carries ${place.binaries.major}; restore it with the version of the gateway that made it (${manifest.version}).`,
      )
    const current = path.join(dir, POSTGRES_NAME)
    const hasFormer = existsSync(path.join(current, 'PG_VERSION'))
    if (hasFormer && !mayReplace) throw new OperatorError(mustReplace(`The data folder ${dir} has a database.`))
    // A killed gateway leaves it running.
    if (hasFormer) await (await startPostgres(place)).stop()
    // A start of PostgreSQL removes folders of this name, so nothing is left of a restore that was cut off.
    const draft = path.join(dir, `${POSTGRES_NAME}.new-restored`)
    await rm(draft, { recursive: true, force: true })
    await copyFolder(path.join(folder, POSTGRES_NAME), draft)
    const former = `${current}${FORMER_MARK}${Date.now()}`
    if (hasFormer) await rename(current, former)
    await rename(draft, current)
    const hadSecrets = existsSync(path.join(dir, KEYS_NAME))
    const formerSecrets = takeKeys(config, manifest, keys)
    try {
      const instances = await startAndMark(config, place, sockets, manifest)
      await takeMedia(config, folder)
      return { manifest, instances, formerFolder: hasFormer ? former : undefined, formerSecrets }
    } catch (error) {
      await rm(current, { recursive: true, force: true })
      if (hasFormer) await rename(former, current)
      if (formerSecrets !== undefined) await rename(formerSecrets, path.join(dir, KEYS_NAME))
      else if (!hadSecrets) await rm(path.join(dir, KEYS_NAME), { force: true })
      throw error
    }
  } finally {
    lock.release()
  }
}

/** Starts the restored PostgreSQL once, so that a backup that cannot be used is noticed here. Returns the number of instances. */
async function startAndMark(
  config: Config,
  place: Awaited<ReturnType<typeof findPostgresPlace>>,
  sockets: string,
  manifest: Manifest,
): Promise<number> {
  await preparePostgres(place)
  const server = await startPostgres(place)
  try {
    const { connectionString } = embeddedDatabase(sockets)
    await migrateStore(config, new Pool({ connectionString, max: 1 }))
    const client = new Client({ connectionString })
    await client.connect()
    try {
      return await beginEra(client, { era: 0, counter: 0, epoch: 0 }, manifest)
    } finally {
      await client.end()
    }
  } finally {
    await server.stop()
  }
}

async function restoreExternal(
  config: Config,
  folder: string,
  manifest: Manifest,
  keys: Partial<KeptSecrets> | undefined,
  { mayReplace }: { mayReplace: boolean },
): Promise<Restored> {
  const { dump } = manifest
  if (dump === undefined) throw new OperatorError(`The backup ${folder} does not say what its dump holds.`)
  assertSchemaKnown(dump.migration, dump.oldest)
  const client = await connectExternal(config)
  try {
    const current = await readDumpFacts(client)
    if (current === null) await assertEmpty(client)
    else if (!mayReplace) throw new OperatorError(mustReplace('The database of DATABASE_URL has data of a gateway.'))
    if (current !== null) await assertOnlyOurs(client)
    const { major } = await readServer(client)
    const programs = await findClientPrograms(Math.max(major, manifest.postgres))
    const before = await readMarks(client)
    const { rows } = await client.query<{ schemaName: string }>('SELECT current_schema() AS "schemaName"')
    // The dump of an older release has no history; its era begins after the migrations.
    const isMarked = dump.migration >= HISTORY_MIGRATION
    await restoreDump(programs, clientPlace(config.database), dump, {
      file: path.join(folder, DUMP_NAME),
      schemaName: rows[0]?.schemaName ?? '',
      finish: isMarked ? eraAfterRestore(before, new Date(manifest.madeAt)) : '',
    })
    const formerSecrets = takeKeys(config, manifest, keys)
    const place = databasePlace(config.database)
    if (place !== undefined) await migrateStore(config, new Pool({ ...clientConfigAt(place.direct ?? place), max: 1 }))
    const instances = isMarked ? await countInstances(client) : await beginEra(client, before, manifest)
    await takeMedia(config, folder)
    return { manifest, instances, formerFolder: undefined, formerSecrets }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The migration that made `store_history`. */
const HISTORY_MIGRATION = 103

function assertSchemaKnown(migration: number, oldest: number): void {
  const newest = readMigrations().at(-1)?.version ?? 0
  if (oldest > newest)
    throw new OperatorError(
      `The backup has schema ${migration}, which only programs that know ${oldest} can use, and this one knows ${newest}; restore it with a newer version.`,
    )
}

async function assertEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 3',
  )
  if (rows.length > 0)
    throw new OperatorError(
      `The database of DATABASE_URL has tables of another program (${rows.map(({ name }) => name).join(', ')}) and was left as it is; create an empty database for the gateway.`,
    )
}

function mustReplace(found: string): string {
  return `${found} Everything in it that is newer than the backup would be lost. Add --replace to replace it.`
}

async function migrateStore(config: Config, pool: Pool): Promise<void> {
  const { encryptionKey, encryptionKeysOld } = loadSecrets(config)
  pool.on('error', () => undefined)
  try {
    await migrate(pool, createEncryption(encryptionKey, encryptionKeysOld))
  } finally {
    await pool.end()
  }
}

async function beginEra(client: Client, before: StoreMarks, { madeAt }: Manifest): Promise<number> {
  if (await hasHistory(client)) await client.query(`BEGIN; ${eraAfterRestore(before, new Date(madeAt))} COMMIT`)
  return await countInstances(client)
}

async function countInstances(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM instance')
  return rows[0]?.count ?? 0
}

/** Adds the files of the backup to those that are there: a file has one name for its whole life. */
async function takeMedia(config: Config, folder: string): Promise<void> {
  const [media, target] = [path.join(folder, MEDIA_NAME), filesFolder(config.media, config.data.dir)]
  if (target !== undefined && existsSync(media)) await copyFolder(media, target, { onlyMissing: true })
}

// Tells the nodes that the store went back, as docs/decisions/0042-store-that-goes-back.md describes: a node that runs, or starts later,
// sees the new era, drops what it knows and connects its instances again.

interface StoreMarks {
  readonly era: number
  readonly counter: number
  readonly epoch: number
}

/** Changes of owners between the reading of the marks, or the last copy of them, and the restore. */
const UNSEEN = 1_000_000

/** Returns zeros for a store that is empty, or of a release that has no such marks. */
async function readMarks(client: ClientBase): Promise<StoreMarks> {
  const { rows } = await client.query<{ has: boolean }>(
    "SELECT to_regclass('store_history') IS NOT NULL AND to_regclass('shard_owner') IS NOT NULL AS has",
  )
  if (rows[0]?.has !== true) return { era: 0, counter: 0, epoch: 0 }
  const { rows: marks } = await client.query<StoreMarks>(
    `SELECT era, counter::float8 AS counter, (SELECT coalesce(max(epoch), 0)::float8 FROM shard_owner) AS epoch FROM store_history`,
  )
  return marks[0] ?? { era: 0, counter: 0, epoch: 0 }
}

/**
 * Returns statements that begin an era in a restored store, in the transaction in which they run. They have no parameters, since `psql` runs
 * them as well; all that is put into them are numbers and times.
 */
function eraAfterRestore(before: StoreMarks, madeAt: Date): string {
  const { era, counter, epoch } = before
  return `
    SELECT FROM shard_owner ORDER BY shard FOR UPDATE;
    UPDATE store_history SET era = greatest(era, ${Math.trunc(era)}) + 1,
      counter = greatest(counter, ${Math.trunc(counter)}) + ${UNSEEN}, era_began = now(), cause = 'restore',
      noticed_by = 'posthorn restore', lost_from = '${madeAt.toISOString()}', lost_until = greatest(now(), '${madeAt.toISOString()}');
    UPDATE shard_owner SET owner = NULL, epoch = greatest(epoch, ${Math.trunc(epoch)}) + ${UNSEEN}, updated = now();`
}

async function hasHistory(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>("SELECT to_regclass('store_history') IS NOT NULL AS has")
  return rows[0]?.has === true
}
