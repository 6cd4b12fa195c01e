import os from 'node:os'
import type { Cluster, Redis } from 'ioredis'
import { createMessageIds, type MessageIds } from '../../schemas/message-id.js'
import { noteReplicaReads } from '../../schemas/replica-reads.js'
import { filesFolder } from '../config/media.js'
import { loadSecrets, type Secrets } from '../config/secrets.js'
import type { Config } from '../config.js'
import { clientConfigAt, databasePlace, replicaPlace } from '../connect/database-place.js'
import { connectRedis, type RedisConnections } from '../connect/redis.js'
import { type RedisPlace, redisPlace } from '../connect/redis-place.js'
import { type Embedded, startEmbedded } from '../embedded/start.js'
import type { Logger } from '../logging.js'
import { createDiskStorage } from '../media/disk-storage.js'
import { createS3Storage } from '../media/s3-storage.js'
import type { Storage } from '../media/storage.js'
import { makeTempFolder, noStorage, refuseWhile } from '../media/storage.js'
import { createDatabaseMetrics, createReplicaMetrics, createStorageMetrics } from '../metrics/database-metrics.js'
import { startTrafficWriter } from '../metrics/traffic.js'
import { listNodeIds } from '../processes/process-place.js'
import { type BlockedWork, createBlockedWork } from '../store/blocked-work.js'
import { type Database, openDatabase } from '../store/database.js'
import { createEncryption, type Encryption } from '../store/encryption.js'
import { createMediaFiles, type MediaFiles } from '../store/media-files.js'
import { type Installation, migrate } from '../store/migrate.js'
import { prepareSchema } from '../store/prepare-schema.js'
import { offerReplica, ReadReplica } from '../store/read-replica.js'
import { createReceiverWrites } from '../store/receiver-hours.js'
import { createShardFinder, type ShardOf } from '../store/shard.js'
import { joinSharedFolder } from '../store/shared-folder.js'
import { lockStorage, type StorageLock } from '../store/storage-lock.js'
import { createTrafficWrites } from '../store/traffic.js'
import { machineName, type NodeContext } from './context.js'

/** PostgreSQL, Redis, the storage of files, and the secrets that open them. */
export interface Stores {
  readonly secrets: Secrets
  readonly encryption: Encryption
  readonly messageIds: MessageIds
  readonly database: Database
  readonly installation: Installation
  readonly findShard: ShardOf
  readonly redis: {
    readonly place: RedisPlace
    readonly connections: RedisConnections
    /** A connection for everything that is not a queue, a lease or a subscription. */
    readonly client: Redis | Cluster
  }
  readonly storage: Storage
  /** Returns true while another node, which cannot read the files of this one, has taken its place beside the others. */
  readonly isStorageTaken: () => boolean
  readonly files: MediaFiles
  readonly blockedWork: BlockedWork
  /** Folder for files that arrive. */
  readonly tempDir: string
  readonly log: Logger
}

/** Time in which PostgreSQL notices that a killed process has gone, and frees its place in the database. */
const FORMER_PROCESS_MS = 3_000

/** Time in which the first process of a machine is a member of the cluster, and so known to the others. */
const FIRST_OF_GROUP_MS = 20_000

export async function startStores(node: NodeContext): Promise<Stores> {
  const { config, life, logger, nodeId } = node
  const embedded = await startServers(node)
  const secrets = findSecrets(node)
  const encryption = createEncryption(secrets.encryptionKey, secrets.encryptionKeysOld)
  const log = logger.child({ part: 'store' })
  const database = await startDatabase(node, embedded, log)
  const isExternal = config.database.url !== undefined
  const installation = await life.start('schema', () =>
    isExternal
      ? prepareSchema(database, encryption, config.cluster.shards)
      : migrate(database.pool, encryption, { shards: config.cluster.shards }),
  )
  const place = isExternal ? await takePlace(node, database, log) : null
  const isStorageTaken = () => place?.isTaken === true
  createStorageMetrics(node.registry, isStorageTaken)
  await startReplica(node, database, log)
  const connections = connectRedis(embedded.redis)
  const client = await life.start(
    'Redis',
    () => connections.toAllSlots(logger),
    (opened) => opened.disconnect(),
  )
  // A node without files writes none, so it needs no disk.
  const tempDir = config.media.storage === 'none' ? os.tmpdir() : await makeTempFolder(tempPlace(config), nodeId)
  const storage = await life.start(
    'storage of files',
    async () => refuseWhile(await createStorage(config), isStorageTaken),
    (opened) => opened.close(),
  )
  await life.start(
    'traffic',
    () => startTrafficWriter(node.traffic, createTrafficWrites(database.pool, nodeId), log),
    (writer) => writer.close(),
  )
  await life.start(
    'figures of receivers',
    () => startTrafficWriter(node.receiverCounts, createReceiverWrites(database.pool), log),
    (writer) => writer.close(),
  )
  return {
    secrets,
    encryption,
    messageIds: createMessageIds(encryption.derive('message ids')),
    database,
    installation,
    findShard: createShardFinder(installation.shards),
    redis: { place: embedded.redis, connections, client },
    storage,
    isStorageTaken,
    files: createMediaFiles(database.pool),
    blockedWork: createBlockedWork(database.pool, log),
    tempDir,
    log,
  }
}

