/** Nodes of one cluster as processes, on a PostgreSQL and a Redis that they share. */
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '../../runtime/embedded/start.js'
import { createLogger } from '../../runtime/logging.js'
import { type BenchGateway, dataFolder, startGateway } from './gateway.js'
import type { BenchNetwork } from './network.js'

export interface BenchNode extends BenchGateway {
  readonly name: string
}

export interface BenchCluster {
  readonly redisUrl: string
  /** Nodes that run. */
  nodes(): readonly BenchNode[]
  start(name: string): Promise<BenchNode>
  /** As kill -9, or in order. */
  end(node: BenchNode, how: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** All shards are owned, by these evenly. */
  shared(names: readonly string[]): Promise<void>
  rows<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  close(): Promise<void>
}

export async function startBenchCluster(
  network: BenchNetwork | undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchCluster> {
  const folder = dataFolder()
  const stores = await startEmbedded({
    dataDir: path.join(folder, 'stores'),
    logger: createLogger({ level: 'error' }),
    postgresSettings: { max_connections: '300' },
  })
  const redisUrl = stores.redis.type === 'socket' ? stores.redis.path : ''
  const pool = new pg.Pool({ connectionString: stores.database.connectionString, max: 1 })
  const running = new Map<string, BenchNode>()
  const ports = new Map<string, number>()

  const cluster: BenchCluster = {
    redisUrl,
    nodes: () => [...running.values()],

    async start(name) {
      // A node that comes back comes back at its place.
      const port = ports.get(name) ?? 20_000 + Math.floor(Math.random() * 8_000)
      ports.set(name, port)
      const gateway = await startGateway(path.join(folder, name), network, {
        env: {
          DATABASE_URL: stores.database.connectionString,
          REDIS_URL: redisUrl,
          ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
          CLUSTER_SECRET: 'the-secret-of-a-bench',
          MEDIA_STORAGE: 'none',
          NODE_ID: name,
          PEER_PORT: String(port),
          ...env,
        },
      })
      const node = { ...gateway, name }
      running.set(name, node)
      return node
    },

    async end(node, how) {
      running.delete(node.name)
      if (how === 'SIGKILL') process.kill(node.pid, how)
      await node.stop()
    },

    async shared(names) {
      for (;;) {
        const owned = await cluster.rows<{ name: string; shards: number }>(
          `SELECT n.node_id AS name, count(*)::integer AS shards FROM shard_owner AS s
           JOIN node AS n ON n.incarnation = s.owner WHERE NOT n.dead GROUP BY 1`,
        )
        const counts = names.map((name) => owned.find((one) => one.name === name)?.shards ?? 0)
        const isWhole = counts.reduce((sum, one) => sum + one, 0) === 256
        if (isWhole && Math.max(...counts) - Math.min(...counts) <= 1) return
        await wait(100)
      }
    },

    rows: async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows,

    async close() {
      for (const node of running.values()) await node.stop()
      await pool.end()
      await stores.stop()
    },
  }
  return cluster
}
