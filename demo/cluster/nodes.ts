/** Several gateways on one private PostgreSQL and Redis, behind a balancer. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Client } from 'pg'
import { startEmbedded } from '../../runtime/embedded/start.js'
import { createLogger } from '../../runtime/logging.js'
import { startBalancer } from '../balancer.js'
import { until } from '../calls.js'
import { askedPort, freePort } from '../front.js'
import { startProgram } from '../program.js'
import type { Stage } from '../stage.js'

export interface DemoNode {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** `kill -9`. */
  kill(): Promise<void>
}

export interface DemoCluster {
  /** Of the balancer. */
  readonly url: string
  readonly adminToken: string
  readonly nodes: readonly DemoNode[]
}

/** A node has some 25 connections at its busiest; the rest is for whoever looks. */
const CONNECTIONS_PER_NODE = 40

/** Resolves when the nodes have shared the shards among them. */
export async function startNodes(stage: Stage, count: number): Promise<DemoCluster> {
  const { folder, undo } = stage
  const stores = await startEmbedded({
    dataDir: path.join(folder, 'stores'),
    logger: createLogger({ level: 'silent' }),
    postgresSettings: { max_connections: String(CONNECTIONS_PER_NODE * (count + 1)) },
  })
  undo(() => stores.stop())
  const adminToken = randomBytes(12).toString('hex')
  const environment = {
    ...stage.environment,
    DATABASE_URL: stores.database.connectionString,
    REDIS_URL: stores.redis.type === 'socket' ? stores.redis.path : '',
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    CLUSTER_SECRET: randomBytes(16).toString('hex'),
    // Any free one: the others read in the table of nodes which it is.
    PEER_PORT: '0',
    PORT: '0',
  }
  const living = new Map<string, DemoNode>()
  const stops: (() => Promise<void>)[] = []
  // All at once: the last one to go would otherwise take over from each of the others first.
  undo(async () => void (await Promise.all(stops.map((stop) => stop()))))

  async function startNode(name: string): Promise<DemoNode> {
    const program = await startProgram(
      'main.js',
      { ...environment, MEDIA_STORAGE: 'none', NODE_ID: name, DATA_DIR: path.join(folder, name) },
      /"port":(\d+).*"msg":"The API listens\."/,
    )
    stops.push(program.stop)
    const node: DemoNode = {
      name,
      url: `http://127.0.0.1:${program.said[1] ?? ''}`,
      pid: program.pid,
      async kill() {
        await program.kill()
        living.delete(name)
      },
    }
    living.set(name, node)
    return node
  }

  const nodes = await Promise.all(Array.from({ length: count }, (_, index) => startNode(`n${index + 1}`)))
  await shared(stores.database.connectionString, count)
  const balancer = await startBalancer(
    () => [...living.values()].map(({ url }) => url),
    askedPort() ?? (await freePort()),
  )
  undo(() => balancer.close())
  return { url: balancer.url, adminToken, nodes }
}

/** The first node up takes all shards; the others have their part when the nodes have been the same for some seconds. */
async function shared(connectionString: string, nodes: number): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await until(
      'even share of the shards for each node',
      () => client.query<{ owned: number }>('SELECT count(*)::integer AS owned FROM shard_owner GROUP BY owner'),
      ({ rows }) => {
        const owned = rows.map((row) => row.owned)
        return owned.length === nodes && Math.max(...owned) - Math.min(...owned) <= 1
      },
    )
  } finally {
    await client.end()
  }
}