function findSecrets({ config, group }: NodeContext): Secrets {
  const secrets = loadSecrets(config)
  // Among several processes, the supervisor has made them.
  return group === null ? secrets : { ...secrets, isAdminTokenNew: group.place.isAdminTokenNew }
}

function startServers({ config, life, logger, group }: NodeContext): Promise<Embedded> {
  return life.start(
    'embedded servers',
    () =>
      startEmbedded({
        dataDir: config.data.dir,
        database: group?.place.database ?? databasePlace(config.database),
        redis: group?.place.redis ?? redisPlace(config.redis),
        logger: logger.child({ part: 'embedded' }),
      }),
    (servers) => servers.stop(),
    { stopTimeoutMs: 20_000 },
  )
}

function startDatabase({ config, life, registry }: NodeContext, embedded: Embedded, log: Logger): Promise<Database> {
  let database: Database | undefined
  const metrics = createDatabaseMetrics(registry, () => database?.figures() ?? [])
  return life.start(
    'database',
    () => {
      database = openDatabase(
        {
          ...embedded.database,
          poolMax: config.database.poolMax,
          connectTimeoutMs: config.database.connectTimeoutMs,
          statementTimeoutMs: config.database.statementTimeoutMs,
          sessionTimeoutMs: config.cluster.timing.commandTimeoutMs,
          onWaited: metrics.waited,
        },
        log,
      )
      return database
    },
    (opened) => opened.close(),
  )
}

/** Reads lists and searches from the replica, if there is one. */
async function startReplica({ config, life, registry, nodeId }: NodeContext, database: Database, log: Logger) {
  const place = replicaPlace(config.database)
  if (place === undefined) return
  noteReplicaReads()
  const { poolMax, readLagMaxMs: lagMaxMs } = config.database
  let replica: ReadReplica | undefined
  const metrics = createReplicaMetrics(registry, () => replica?.lagMs() ?? null)
  const options = { pool: database.pool, clientConfig: clientConfigAt(place), poolMax, node: nodeId, lagMaxMs, log }
  replica = await life.start(
    'replica',
    () => new ReadReplica({ ...options, onRead: metrics.read }),
    (opened) => opened.close(),
  )
  offerReplica(database.pool, replica)
}

async function takePlace(
  { config, life, nodeId, group }: NodeContext,
  database: Database,
  log: Logger,
): Promise<StorageLock> {
  const taken = await life.start(
    'place beside other nodes',
    () =>
      lockStorage({
        locks: database.locks,
        pool: database.pool,
        kind: config.media.storage === 'disk' ? 'one' : 'several',
        nodeIds: group === null ? [nodeId] : listNodeIds(machineName(config), group.place),
        waitMs: group === null ? FORMER_PROCESS_MS : FIRST_OF_GROUP_MS,
        log,
      }),
    (lock) => lock.close(),
  )
  const { folder } = config.media
  if (folder !== undefined) await life.start('shared folder', () => joinSharedFolder(database.pool, folder, nodeId))
  return taken
}

/** Files under way are on the disk of those that are stored, where a file moves by a rename. */
function tempPlace({ media, data }: Config): string {
  return media.folder ?? data.dir
}

async function createStorage({ media, data }: Config): Promise<Storage> {
  const { bucket, accessKey, secretKey, ...s3 } = media.s3
  if (media.storage === 'none') return noStorage
  const folder = filesFolder(media, data.dir)
  if (folder !== undefined) return await createDiskStorage(folder)
  return await createS3Storage({ ...s3, bucket: bucket ?? '', accessKey: accessKey ?? '', secretKey: secretKey ?? '' })
}
