/** Counts what a gateway asks of its embedded stores. */
import path from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { databaseName } from '../../runtime/embedded/postgres.js'
import { databaseUser } from '../../runtime/embedded/postgres-cluster.js'
import { socketFolder } from '../../runtime/embedded/socket-folder.js'

export interface EmbeddedCounts {
  /** Number of commands since the start of Redis, by name. */
  commands(): Promise<ReadonlyMap<string, number>>
  /** Number of transactions since the start of PostgreSQL. */
  transactions(): Promise<number>
  close(): Promise<void>
}

/** `folder`: the data folder of the gateway, which runs. */
export async function connectEmbedded(folder: string): Promise<EmbeddedCounts> {
  const sockets = socketFolder(folder)
  const redis = new Redis({ path: path.join(sockets, 'redis.sock') })
  const client = new pg.Client({ host: path.join(sockets, 'postgresql'), user: databaseUser, database: databaseName })
  await client.connect()
  return {
    async commands() {
      const text = await redis.info('commandstats')
      return new Map(
        [...text.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)].map(([, name = '', calls]) => [name, Number(calls)]),
      )
    },
    async transactions() {
      const { rows } = await client.query<{ count: string }>(
        'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
      )
      return Number(rows[0]?.count)
    },
    async close() {
      redis.disconnect()
      await client.end()
    },
  }
}
