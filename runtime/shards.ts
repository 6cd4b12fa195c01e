/** `posthorn shards [<number>]`, or `node dist/shards.js`: says how many shards the cluster of these settings has, or gives it more. */
import pg from 'pg'
import { errorText } from '../lib/error-text.js'
import { OperatorError } from '../schemas/operator-error.js'
import { loadSecrets } from './config/secrets.js'
import { type Config, readConfig } from './config.js'
import { clientConfigAt, databasePlace } from './connect/database-place.js'
import { redisAt } from './connect/redis-place.js'
import { startEmbedded } from './embedded/start.js'
import { createLogger } from './logging.js'
import { createEncryption } from './store/encryption.js'
import { MIGRATION_LOCK, migrate } from './store/migrate.js'
import { changeShards, readShardCount, SHARD_COUNTS } from './store/shard-count.js'

const USAGE = `usage: posthorn shards [<number>]

  Says how many shards the cluster has. With a number (${SHARD_COUNTS.slice(1).join(', ')}), gives it that many: only more, and only while no node runs.
  Status 0: done; 1: refused or failed; 2: this usage.
`

/** @param wanted the new number; undefined: only say the present one */
async function run(config: Config, wanted: number | undefined): Promise<string> {
  // Redis holds nothing about shards, so none is started.
  const redis = redisAt('redis://127.0.0.1')
  const logger = createLogger(config.logging, process.stderr)
  const database = databasePlace(config.database)
  const servers = await startEmbedded({ dataDir: config.data.dir, database, redis, logger })
  try {
    const place = servers.database.direct ?? servers.database
    const pool = new pg.Pool({ ...clientConfigAt(place), max: 1, application_name: 'posthorn shards' })
    pool.on('error', () => undefined)
    try {
      if (wanted === undefined) return await tell(pool)
      const { encryptionKey, encryptionKeysOld } = loadSecrets(config)
      await migrate(pool, createEncryption(encryptionKey, encryptionKeysOld))
      return await change(pool, wanted)
    } finally {
      await pool.end()
    }
  } finally {
    await servers.stop()
  }
}

async function tell(pool: pg.Pool): Promise<string> {
  const client = await pool.connect()
  try {
    const shards = await readShardCount(client)
    return shards === null ? 'The cluster gets its shards at its first start.\n' : `${shards}\n`
  } finally {
    client.release()
  }
}

async function change(pool: pg.Pool, wanted: number): Promise<string> {
  const client = await pool.connect()
  try {
    const former = await changeShards(client, wanted, MIGRATION_LOCK)
    return `The cluster had ${former} shards and has ${wanted} now. Start its nodes; CLUSTER_SHARDS, if it is set, must be ${wanted}.\n`
  } finally {
    client.release()
  }
}

async function main(typed: readonly string[]): Promise<number> {
  const [text, ...more] = typed
  const wanted = text === undefined ? undefined : Number(text)
  if (more.length > 0 || (wanted !== undefined && !SHARD_COUNTS.includes(wanted))) {
    process.stderr.write(USAGE)
    return 2
  }
  process.stdout.write(await run(readConfig(process.env), wanted))
  return 0
}

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof OperatorError ? error.message : errorText(error)}\n`)
    process.exitCode = 1
  },
)
